import FixtureRuntime
import Hashing
import SubstratePrimitives
import TestSupport
import Testing

/// What PyPI scalecodec made of the same metadata; see fixtures/fixture-runtime/README.md.
@Suite struct FixtureRuntimePeerLaws {
    private struct Answers: Decodable {
        let metadataHash: String
        let pallets: [String]
        let calls: [String: String]
        let explicit: String
        let implicit: String
        let prefix: UInt16

        enum CodingKeys: String, CodingKey {
            case metadataHash = "metadata_blake2b_256"
            case pallets, calls, explicit, implicit
            case prefix = "ss58_prefix"
        }
    }

    private let answers: Answers
    private let runtime = FixtureRuntime.standard
    private let bob = Hex.decode("8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48")!
    private let charlie = Hex.decode("90b5ab205c6974c9ea841be688864633dc9ca8a357843eeacf2314649965fe22")!

    init() throws {
        answers = try Checkout.json("fixtures/fixture-runtime/answers.json")
    }

    @Test func theAnswersAreAboutThisMetadata() {
        #expect(Hash32.blake2b(of: runtime.metadata(.v14)).hex == answers.metadataHash)
        #expect(runtime.pallets.map(\.name) == answers.pallets)
        #expect(runtime.specs.base58Prefix == answers.prefix)
    }

    @Test func callsHaveTheSameBytes() {
        let transfer = runtime.call(
            "Balances", "transfer_keep_alive",
            [FixtureValue.address(bob), FixtureValue.compact(1_500_000_000_000)])
        let remark = runtime.call("System", "remark", [FixtureValue.bytes(Array("heliograph".utf8))])
        let timepoint = FixtureValue.integer(UInt32(7)) + FixtureValue.integer(UInt32(1))
        let weight = FixtureValue.compact(1_000_000) + FixtureValue.compact(65_536)
        let calls = [
            "transfer": transfer,
            "transfer_large": runtime.call(
                "Balances", "transfer_allow_death",
                [FixtureValue.address(bob), FixtureValue.compact(1 << 100)]),
            "transfer_all": runtime.call(
                "Balances", "transfer_all", [FixtureValue.address(bob), FixtureValue.bool(true)]),
            "remark": remark,
            "batch": runtime.call("Utility", "batch_all", [FixtureValue.vector([transfer, remark])]),
            "proxy": runtime.call(
                "Proxy", "proxy", [FixtureValue.address(bob), FixtureValue.some([3]), transfer]),
            "multisig": runtime.call(
                "Multisig", "as_multi",
                [
                    FixtureValue.integer(UInt16(2)), FixtureValue.vector([bob, charlie]),
                    FixtureValue.some(timepoint), remark, weight,
                ]),
            "asset": runtime.call(
                "Assets", "transfer",
                [FixtureValue.compact(1984), FixtureValue.address(bob), FixtureValue.compact(25)]),
        ]
        #expect(calls.mapValues { Hex.encode($0) } == answers.calls)
    }

    @Test func extensionsHaveTheSameBytes() throws {
        var runtime = runtime
        runtime.specs.genesisHash = Hash32([UInt8](repeating: 0x11, count: 32))!
        let parts = runtime.extensionBytes(
            FixtureExtensionValues(
                era: .mortal(try #require(MortalEra(period: 64, phase: 18))),
                blockHash: Hash32([UInt8](repeating: 0x22, count: 32)),
                nonce: 46, tip: 5, metadataHash: Hash32([UInt8](repeating: 0x33, count: 32))))
        #expect(Hex.encode(parts.explicit) == answers.explicit)
        #expect(Hex.encode(parts.implicit) == answers.implicit)
    }
}
