import Cards
import Lines
import Review
import TerminalIO

extension ReviewPage {
    /// The page of a payload.
    ///
    /// Proven facts stand below the cards of their transaction, and claims below the facts. No summary
    /// contains them.
    /// - Parameters:
    ///   - isNumbered: whether several items are several acts, each with its number and its own summary above
    ///     its cards.
    ///   - isAct: whether a yes does what the items say, so that it needs their word.
    package init(
        _ items: [ReviewDocument.Item], isNumbered: Bool, question: ReviewQuestion, isAct: Bool = true
    ) {
        let parts = items.map { (summary: $0.reviewed, cards: $0.cards, state: $0.state, claims: $0.claims) }
        let whole = parts.count == 1 ? parts[0].summary : ReviewSummary(whole: parts.map(\.summary))
        let head =
            parts.count > 1 && isNumbered ? [StyledLine(indent: 2, Wording.whole(parts.count), .heading)] : []
        let full = SummaryLines(summary: whole).lines
        let brief = SummaryLines.brief(whole, head: head)
        /// What is proven, with the condition that holds for all of it in the last line.
        @Sendable func facts(
            _ state: (review: StateReview, time: UInt64)?, _ view: CardView
        ) -> [StyledLine] {
            state.map { StateLines(state: $0.review, view: view, time: $0.time).lines } ?? []
        }
        self.init(
            summary: head + full, brief: brief,
            question: ReviewQuestion(question.text, word: question.word ?? (isAct ? whole.word?.text : nil)),
            block: { view in parts.map { facts($0.state, view) }.max { $0.count < $1.count } ?? [] }
        ) { view in
            parts.enumerated().flatMap { index, part -> [StyledLine] in
                let cards =
                    CardLines(view: view).lines(part.cards)
                    + facts(part.state, view)
                    + (part.claims.map { ClaimLines(claims: $0, view: view).lines } ?? [])
                guard parts.count > 1, isNumbered else { return cards }
                return [StyledLine(Wording.part(index + 1, of: parts.count), .heading)]
                    + SummaryLines(summary: part.summary).lines + cards
            }
        }
    }
}
