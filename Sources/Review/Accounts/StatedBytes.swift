import Cards
import Diagnostics
import Extrinsics
import Metadata
import SubstratePrimitives

/// Where the cards differ from the bytes that they state.
public enum CardGap: Error, Sendable, Equatable {
    /// This card is missing or malformed. It is named by its section and its number in that section, from 1.
    case card(String)
    /// The offset of the first byte that differs from what the cards state.
    case byte(Int)

    /// nil if both are equal.
    package init?(rebuilt: [UInt8], bytes: [UInt8]) {
        guard rebuilt != bytes else { return nil }
        self = .byte(
            zip(rebuilt, bytes).enumerated().first { $0.element.0 != $0.element.1 }?.offset
                ?? min(rebuilt.count, bytes.count))
    }
}

/// Parses a line of a card byte by byte. Strangers wrote parts of the line, and as characters a combining
/// mark would merge with the space before it.
package struct LineReader {
    private(set) var rest: ArraySlice<UInt8>

    package init(_ text: String) { rest = Array(text.utf8)[...] }

    package var text: String { String(decoding: rest, as: UTF8.self) }

    /// Removes and returns what follows the last separator, and removes the separator; nil if there is no
    /// separator.
    package mutating func takeLast(after separator: String) -> String? {
        let separator = Array(separator.utf8)
        var start = rest.endIndex - separator.count
        while start >= rest.startIndex {
            if rest[start..<(start + separator.count)].elementsEqual(separator) {
                let part = String(decoding: rest[(start + separator.count)...], as: UTF8.self)
                rest = rest[..<start]
                return part
            }
            start -= 1
        }
        return nil
    }

    /// Removes and returns what precedes the first separator, and removes the separator; nil if there is no
    /// separator.
    package mutating func takeFirst(before separator: String) -> String? {
        let separator = Array(separator.utf8)
        var start = rest.startIndex
        while start + separator.count <= rest.endIndex {
            if rest[start..<(start + separator.count)].elementsEqual(separator) {
                let part = String(decoding: rest[..<start], as: UTF8.self)
                rest = rest[(start + separator.count)...]
                return part
            }
            start += 1
        }
        return nil
    }
}

extension Card {
    /// Whether both are equal, apart from their index.
    func isExactly(_ other: Card) -> Bool {
        var other = other
        other.index = index
        return self == other
    }
}

/// Reads the cards of a section one after the other.
package struct CardReader {
    private let section: String
    private let cards: [Card]
    private var next = 0

    package init(_ section: String, _ cards: [Card]) {
        self.section = section
        self.cards = cards
    }

    package var isAtEnd: Bool { next == cards.count }

    /// The card that was read last.
    package var gap: CardGap { .card("\(section) \(next)") }

    /// The next card, of this kind.
    mutating func read(_ kind: Card.Kind) throws(CardGap) -> Card {
        next += 1
        guard next <= cards.count, cards[next - 1].kind == kind else { throw gap }
        return cards[next - 1]
    }

    /// What `body` reads from the next card, which must be exactly the card that `card` makes of it.
    package mutating func read<T>(_ kind: Card.Kind, _ body: (Card) -> T?, as card: (T) -> Card)
        throws(CardGap) -> T
    {
        let found = try read(kind)
        guard let value = body(found), card(value).isExactly(found) else { throw gap }
        return value
    }

    /// Throws if a card is left: it would state bytes that are not there.
    package mutating func finish() throws(CardGap) {
        next += 1
        guard next > cards.count else { throw gap }
    }
}

// MARK: Networks

extension Card {
    /// A network by the name that this side knows it by, and under it by its genesis hash.
    package static func network(_ name: String, _ genesis: GenesisHash) -> [Card] {
        [
            Card(.network(name: ExactText(name), genesis)), Card(.genesisHash(genesis), indent: 1),
        ]
    }
}

extension CardReader {
    /// ``Card/network(_:_:)``, whatever the name.
    package mutating func network() throws(CardGap) -> (name: String, genesis: GenesisHash) {
        let named = try read(.network)
        let genesis = try read(
            .genesisHash, { GenesisHash(hex: $0.value) }, as: { Card(.genesisHash($0), indent: 1) })
        guard named.isExactly(Card.network(named.value, genesis)[0]) else { throw gap }
        return (named.value, genesis)
    }
}

extension CardGap: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .card(let name):
            .badInput("not-on-cards", "the cards do not show the whole payload: card \(name)")
        case .byte(let offset):
            .badInput("not-on-cards", "the cards do not show the whole payload: byte \(offset)")
        }
    }

    public static var examples: [CardGap] { [.card("method 3"), .byte(7)] }
}
