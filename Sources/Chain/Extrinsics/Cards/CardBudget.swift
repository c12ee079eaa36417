import Cards

/// Limits of what one payload may show, all transactions of a bulk together. No real payload comes near them.
///
/// They grow with the payload, so that a few hundred bytes whose types repeat themselves cost little: a card
/// of a real transaction states more than one byte on average, and its text, docs included, is less than 64
/// bytes for each byte beyond what every payload may show.
public enum CardLimits {
    public static let count = 1 << 16
    /// Bytes of text on all cards, fields included: types with long names would otherwise fill memory.
    public static let text = 1 << 23

    static func count(payload bytes: Int) -> Int { min(count, 1 << 13 + bytes) }

    static func text(payload bytes: Int) -> Int { min(text, 1 << 21 + 64 * min(bytes, text)) }
}

/// How much more may be shown.
public struct CardBudget: Sendable {
    private var cards: Int
    private var text: Int

    /// - Parameter bytes: of the payload.
    public init(payload bytes: Int) {
        cards = CardLimits.count(payload: bytes)
        text = CardLimits.text(payload: bytes)
    }

    /// Whether the limit is exceeded. Then no more cards are added, and the payload is refused.
    public var isSpent: Bool { cards < 0 || text < 0 }

    /// Counts a card, whether or not there is room for it.
    public mutating func spend(on card: Card) {
        cards -= 1
        text -= card.textLength
    }
}
