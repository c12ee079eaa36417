import Lines
import SystemIO

/// A review without a screen. Everything is printed, and the summary is printed again right above the
/// question, so that it has not scrolled away.
package struct PlainReview {
    let console: Console
    var view = CardView()

    package init(console: Console, view: CardView = CardView()) {
        (self.console, self.view) = (console, view)
    }

    /// The summary, then all cards.
    package func print(_ page: ReviewPage) {
        console.print(Self.heading)
        page.summary.forEach(console.print)
        page.cards(view).forEach(console.print)
    }

    /// What stands right above the question.
    package func repeatSummary(_ page: ReviewPage) {
        console.print(Self.heading)
        page.brief.forEach(console.print)
    }

    private static let heading = StyledLine("Summary", .heading)
}

extension Console {
    /// A question on a line of its own.
    package func confirm(_ question: ReviewQuestion) throws(CommandError) -> Bool {
        guard let word = question.word else { return try confirm(question.text) }
        return try confirm(question.text, word: word)
    }
}

extension PlainReview {
    /// Whether a review is printed instead of shown on the whole terminal: on request, or because the
    /// terminal cannot place text (`TERM` is unset, `dumb` or unknown) or has no size. A serial console has
    /// no size until `stty rows 24 cols 80` sets one.
    package static func isNeeded(_ console: Console, asksForIt: Bool) -> Bool {
        guard !asksForIt, let terminal = console.terminal, TerminalSize.read(terminal) != nil else {
            return true
        }
        return !ReviewScreen.isPossible(console)
    }
}
