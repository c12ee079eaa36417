import Cards
import Extrinsics
import FixtureRuntime
import Forge
import Hashing
import Metadata
import SCALE
import SubstratePrimitives
import Testing

/// A call that the chain takes out of a byte vector, and that metadata describes as a length and a call: the
/// length decides where the chain goes on reading.
@Suite struct OpaqueCallLaws {
    static let thief = [UInt8](repeating: 0x66, count: 32)
    static let paths = [OpaqueCalls.keepOpaque, OpaqueCalls.opaque]

    /// By stored metadata of each version, and by a proof.
    static func decode(_ call: [UInt8], _ runtime: FixtureRuntime) throws -> [Result<
        DecodedTransaction, ExtrinsicError
    >] {
        var results: [Result<DecodedTransaction, ExtrinsicError>] = []
        for version in FixtureRuntime.MetadataVersion.allCases {
            let metadata = try RuntimeMetadata(runtime.metadata(version))
            results.append(
                Result { () throws(ExtrinsicError) in
                    try Extrinsics.decode(
                        body: runtime.transactionBody(call: call), metadata: metadata, specs: runtime.specs)
                })
        }
        let forged = try ForgedProof(runtime)
        var reader = SCALEReader(forged.encoded())
        let proof = try MetadataProof(from: &reader)
        let body = runtime.transactionBody(call: call, FixtureExtensionValues(metadataHash: proof.hash))
        results.append(
            Result { () throws(ExtrinsicError) in
                try Extrinsics.decode(body: body, proof: proof, specs: runtime.specs)
            })
        return results
    }

    /// nil for a transaction that is shown.
    static func reason(_ result: Result<DecodedTransaction, ExtrinsicError>) -> ExtrinsicError.Reason? {
        switch result {
        case .success: nil
        case .failure(let error): error.reason
        }
    }

    @Test func theChainRunsATheft() throws {
        let chain = OpaqueCalls.runtime(.bytes)
        for result in try Self.decode(
            OpaqueCalls.lyingBatch(chain, other: Account.bob, thief: Self.thief), chain)
        {
            let read = try result.get()
            #expect(read.summary.calls.map(\.call) == ["force_batch", "as_multi", "transfer_all"])
        }
    }

    @Test(arguments: paths)
    func aLengthThatIsNotTheCallsIsRefused(path: [String]) throws {
        let runtime = OpaqueCalls.runtime(OpaqueCalls.wrapper(path))
        for result in try Self.decode(
            OpaqueCalls.lyingBatch(runtime, other: Account.bob, thief: Self.thief), runtime)
        {
            #expect(Self.reason(result) == .opaqueLength(announced: 10, found: 5))
        }
        let call = runtime.transfer()
        for length in [0, 1, call.count - 1, call.count + 1, call.count + 2, 60, 1 << 14, 1 << 30]
        where length != call.count {
            let lying = OpaqueCalls.asMulti(
                runtime, other: Account.bob, call: FixtureValue.compact(UInt128(length)) + call)
            for result in try Self.decode(lying, runtime) {
                #expect(
                    Self.reason(result) == .opaqueLength(announced: length, found: call.count), "\(length)")
            }
        }
    }

    /// A byte behind the call, inside the announced length: the chain refuses the call, and runs what
    /// follows.
    @Test(arguments: paths)
    func bytesBehindTheCallAreRefused(path: [String]) throws {
        let runtime = OpaqueCalls.runtime(OpaqueCalls.wrapper(path))
        let call = runtime.transfer() + [0]
        for result in try Self.decode(
            OpaqueCalls.asMulti(runtime, other: Account.bob, call: FixtureValue.bytes(call)), runtime)
        {
            #expect(Self.reason(result) == .opaqueLength(announced: call.count, found: call.count - 1))
        }
    }

    @Test(arguments: paths)
    func aTrueLengthShowsTheCallAndNothingElse(path: [String]) throws {
        let runtime = OpaqueCalls.runtime(OpaqueCalls.wrapper(path))
        let standard = FixtureRuntime.standard
        for call in [
            standard.transfer(),
            standard.call("System", "remark", [FixtureValue.bytes([UInt8](repeating: 65, count: 70))]),
        ] {
            let plain = try standard.decode(
                standard.transactionBody(call: OpaqueCalls.asMulti(standard, other: Account.bob, call: call)))
            for result in try Self.decode(
                OpaqueCalls.asMulti(runtime, other: Account.bob, call: FixtureValue.bytes(call)), runtime)
            {
                let shown = try result.get()
                #expect(lines(shown.method) == lines(plain.method))
                #expect(shown.summary.calls == plain.summary.calls)
            }
        }
    }

    @Test func anOpaqueCallInsideAnOpaqueCallHasItsOwnLength() throws {
        let runtime = OpaqueCalls.runtime(OpaqueCalls.wrapper())
        let transfer = runtime.transfer()
        func outer(_ inner: [UInt8]) -> [UInt8] {
            let call = OpaqueCalls.asMulti(runtime, other: Account.alice, call: inner)
            return OpaqueCalls.asMulti(runtime, other: Account.bob, call: FixtureValue.bytes(call))
        }
        for result in try Self.decode(outer(FixtureValue.bytes(transfer)), runtime) {
            #expect(
                try result.get().summary.calls.map(\.call) == ["as_multi", "as_multi", "transfer_keep_alive"])
        }
        for length in [transfer.count - 1, transfer.count + 1] {
            for result in try Self.decode(outer(FixtureValue.compact(UInt128(length)) + transfer), runtime) {
                #expect(Self.reason(result) == .opaqueLength(announced: length, found: transfer.count))
            }
        }
    }
}
