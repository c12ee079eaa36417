import Cards
import Extrinsics
import FixtureRuntime
import Hashing
import Metadata
import SCALE
import SubstratePrimitives

/// Accounts of the development phrase.
enum Account {
    static let alice = Hex.decode("d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d")!
    static let bob = Hex.decode("8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48")!
}

extension FixtureRuntime {
    func decode(_ body: [UInt8], _ version: MetadataVersion = .v14) throws -> DecodedTransaction {
        try Extrinsics.decode(body: body, metadata: RuntimeMetadata(metadata(version)), specs: specs)
    }

    func transfer(_ amount: UInt128 = 100_000_000_000) -> [UInt8] {
        call(
            "Balances", "transfer_keep_alive",
            [FixtureValue.address(Account.bob), FixtureValue.compact(amount)])
    }

    /// Bodies of every call of the fixture, with every kind of extension value.
    var samples: [[UInt8]] {
        let remark = call("System", "remark", [FixtureValue.bytes(Array("hello".utf8))])
        let mortal = FixtureExtensionValues(
            era: .mortal(MortalEra(period: 64, phase: 27)!), blockHash: Hash32(Account.bob), nonce: 46, tip: 7
        )
        let multi = call(
            "Multisig", "as_multi",
            [
                FixtureValue.integer(UInt16(2)), FixtureValue.vector([Account.bob]),
                FixtureValue.some(FixtureValue.integer(UInt32(5)) + FixtureValue.integer(UInt32(6))),
                transfer(),
                FixtureValue.compact(9) + FixtureValue.compact(10),
            ])
        return [
            transactionBody(call: transfer()), transactionBody(call: transfer(0), mortal),
            transactionBody(call: remark, mortal),
            transactionBody(call: call("Utility", "batch_all", [FixtureValue.vector([transfer(), remark])])),
            transactionBody(call: call("Utility", "batch", [FixtureValue.vector([])]), mortal),
            transactionBody(
                call: call(
                    "Proxy", "proxy",
                    [FixtureValue.address(Account.alice), FixtureValue.some([3]), transfer()])),
            transactionBody(
                call: call(
                    "Proxy", "proxy", [FixtureValue.address(Account.alice), FixtureValue.none, remark])),
            transactionBody(call: multi),
            transactionBody(
                call: call(
                    "Assets", "transfer",
                    [FixtureValue.compact(1984), FixtureValue.address(Account.bob), FixtureValue.compact(5)])),
            transactionBody(
                call: call(
                    "Balances", "transfer_all", [FixtureValue.address(Account.bob), FixtureValue.bool(true)]),
                mortal),
        ]
    }
}

/// A card as one line: depth, kind, value.
func lines(_ cards: [Card]) -> [String] {
    cards.map { String(repeating: "  ", count: $0.indent) + "\($0.kind.rawValue) \($0.value)" }
}

extension SCALEError.Reason {
    /// Whether the bytes ended too soon, or hold fewer elements than they announce.
    var isCut: Bool {
        switch self {
        case .truncated, .countExceedsInput: true
        case .leftover, .compactNotShortest, .compactTooWide, .invalidDiscriminant, .invalidUTF8: false
        }
    }
}
