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

/// What a person must be shown before a question: the summary that stays, the cards, the question. A full
/// screen and a plain print both take it.
public struct ReviewPage: Sendable {
    /// Who signs, for which network, what it does, totals, recipients, limits, warnings: the whole summary,
    /// most important first. None of it may be left out.
    public let summary: [StyledLine]
    /// The summary for the place right above a question: the same, but where a list is long it says how many
    /// there are instead of each.
    public let brief: [StyledLine]
    /// The cards.
    public let cards: @Sendable (CardView) -> [StyledLine]
    public let question: ReviewQuestion

    /// - `brief`: nil where the summary is short.
    public init(
        summary: [StyledLine], brief: [StyledLine]? = nil, question: ReviewQuestion,
        cards: @escaping @Sendable (CardView) -> [StyledLine]
    ) {
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
