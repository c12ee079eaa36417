import Cards
import Terminal

/// Cards that were not printed, because a screen shows them together with the question.
final class HeldCards {
    var items: [ReviewDocument.Item] = []
    var isNumbered = true
    var wereReviewed = false

    func page(_ question: String) -> ReviewPage {
        let items = items.map(\.cards)
        let summary = items.flatMap { cards in
            Self.lines([("Signer", cards.author), ("Warnings", cards.warning), ("Errors", cards.error)])
        }
        return ReviewPage(summary: summary, question: ReviewQuestion(question)) { _ in
            items.flatMap { cards in
                Self.lines([
                    ("Call", cards.method), ("Extensions", cards.extensions), ("Message", cards.message), ("Verifier", cards.verifier),
                    ("Metadata", cards.metadata), ("Types", cards.types), ("Network specs", cards.newSpecs), ("Network", cards.network),
                    ("Derivations", cards.derivations),
                ])
            }
        }
    }

    private static func lines(_ sections: [(String, [Card])]) -> [StyledLine] {
        var lines: [StyledLine] = []
        for (heading, cards) in sections where !cards.isEmpty {
            lines.append(StyledLine(heading, .heading))
            for card in cards { lines.append(StyledLine(indent: 2 * card.indent + 2, CardLine(card).line)) }
        }
        return lines
    }
}
