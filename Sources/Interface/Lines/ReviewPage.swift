import Cards

/// How cards are shown: what a key, or an option, switches.
public struct CardView: Sendable, Equatable {
    /// How amounts are written.
    public enum Amounts: Sendable, CaseIterable {
        /// `1,234.5678901234 DOT`
        case plain
        /// The reference's form, `100.000000000 mWND`.
        case prefixed
        /// The integer in the smallest unit.
        case raw
    }

    public var amounts: Amounts
    /// Whether the docs of pallets, calls and fields stand below them.
    public var docs: Bool

    public init(amounts: Amounts = .plain, docs: Bool = false) {
        self.amounts = amounts
        self.docs = docs
    }
}

/// What a person must see before answering a question: the summary, which stays on top, the cards, and the
/// question. It can be shown on the full screen or printed.
public struct ReviewPage: Sendable {
    /// Who signs, for which network, what it does, totals, recipients, limits, warnings: the whole summary,
    /// most important first. None of it may be left out.
    public let summary: [StyledLine]
    /// The summary right above a question: the same, but a long list is replaced by its count.
    public let brief: [StyledLine]
    /// The cards.
    public let cards: @Sendable (CardView) -> [StyledLine]
    /// Lines among the cards that say together what none of them says alone: one screen shows all of them, if
    /// it is high enough.
    public let block: @Sendable (CardView) -> [StyledLine]
    public let question: ReviewQuestion

    /// - `brief`: nil where the summary is short.
    public init(
        summary: [StyledLine], brief: [StyledLine]? = nil, question: ReviewQuestion,
        block: @escaping @Sendable (CardView) -> [StyledLine] = { _ in [] },
        cards: @escaping @Sendable (CardView) -> [StyledLine]
    ) {
        self.block = block
        self.summary = summary
        self.brief = brief ?? summary
        self.question = question
        self.cards = cards
    }
}

/// The question at the end of a review.
public struct ReviewQuestion: Sendable, Equatable {
    /// Such as `Sign this?`.
    public let text: String
    /// What must be typed instead of `y` or `yes`, such as `transfer all`; nil for an ordinary one.
    public let word: String?

    public init(_ text: String, word: String? = nil) {
        self.text = text
        self.word = word
    }
}

/// A card as both programs print it: on a line of its own, behind the names that lead to it.
public struct CardRow: Sendable {
    /// In columns.
    public let indent: Int
    /// The names before the card, each with a blank behind it; safe for a terminal.
    public let names: String
    /// The card's label and value.
    public let line: CardLine
    /// The card that the line ends with, and before it those that gave it names.
    public let cards: [Card]

    /// The row as plain text.
    public var text: String { String(repeating: " ", count: indent) + StyledLine.unmarked(names + line.line) }

    /// The rows of cards, in their order.
    public static func rows(_ cards: [Card], amounts: CardView.Amounts = CardView().amounts) -> [CardRow] {
        var rest = cards[...]
        var rows: [CardRow] = []
        while let chain = chain(&rest) { rows.append(CardRow(chain, amounts)) }
        return rows
    }

    private init(_ chain: [Card], _ amounts: CardView.Amounts) {
        cards = chain
        indent = 2 * (chain[0].indent + 1)
        // Names have no label and no space, so a run of them reads in one way only.
        names = chain.dropLast().map { CardLine($0).text + " " }.joined()
        // A line break inside a value stays escaped: a second line could be made to look like a card.
        line = CardLine(chain.last!, amounts: amounts)
    }

    /// The next card, and with a name the values that stand alone below it: `dest Id 5FHn…` reads better on
    /// one line than on three.
    private static func chain(_ rest: inout ArraySlice<Card>) -> [Card]? {
        guard let first = rest.popFirst() else { return nil }
        var chain = [first]
        while joins(chain.last!.kind), let next = rest.first, next.indent == chain.last!.indent + 1,
            next.kind != .notice,
            !opensBlock(next.kind)
        {
            // Only up to the next card of the same depth: looking at all that follow would take quadratic
            // time.
            let sibling = rest.dropFirst().first { $0.indent <= next.indent }
            guard sibling?.indent != next.indent else { break }
            chain.append(rest.removeFirst())
        }
        return chain
    }

    private static func joins(_ kind: Card.Kind) -> Bool {
        [.fieldName, .fieldNumber, .enumVariant].contains(kind)
    }
    private static func opensBlock(_ kind: Card.Kind) -> Bool {
        [.pallet, .call, .fieldName, .fieldNumber].contains(kind)
    }
}
