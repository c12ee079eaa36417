import Extrinsics
import FixtureRuntime
import Hashing
import Metadata
import SCALE
import SubstratePrimitives
import Testing
import UOS

/// Transactions made with a metadata proof, read as an offline side reads them that has no metadata.
@Suite struct ProofCommandLaws {
    enum Era: CaseIterable {
        case immortal, mortal

        var words: [String] {
            switch self {
            case .immortal: []
            case .mortal:
                ["--era", "64", "--block-number", "1234", "--block-hash", String(repeating: "22", count: 32)]
            }
        }

        var expected: SubstratePrimitives.Era {
            switch self {
            case .immortal: .immortal
            case .mortal: .mortal(MortalEra(period: 64, phase: 1234 % 64)!)
            }
        }
    }

    private static let runtime = FixtureRuntime.standard
    private static let bob = Hex.decode("8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48")!
    private static let transfer = runtime.call(
        "Balances", "transfer_keep_alive",
        [FixtureValue.address(bob), FixtureValue.compact(1_500_000_000_000)])
    private static let remark = runtime.call("System", "remark", [FixtureValue.bytes([7])])
    private static let batch = runtime.call(
        "Utility", "batch_all", [FixtureValue.vector([transfer, remark, transfer])])

    private let desk: Desk

    init() throws { desk = try Desk() }

    private func make(_ words: [String]) throws -> Desk.Outcome {
        try desk.run(
            words: [
                "make", "transaction", "--network", "heliotest", "--signer", Alice.address, "--nonce", "3",
            ] + words)
    }

    /// By the proof alone.
    private func decode(_ content: Payload.Content) throws -> DecodedTransaction {
        guard case .transaction(let payload) = content else { throw TestFailure.notATransaction }
        #expect(payload.hasProof)
        var reader = SCALEReader(payload.body)
        let proof = try MetadataProof(from: &reader)
        return try Extrinsics.decode(body: reader.rest(), proof: proof, specs: Self.runtime.specs)
    }

    private enum TestFailure: Error { case notATransaction, notABulk }

    @Test(arguments: [transfer, batch], Era.allCases)
    func theOfflineSideReadsATransactionByItsProof(call: [UInt8], era: Era) throws {
        try desk.know(Self.runtime)
        #expect(try make(["--call-hex", Hex.encode(call), "--out", "tx.hex"] + era.words).status == 0)
        let decoded = try decode(try Payload(try #require(try desk.hex("tx.hex"))).content)
        #expect(decoded.callBytes == call)
        #expect(decoded.facts.era == era.expected)
        let digest = try MetadataDigest(
            of: RuntimeMetadata(Self.runtime.metadata(.v15)),
            extraInfo: ExtraInfo(decoded.runtimeVersion, Self.runtime.specs))
        #expect(decoded.signingBytes.suffix(33) == [1] + digest.hash.bytes)
    }

    @Test func everyTransactionOfABulkHasItsProof() throws {
        try desk.know(Self.runtime)
        let calls = [Self.transfer, Self.remark, Self.batch]
        let words = calls.flatMap { ["--call-hex", Hex.encode($0)] }
        #expect(try make(words + ["--out", "bulk.hex"]).status == 0)
        guard case .bulk(let several) = try Payload(try #require(try desk.hex("bulk.hex"))).content else {
            throw TestFailure.notABulk
        }
        let decoded = try several.map { try decode($0.content) }
        #expect(decoded.map(\.callBytes) == calls)
        #expect(decoded.map(\.facts.nonce) == [3, 4, 5])
    }

    /// What is signed behind the hash would be read by types of the proof's own.
    @Test func aRuntimeThatSignsMoreBehindTheHashGetsNoProof() throws {
        var runtime = Self.runtime
        runtime.extensions.append(FixtureExtension("Behind", .empty, explicit: .unit, implicit: .u8))
        try desk.know(runtime)
        let words = [
            "--call-hex", Hex.encode(Self.transfer), "--extension", #"Behind={"implicit": 7}"#, "--out",
            "tx.hex",
        ]
        let refused = try make(words + ["--with-proof"])
        #expect(refused.status == 1)
        #expect(
            refused.diagnostic
                == """
                the signed bytes do not end with the metadata hash (Behind follows it), so no signer accepts \
                a proof
                """
        )
        #expect(refused.output.isEmpty && !desk.exists("tx.hex"))
        // Metadata tells the types of these bytes, so a transaction that leaves the hash out is made.
        #expect(try make(words).status == 0)
    }
}
