import Terminal

/// A review without a screen: everything is printed, and the question stands below the summary, where nothing has scrolled away.
struct PlainReview {
    let console: Console
    var view = CardView()

    /// The summary, then all cards.
    func print(_ page: ReviewPage) {
        page.summary.forEach(console.print)
        page.cards(view).forEach(console.print)
    }

    /// What stands right above the question.
    func repeatSummary(_ page: ReviewPage) { page.brief.forEach(console.print) }
}

/// How a review is shown.
enum ReviewDisplay {
    case screen
    case plain

    /// The one place that decides. A screen needs a person's terminal on both sides of it, a terminal that can move its cursor, and its size:
    /// a serial console tells none, unless `stty rows 24 cols 80` did, and then works like any other.
    /// - Parameters:
    ///   - plain: whether `--plain` was given.
    ///   - terminal: `$TERM`.
    ///   - size: of the terminal, nil where it says none.
    static func choose(plain: Bool, isPersonThere: Bool, terminal: String?, size: (columns: Int, rows: Int)?) -> ReviewDisplay {
        guard !plain, isPersonThere, let terminal, !["", "dumb", "unknown"].contains(terminal), let size,
            size.columns >= smallest.columns, size.rows >= smallest.rows
        else { return .plain }
        return .screen
    }

    /// A window that is smaller has no room for a summary, cards and a question.
    private static let smallest = (columns: 60, rows: 16)
}
