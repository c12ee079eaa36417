import Cards
import FixtureRuntime
import Metadata
import SubstratePrimitives
import TestSupport
import Testing

@testable import Extrinsics

/// What is compared with the signed bytes is every literal card: its kind, its depth, its line and its place
/// among the others.
@Suite struct TamperedCardLaws {
    static let runtime = FixtureRuntime.standard

    /// Other lists of cards, each with one literal card made another one.
    static func tampered(_ cards: [Card], at place: Int) -> [(String, [Card])] {
        func with(_ what: String, _ change: (inout Card) -> Void) -> (String, [Card]) {
            var cards = cards
            change(&cards[place])
            return (what, cards)
        }
        let card = cards[place]
        var lists = [with("deeper") { $0.indent += 1 }, with("derived") { $0.isDerived = true }]
        for content in card.content.others where !Card(content).value.utf8Equals(card.value) {
            lists.append(with("other line \(content)") { $0.content = content })
        }
        if card.indent > 0 { lists.append(with("less deep") { $0.indent -= 1 }) }
        for kind: Card.Kind in [
            .text, .bytes, .number, .fieldNumber, .fieldName, .enumVariant, .none, .account, .identityField,
            .notice,
        ]
        where kind != card.kind {
            guard let content = Card.Content(kind, line: card.value) else { continue }
            lists.append(with("as \(kind.rawValue)") { $0.content = content })
        }
        var missing = cards
        missing.remove(at: place)
        var twice = cards
        twice.insert(cards[place], at: place)
        return lists + [("missing", missing), ("twice", twice)]
    }

    static func requireNoOther(_ cards: [Card], _ check: ([Card]) throws -> Void) throws {
        try check(cards)
        for place in cards.indices where !cards[place].isDerived {
            for (what, others) in tampered(cards, at: place) {
                let told = "\(cards[place].kind.rawValue) \(cards[place].value): \(what)"
                #expect(SignableLaws.code { try check(others) } == .notDeterminedByCards, "\(told)")
            }
        }
        for place in cards.indices where cards[place].isDerived {
            var literal = cards
            literal[place].isDerived = false
            let reason = SignableLaws.code { try check(literal) }
            #expect(reason == .notDeterminedByCards, "\(cards[place].value) as a literal card")
        }
    }

    @Test(arguments: FixtureRuntime.MetadataVersion.allCases)
    func noOtherCardsGiveTheSameBytes(version: FixtureRuntime.MetadataVersion) throws {
        let source = TransactionSource(try RuntimeMetadata(Self.runtime.metadata(version)))
        let coverage = CoverageCheck(
            types: TypeView(source.registry), specs: Self.runtime.specs, source: source,
            context: DecodingContext())
        for body in Self.runtime.samples {
            let decoded = try Self.runtime.decode(body, version)
            let (call, signed) = (decoded.callBytes, decoded.signingBytes)
            try Self.requireNoOther(decoded.method) { _ = try coverage.call($0, call[...], from: 0) }
            try Self.requireNoOther(decoded.extensions) {
                _ = try coverage.extensions($0, signed[call.count...], from: call.count)
            }
        }
    }
}
