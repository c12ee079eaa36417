import Diagnostics
import GroupReview
import Lines
import Review

/// The summary right above a question. It is short enough for a screen of 24 rows, together with the
/// warnings.
extension SummaryLines {
    /// How much of each list stands in a summary.
    package struct Bound {
        /// Entries of a list, the line that says how many more there are included; never less than one and
        /// that line.
        let entries: Int
        /// The largest number of recipients listed; the others are only counted.
        let recipients: Int
        /// Rows of one entry.
        let rows: Int
    }

    /// From the most to the least that is said. Addresses go last: they are what a person compares.
    private static let bounds = [
        Bound(entries: 3, recipients: 4, rows: 4), Bound(entries: 3, recipients: 4, rows: 2),
        Bound(entries: 2, recipients: 4, rows: 2), Bound(entries: 1, recipients: 4, rows: 2),
        Bound(entries: 1, recipients: 4, rows: 1), Bound(entries: 1, recipients: 2, rows: 1),
        Bound(entries: 1, recipients: 1, rows: 1),
    ]

    /// Warnings that are listed.
    static let warningLimit = 5
    /// Rows of a warning, whatever it quotes.
    static let warningRows = 3
    /// Rows beside those of warnings.
    static let briefRows = 18
    static let briefColumns = 80

    /// - Parameter head: stands above it.
    static func brief(_ summary: ReviewSummary, head: [StyledLine] = []) -> [StyledLine] {
        let forms = bounds.lazy.map { head + SummaryLines(summary: summary, bound: $0).lines }
        return forms.first { rows($0) <= briefRows } ?? forms[bounds.count - 1]
    }

    /// Rows of lines that do not warn.
    static func rows(_ lines: [StyledLine]) -> Int {
        lines.reduce(0) { $0 + ($1.warns ? 0 : $1.wrapped(to: briefColumns).count) }
    }
}

extension StyledLine {
    /// The start of a line, with a sign that it goes on and how much is missing.
    func shortened(to bound: SummaryLines.Bound) -> StyledLine {
        shortened(toRows: warns ? SummaryLines.warningRows : bound.rows)
    }

    func shortened(toRows limit: Int) -> StyledLine {
        guard wrapped(to: SummaryLines.briefColumns).count > limit else { return self }
        // The sign and the space before it have room in the last row.
        let rows = wrapped(to: SummaryLines.briefColumns - Self.signWidth).prefix(limit)
        let kept = rows.enumerated().flatMap { index, row in
            index == 0 ? row.runs[...] : row.runs.dropFirst()
        }
        func length(_ runs: [Run]) -> Int { runs.reduce(0) { $0 + $1.text.utf8.count } }
        let sign = Run(" ... \(Self.size(length(runs) - length(kept))) more", warns ? .warning : .dim)
        var line = StyledLine(indent: indent, kept + [sign])
        line.need = need
        return line
    }

    /// What is missing, in bytes of the text as it would be shown: a window of another width has other rows.
    /// No more than ten columns.
    private static func size(_ bytes: Int) -> String {
        bytes < 10_000 ? Sentence.count(bytes, "byte") : "\(bytes >> 10) KiB"
    }

    /// Columns for ` ... 1234 bytes more`. An address behind the name of its line has room beside it.
    private static let signWidth = 20
}
