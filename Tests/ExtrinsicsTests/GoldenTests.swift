import Cards
import Extrinsics
import FixtureRuntime
import Glibc
import Hashing
import Metadata
import SubstratePrimitives
import TestSupport
import Testing

/// Calls that independent programs encoded, with every leaf they encoded; see fixtures/decode/README.md.
@Suite struct GoldenAnswers {
    struct Case: Decodable {
        let id: String
        let metadata: UInt8
        let call: String
        let hex: String
        let leaves: [String]
    }

    static func cases() throws -> [Case] {
        try Checkout.json("fixtures/decode/calls.json")
    }

    /// The leaves of cards as facts: integers in planck, bytes and accounts as hex, names as they are.
    static func leaves(_ cards: [Card]) -> [String] {
        cards.compactMap { card in
            switch card.kind {
            case .notice, .fieldNumber: return nil
            case .fieldName: return "." + card.value
            case .account: return card.text(of: "public_key").map { "0x" + $0 }
            case .balance, .number: return card.text(of: "raw") ?? card.value
            case .text: return card.text(of: "hex").map { "0x" + $0 } ?? card.value
            default: return card.value
            }
        }
    }

    @Test func everyLeafIsTheOneThatWasEncoded() throws {
        let cases = try Self.cases()
        #expect(cases.count >= 100)
        let runtime = FixtureRuntime.standard
        let metadata = try Dictionary(
            uniqueKeysWithValues: FixtureRuntime.MetadataVersion.allCases.map {
                ($0.rawValue, try RuntimeMetadata(runtime.metadata($0)))
            })
        for item in cases {
            let call = try Extrinsics.decodeCall(
                try #require(Hex.decode(item.hex)), metadata: try #require(metadata[item.metadata]),
                specs: runtime.specs)
            #expect(Self.leaves(call.cards) == item.leaves, "\(item.id)")
        }
    }
}
