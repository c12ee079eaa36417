import Lines

/// A page fitted to a window: which rows stay on top, and which ones scroll below them.
struct PagerLayout: Sendable {
    /// One row of the window, and the line that it is a part of.
    struct Row: Sendable {
        let line: StyledLine
        /// Index among the lines of the summary and the cards.
        let source: Int
    }

    /// The smallest window: the width that lines are never wrapped below, and a few rows of cards between the
    /// others.
    static let fewestColumns = StyledLine.narrowest
    static let fewestRows = 10

    let columns: Int
    let rows: Int
    /// The lines that were laid out: the summary, then the cards.
    let lines: [StyledLine]
    /// How many of them are the summary.
    let summaryLines: Int
    /// The lines that stay on top: the summary, or its brief form if the whole is too long and scrolls with
    /// the cards. Empty if even the brief form leaves no room for cards.
    let pinned: [StyledLine]
    /// The brief form of a summary that scrolls, line by line.
    let brief: [StyledLine]
    let scrolled: [Row]
    /// How many of ``scrolled`` are the summary's.
    let scrolledSummary: Int

    /// - `block`: lines among the cards that stand on one screen, if the window is high enough.
    init(
        summary: [StyledLine], brief: [StyledLine], cards: [StyledLine], block: [StyledLine], columns: Int,
        rows: Int
    ) {
        self.columns = columns
        self.rows = rows
        lines = summary + cards
        summaryLines = summary.count
        let above = Self.rows(summary, from: 0, columns)
        let below = Self.rows(cards, from: summary.count, columns)
        // The summary, a rule and the status line leave the cards a third of the window, or what their block
        // needs where the window has that.
        let together = block.reduce(0) { $0 + $1.wrapped(to: columns).count }
        let room = rows - 2 - max(rows / 3, together < rows ? together : 0)
        if above.count <= room {
            pinned = above.map(\.line)
            self.brief = []
            scrolled = below
            scrolledSummary = 0
        } else {
            self.brief = brief
            let fitted = brief.flatMap { $0.wrapped(to: columns) }
            pinned = fitted.count <= room ? fitted : []
            scrolled = above + below
            scrolledSummary = above.count
        }
    }

    /// Too small to show anything whole.
    var isTooSmall: Bool { columns < Self.fewestColumns || rows < Self.fewestRows }
    /// Whether the whole summary is on top.
    var isPinned: Bool { scrolledSummary == 0 }

    /// Rows between the rule and what stands at the bottom.
    func height(footer: Int) -> Int { max(1, rows - footer - (pinned.isEmpty ? 0 : pinned.count + 1)) }

    func lastTop(footer: Int) -> Int { max(0, scrolled.count - height(footer: footer)) }

    /// The lines that scroll: what a search looks at.
    var scrolledLines: Range<Int> { (isPinned ? summaryLines : 0)..<lines.count }

    /// The first row of a line.
    func row(of source: Int) -> Int {
        scrolled.firstIndex { $0.source >= source } ?? max(0, scrolled.count - 1)
    }

    private static func rows(_ lines: [StyledLine], from first: Int, _ columns: Int) -> [Row] {
        var rows: [Row] = []
        for (index, line) in lines.enumerated() {
            for part in line.wrapped(to: columns) { rows.append(Row(line: part, source: first + index)) }
        }
        return rows
    }
}
