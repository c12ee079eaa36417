import Extrinsics
import FixtureRuntime
import Foundation
import Hashing
import HotTransactions
import Metadata
import SubstratePrimitives
import Testing

private let bob = Hex.decode("8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48")!
private let bobAddress = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"
private let charlie = Hex.decode("90b5ab205c6974c9ea841be688864633dc9ca8a357843eeacf2314649965fe22")!

@Suite struct DescriptionLaws {
    private static func runtime(shuffled: Bool) -> FixtureRuntime {
        var runtime = FixtureRuntime.standard
        if shuffled { runtime.shuffle() }
        return runtime
    }

    private func encode(_ json: String, _ runtime: FixtureRuntime) throws -> [UInt8] {
        let value = JSONValue(
            try StrictJSON.parse(
                Array(json.utf8), limits: .init(depth: 64, values: 1000, takesEveryNumber: true)))
        return try TransactionDraft.call(
            value, metadata: try RuntimeMetadata(runtime.metadata()), specs: runtime.specs)
    }

    private static let transfer =
        #"{"pallet":"Balances","call":"transfer_keep_alive","args":{"dest":"\#(bobAddress)","value":1500000000000}}"#

    @Test(arguments: [false, true])
    func aCallByNamesHasTheBytesOfTheRuntime(shuffled: Bool) throws {
        let runtime = Self.runtime(shuffled: shuffled)
        let transfer = runtime.call(
            "Balances", "transfer_keep_alive",
            [FixtureValue.address(bob), FixtureValue.compact(1_500_000_000_000)])
        let remark = runtime.call("System", "remark", [FixtureValue.bytes(Array("heliograph".utf8))])
        #expect(try encode(Self.transfer, runtime) == transfer)
        let batch =
            #"{"pallet":"Utility","call":"batch_all","args":{"calls":[\#(Self.transfer),{"pallet":"System","call":"remark","args":{"remark":"heliograph"}}]}}"#
        #expect(
            try encode(batch, runtime)
                == runtime.call("Utility", "batch_all", [FixtureValue.vector([transfer, remark])]))
        let proxy =
            #"{"pallet":"Proxy","call":"proxy","args":{"real":{"Id":"0x\#(Hex.encode(bob))"},"force_proxy_type":"Staking","call":\#(Self.transfer)}}"#
        #expect(
            try encode(proxy, runtime)
                == runtime.call(
                    "Proxy", "proxy", [FixtureValue.address(bob), FixtureValue.some([3]), transfer]))
        let multisig = """
            {"pallet":"Multisig","call":"as_multi","args":{"threshold":2,"other_signatories":["\(bobAddress)","0x\(Hex.encode(charlie))"],
             "maybe_timepoint":{"height":7,"index":"1"},"call":{"pallet":"System","call":"remark","args":"heliograph"},
             "max_weight":[1000000,65536]}}
            """
        let timepoint = FixtureValue.integer(UInt32(7)) + FixtureValue.integer(UInt32(1))
        #expect(
            try encode(multisig, runtime)
                == runtime.call(
                    "Multisig", "as_multi",
                    [
                        FixtureValue.integer(UInt16(2)), FixtureValue.vector([bob, charlie]),
                        FixtureValue.some(timepoint), remark,
                        FixtureValue.compact(1_000_000) + FixtureValue.compact(65_536),
                    ]))
    }

    /// A runtime of 2022 takes the inner call of a multisig as bytes. Nobody counts them by hand.
    @Test(arguments: [0, 62, 63, 64, 300])
    func `a call that a runtime takes as bytes gets its length`(length: Int) throws {
        var runtime = FixtureRuntime.standard
        let opaque = FixtureType.composite(
            path: ["frame_support", "traits", "misc", "WrapperKeepOpaque"],
            fields: [
                FixtureField(nil, .compact(.u32), typeName: nil),
                FixtureField(nil, .runtimeCall, typeName: nil),
            ])
        let pallet = runtime.pallets.firstIndex { $0.name == "Multisig" }!
        runtime.pallets[pallet].calls[0].fields[3].type = opaque
        let remark = runtime.call(
            "System", "remark", [FixtureValue.bytes([UInt8](repeating: 0x61, count: length))])
        let text = String(repeating: "a", count: length)
        let json = """
            {"pallet":"Multisig","call":"as_multi","args":{"threshold":2,"other_signatories":["\(bobAddress)"],"maybe_timepoint":null,
             "call":{"pallet":"System","call":"remark","args":{"remark":"\(text)"}},"max_weight":[1,2]}}
            """
        #expect(
            try encode(json, runtime)
                == runtime.call(
                    "Multisig", "as_multi",
                    [
                        FixtureValue.integer(UInt16(2)), FixtureValue.vector([bob]), FixtureValue.none,
                        FixtureValue.bytes(remark),
                        FixtureValue.compact(1) + FixtureValue.compact(2),
                    ]))
    }

    @Test func amountsKeepAllTheirDigits() throws {
        let runtime = FixtureRuntime.standard
        let large =
            #"{"pallet":"Balances","call":"transfer_allow_death","args":{"dest":"\#(bobAddress)","value":"1267650600228229401496703205376"}}"#
        #expect(
            try encode(large, runtime)
                == runtime.call(
                    "Balances", "transfer_allow_death",
                    [FixtureValue.address(bob), FixtureValue.compact(1 << 100)]))
    }

    @Test func `an amount of the chain's own token may carry its unit`() throws {
        let runtime = FixtureRuntime.standard
        for (text, planck) in [
            ("1.5 HLO", 1_500_000_000_000), ("0.000000000001 HLO", 1), ("20 HLO", 20_000_000_000_000),
        ] as [(String, UInt128)] {
            let json =
                #"{"pallet":"Balances","call":"transfer_keep_alive","args":{"dest":"\#(bobAddress)","value":"\#(text)"}}"#
            let call = runtime.call(
                "Balances", "transfer_keep_alive", [FixtureValue.address(bob), FixtureValue.compact(planck)])
            #expect(try encode(json, runtime) == call)
            let batch = #"{"pallet":"Utility","call":"batch_all","args":{"calls":[\#(json)]}}"#
            #expect(
                try encode(batch, runtime)
                    == runtime.call("Utility", "batch_all", [FixtureValue.vector([call])]))
        }
        for text in ["1.5 DOT", "1.5  HLO", "1. HLO", ".5 HLO", "-1 HLO", "0.0000000000001 HLO"] {
            let json =
                #"{"pallet":"Balances","call":"transfer_keep_alive","args":{"dest":"\#(bobAddress)","value":"\#(text)"}}"#
            #expect(
                throws: DescriptionError(
                    .badAmount(text, unit: "HLO", decimals: 12),
                    path: "call.Balances.transfer_keep_alive.value")
            ) { try encode(json, runtime) }
        }
        for text in ["1,000 HLO", "1,5 HLO", "1,000.5 HLO", "1,000"] {
            let json =
                #"{"pallet":"Balances","call":"transfer_keep_alive","args":{"dest":"\#(bobAddress)","value":"\#(text)"}}"#
            #expect(
                throws: DescriptionError(.commas(text), path: "call.Balances.transfer_keep_alive.value")
            ) { try encode(json, runtime) }
        }
        // Another asset has other decimals, and a threshold is no amount.
        let asset =
            #"{"pallet":"Assets","call":"transfer","args":{"id":1,"target":"\#(bobAddress)","amount":"1 HLO"}}"#
        #expect(throws: DescriptionError(.takesNoUnit("1 HLO"), path: "call.Assets.transfer.amount")) {
            try encode(asset, runtime)
        }
    }

    /// Each description with its fault, and the path that the error names.
    @Test(
        arguments: [
            (
                #"{"pallet":"Nowhere","call":"x","args":{}}"#, "call",
                DescriptionError.Reason.unknownName("Nowhere")
            ),
            (#"{"pallet":"Balances","call":"x","args":{}}"#, "call.Balances", .unknownName("x")),
            (#"{"pallet":"Balances"}"#, "call", .missingName("call")),
            (
                #"{"pallet":"System","call":"remark","args":{}}"#, "call.System.remark",
                .wrongKind(wanted: "list", found: "object")
            ),
            (
                #"{"pallet":"System","call":"remark","args":{"remark":"0x1"}}"#, "call.System.remark.remark",
                .notHex("0x1")
            ),
            (
                #"{"pallet":"Balances","call":"transfer_all","args":{"dest":"5F","keep_alive":true}}"#,
                "call.Balances.transfer_all.dest",
                .badAddress("5F")
            ),
            (
                #"{"pallet":"Balances","call":"transfer_all","args":{"keep_alive":true}}"#,
                "call.Balances.transfer_all",
                .missingName("dest")
            ),
            (
                #"{"pallet":"Balances","call":"transfer_all","args":{"dest":"\#(bobAddress)","keep_alive":1}}"#,
                "call.Balances.transfer_all.keep_alive", .wrongKind(wanted: "bool", found: "number")
            ),
            (
                #"{"pallet":"Balances","call":"transfer_all","args":{"dest":"\#(bobAddress)","keep_alive":true,"more":1}}"#,
                "call.Balances.transfer_all", .unknownName("more")
            ),
            (
                #"{"pallet":"Balances","call":"transfer_keep_alive","args":{"dest":"\#(bobAddress)","value":-1}}"#,
                "call.Balances.transfer_keep_alive.value", .outOfRange("-1")
            ),
            (
                #"{"pallet":"Balances","call":"transfer_keep_alive","args":{"dest":"\#(bobAddress)","value":1.5}}"#,
                "call.Balances.transfer_keep_alive.value", .notWhole("1.5", unit: "HLO")
            ),
            // Five units are meant, and five of the smallest would be sent.
            (
                #"{"pallet":"Balances","call":"transfer_keep_alive","args":{"dest":"\#(bobAddress)","value":5.0}}"#,
                "call.Balances.transfer_keep_alive.value", .notWhole("5.0", unit: "HLO")
            ),
            (
                #"{"pallet":"Balances","call":"transfer_keep_alive","args":{"dest":"\#(bobAddress)","value":1e3}}"#,
                "call.Balances.transfer_keep_alive.value", .notWhole("1e3", unit: "HLO")
            ),
            (
                #"{"pallet":"Balances","call":"transfer_keep_alive","args":{"dest":"\#(bobAddress)","value":"1.5"}}"#,
                "call.Balances.transfer_keep_alive.value", .notWhole("1.5", unit: "HLO")
            ),
            (
                #"{"pallet":"Assets","call":"transfer","args":{"id":1,"target":"\#(bobAddress)","amount":1.5}}"#,
                "call.Assets.transfer.amount", .notWhole("1.5", unit: nil)
            ),
            (
                #"{"pallet":"Assets","call":"transfer","args":{"id":4294967296,"target":"\#(bobAddress)","amount":1}}"#,
                "call.Assets.transfer.id", .outOfRange("4294967296")
            ),
        ] as [(String, String, DescriptionError.Reason)])
    func aWrongDescriptionIsRefusedAtItsPlace(json: String, path: String, reason: DescriptionError.Reason) {
        #expect(throws: DescriptionError(reason, path: path)) { try encode(json, .standard) }
    }

    @Test func anAddressOfAnotherNetworkIsRefused() throws {
        var runtime = FixtureRuntime.standard
        runtime.specs.base58Prefix = 2
        let kusama = try #require(SS58Address(prefix: 2, account: bob)).text
        let polkadot = try #require(SS58Address(prefix: 0, account: bob)).text
        func transfer(_ address: String) -> String {
            #"{"pallet":"Balances","call":"transfer_all","args":{"dest":"\#(address)","keep_alive":true}}"#
        }
        #expect(try encode(transfer(kusama), runtime) == encode(transfer(bobAddress), runtime))
        #expect(
            throws: DescriptionError(
                .otherNetwork(expected: 2, found: 0), path: "call.Balances.transfer_all.dest")
        ) {
            try encode(transfer(polkadot), runtime)
        }
    }
}

@Suite struct TransactionDraftLaws {
    private let alice = Hex.decode("d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d")!

    private func values(_ runtime: FixtureRuntime, _ hash: Hash32? = nil) -> TransactionValues {
        TransactionValues(
            era: .mortal(MortalEra(period: 64, phase: 18)!), blockHash: .blake2b(of: [1]), nonce: 46, tip: 5,
            specVersion: runtime.specVersion, transactionVersion: runtime.transactionVersion,
            genesisHash: runtime.genesisHash,
            metadataHash: hash)
    }

    @Test(arguments: [false, true], FixtureRuntime.MetadataVersion.allCases)
    func extensionsComeFromTheMetadataInItsOrder(shuffled: Bool, version: FixtureRuntime.MetadataVersion)
        throws
    {
        var runtime = FixtureRuntime.standard
        if shuffled { runtime.shuffle() }
        let call = runtime.call("System", "remark", [FixtureValue.bytes([7])])
        let metadata = try RuntimeMetadata(runtime.metadata(version))
        let draft = try TransactionDraft(
            call: call, signer: alice, scheme: .sr25519, values: values(runtime), metadata: metadata,
            specs: runtime.specs)
        let expected = FixtureExtensionValues(
            era: .mortal(MortalEra(period: 64, phase: 18)!), blockHash: .blake2b(of: [1]), nonce: 46, tip: 5)
        #expect(draft.payload.bytes() == runtime.transactionPayload(signer: alice, call: call, expected))
        #expect(draft.decoded.signingBytes == runtime.signingBytes(call: call, expected))
    }

    @Test func anUnknownExtensionNeedsAValue() throws {
        var runtime = FixtureRuntime.standard
        runtime.extensions.append(FixtureExtension("Strange", .empty, explicit: .u16, implicit: .unit))
        let metadata = try RuntimeMetadata(runtime.metadata())
        let call = runtime.call("System", "remark", [FixtureValue.bytes([7])])
        var values = values(runtime)
        func draft() throws -> TransactionDraft {
            try TransactionDraft(
                call: call, signer: alice, scheme: .sr25519, values: values, metadata: metadata,
                specs: runtime.specs)
        }
        #expect(throws: ExtensionFiller.Failure.valueNeeded("Strange")) { try draft() }
        values.others = ["Strange": ExtensionDescription(explicit: .whole(0x0102))]
        #expect(try draft().payload.extensions.starts(with: [0x25, 0x01, 46 << 2, 5 << 2, 0, 0x02, 0x01]))
        values.others["Absent"] = ExtensionDescription()
        #expect(throws: ExtensionFiller.Failure.unknownExtension("Absent")) { try draft() }
    }

    @Test func aMetadataHashNeedsItsExtension() throws {
        var runtime = FixtureRuntime.standard
        runtime.extensions.removeAll { $0.identifier == "CheckMetadataHash" }
        let metadata = try RuntimeMetadata(runtime.metadata())
        let values = values(runtime, .blake2b(of: [3]))
        #expect(throws: ExtensionFiller.Failure.noMetadataHash) {
            try TransactionDraft(
                call: runtime.call("System", "remark", [FixtureValue.bytes([7])]), signer: alice,
                scheme: .sr25519, values: values,
                metadata: metadata, specs: runtime.specs)
        }
    }

    /// Only what is signed behind the hash is in the way: an explicit part stands before all implicit ones.
    @Test func aMetadataHashEndsTheSignedBytesOrIsRefused() throws {
        let hash = Hash32.blake2b(of: [3])
        func draft(behind item: FixtureExtension?, hash: Hash32?) throws -> TransactionDraft {
            var runtime = FixtureRuntime.standard
            if let item { runtime.extensions.append(item) }
            var values = values(runtime, hash)
            values.others =
                item.map {
                    [$0.identifier: ExtensionDescription(explicit: .whole(7), implicit: .whole(7))]
                } ?? [:]
            return try TransactionDraft(
                call: runtime.call("System", "remark", [FixtureValue.bytes([7])]), signer: alice,
                scheme: .sr25519, values: values,
                metadata: try RuntimeMetadata(runtime.metadata()), specs: runtime.specs)
        }
        let explicit = FixtureExtension("Further", .empty, explicit: .u8, implicit: .unit)
        let implicit = FixtureExtension("Behind", .empty, explicit: .unit, implicit: .u8)
        for item in [nil, explicit] {
            #expect(try draft(behind: item, hash: hash).decoded.signingBytes.suffix(33) == [1] + hash.bytes)
        }
        #expect(throws: ExtensionFiller.Failure.metadataHashNotAtEnd(after: "Behind")) {
            try draft(behind: implicit, hash: hash)
        }
        #expect(try draft(behind: implicit, hash: nil).decoded.signingBytes.suffix(2) == [0, 7])
    }

    /// The proof reads the transaction once more: metadata alone does not see that the offline side would
    /// refuse it.
    @Test func aProofThatTheOfflineSideWouldRefuseIsNotHandedOut() throws {
        let runtime = FixtureRuntime.standard
        let metadata = try RuntimeMetadata(runtime.metadata(.v15))
        func payload(_ specs: NetworkSpecs, commits: Bool) throws -> [UInt8] {
            let hash = try MetadataDigest(of: metadata, extraInfo: ExtraInfo(metadata.runtimeVersion, specs))
                .hash
            let draft = try TransactionDraft(
                call: runtime.call("System", "remark", [FixtureValue.bytes([7])]), signer: alice,
                scheme: .sr25519,
                values: values(runtime, commits ? hash : nil), metadata: metadata, specs: specs)
            return try draft.bytesWithProof(metadata: metadata, specs: specs)
        }
        #expect(try payload(runtime.specs, commits: true)[2] == 6)
        var renamed = runtime.specs
        renamed.name = "other"
        #expect(throws: ExtrinsicError(.specsMismatch(.name), place: "proof.extra_info")) {
            try payload(renamed, commits: true)
        }
        #expect(throws: ExtrinsicError(.metadataHashDisabled, place: "extensions.CheckMetadataHash")) {
            try payload(runtime.specs, commits: false)
        }
    }

    /// compact length ‖ 84 ‖ MultiAddress::Id ‖ MultiSignature ‖ explicit ‖ call.
    @Test func aSignedExtrinsicLeavesTheImplicitPartsOut() throws {
        let runtime = FixtureRuntime.standard
        let call = runtime.call("System", "remark", [FixtureValue.bytes([7])])
        let parts = runtime.extensionBytes()
        let signature = [UInt8](repeating: 9, count: 64)
        for version in FixtureRuntime.MetadataVersion.allCases {
            let extrinsic = try SignedExtrinsic.bytes(
                signer: alice, scheme: .sr25519, signature: signature, call: call,
                extensions: parts.explicit + parts.implicit,
                metadata: try RuntimeMetadata(runtime.metadata(version)))
            let body = [0x84, 0] + alice + [1] + signature + parts.explicit + call
            #expect(extrinsic == [UInt8(body.count << 2 & 0xff) | 1, UInt8(body.count >> 6)] + body)
        }
    }
}
