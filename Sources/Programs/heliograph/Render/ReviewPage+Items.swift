import Cards
import Review
import Terminal

extension ReviewPage {
    /// The page of a payload.
    /// - Parameters:
    ///   - summary: of the whole.
    ///   - items: each with its heading if it has one, its own summary if there are several, and its cards.
    init(_ items: [ReviewDocument.Item], isNumbered: Bool, question: ReviewQuestion) {
        let parts = items.map { (summary: $0.reviewed, cards: $0.cards) }
        let whole = parts.count == 1 ? parts[0].summary : ReviewSummary(whole: parts.map(\.summary))
        let head = parts.count > 1 && isNumbered ? [StyledLine(Wording.whole(parts.count), .heading)] : []
        let full = SummaryLines(summary: whole).lines
        let brief = SummaryLines(summary: whole, recipientLimit: SummaryLines.briefRecipients).lines
        self.init(
            summary: head + full, brief: head + brief, question: ReviewQuestion(question.text, word: question.word ?? whole.word?.text)
        ) { view in
            parts.enumerated().flatMap { index, part -> [StyledLine] in
                let several = parts.count > 1
                let number = several && isNumbered ? [StyledLine(Wording.part(index + 1, of: parts.count), .heading)] : []
                return number + (several ? SummaryLines(summary: part.summary).lines : []) + CardLines(view: view).lines(part.cards)
            }
        }
    }
}
