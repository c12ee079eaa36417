import Lines

/// What a window shows: a row for each of its rows, none wider than the window.
public struct PagerFrame: Sendable {
    /// A part of a row that looks the same throughout.
    public struct Run: Sendable {
        public let text: String
        public let style: TextStyle
        /// Whether text and background change places.
        public let isReversed: Bool

        init(_ text: String, _ style: TextStyle = .plain, isReversed: Bool = false) {
            self.text = text
            self.style = style
            self.isReversed = isReversed
        }
    }

    public internal(set) var rows: [[Run]]
    /// The column of the last row where the next typed character appears; nil while nothing is typed.
    public internal(set) var cursor: Int?

    init(rows: [[Run]], cursor: Int? = nil) {
        self.rows = rows
        self.cursor = cursor
    }

    /// The text of the rows.
    public var text: [String] { rows.map { $0.map(\.text).joined() } }
}

extension Pager {
    /// What the window shows now. Takes time for the rows that it has, not for those of the page.
    public var frame: PagerFrame {
        if layout.isTooSmall { return tooSmall }
        if case .help(let top) = mode { return help(from: top) }
        let height = layout.height(footer: footerRows)
        var rows = layout.pinned.map(Self.runs)
        if !layout.pinned.isEmpty {
            rows.append([PagerFrame.Run(String(repeating: isASCII ? "-" : "─", count: layout.columns), .dim)])
        }
        var shown = (top..<min(top + height, layout.scrolled.count)).map(scrolledRow)
        // A question stands below the summary, in short where that must do.
        if case .asking = mode, layout.pinned.isEmpty, !layout.brief.isEmpty { shown = brief(height) }
        rows += shown + Array(repeating: [], count: max(0, height - shown.count))
        let (footer, cursor) = footer
        return PagerFrame(rows: rows + footer, cursor: cursor)
    }

    /// The brief summary, as much as fits. What does not was scrolled through before.
    private func brief(_ height: Int) -> [[PagerFrame.Run]] {
        let whole = layout.brief.mostNeeded(height, columns: layout.columns)
        guard whole.hidden > 0 else { return whole.rows.map(Self.runs) }
        let kept = layout.brief.mostNeeded(height - 1, columns: layout.columns)
        let left = PagerWording.summaryAbove(kept.hidden)
        return kept.rows.map(Self.runs) + [[PagerFrame.Run(left, .warning)]]
    }

    private static func runs(_ line: StyledLine) -> [PagerFrame.Run] {
        let indent = line.indent > 0 ? [PagerFrame.Run(String(repeating: " ", count: line.indent))] : []
        return indent + line.runs.map { PagerFrame.Run($0.text, $0.style) }
    }

    /// Too small for anything: how large it must be, cut where even that does not fit.
    private var tooSmall: PagerFrame {
        var lines: [String] = []
        for word in PagerWording.tooSmall(PagerLayout.fewestColumns, PagerLayout.fewestRows) {
            if let last = lines.last, last.utf8.count + 1 + word.utf8.count <= layout.columns {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word.prefix(max(1, layout.columns))))
            }
        }
        let rows = lines.prefix(layout.rows).map { [PagerFrame.Run($0, .warning)] }
        return PagerFrame(rows: rows + Array(repeating: [], count: max(0, layout.rows - rows.count)))
    }

    // MARK: Matches

    /// A row with the text that was searched for reversed.
    private func scrolledRow(_ index: Int) -> [PagerFrame.Run] {
        let row = layout.scrolled[index]
        guard let search else { return Self.runs(row.line) }
        let matches = search.matches(in: PagerSearch.scalars(layout.lines[row.source]))
        guard !matches.isEmpty else { return Self.runs(row.line) }
        var first = index
        while first > 0, layout.scrolled[first - 1].source == row.source { first -= 1 }
        let count = layout.scrolled[first...].prefix { $0.source == row.source }.count
        let part = layout.part(index, first: first, count: count)
        // What the wrapping put before the text.
        let before = PagerSearch.scalars(row.line).count - part.count
        let reversed = matches.map { $0.clamped(to: part) }.filter { !$0.isEmpty }.map {
            before + $0.lowerBound - part.lowerBound..<before + $0.upperBound - part.lowerBound
        }
        var position = 0
        var runs = row.line.indent > 0 ? [PagerFrame.Run(String(repeating: " ", count: row.line.indent))] : []
        for run in row.line.runs {
            for scalar in run.text.unicodeScalars {
                let isReversed = reversed.contains { $0.contains(position) }
                if let last = runs.last, position > 0, last.style == run.style, last.isReversed == isReversed
                {
                    runs[runs.count - 1] = PagerFrame.Run(
                        last.text + String(scalar), run.style, isReversed: isReversed)
                } else {
                    runs.append(PagerFrame.Run(String(scalar), run.style, isReversed: isReversed))
                }
                position += 1
            }
        }
        return runs
    }
}

extension [StyledLine] {
    /// The lines of a summary that fit, in the order of the summary. Room goes first to dangers and errors,
    /// then to the amount and the destination, to warnings, to what is done and a tip, to further
    /// destinations, to who signs, then to the rest. Of the warnings the last ones stay, because those about
    /// the whole review come last.
    ///
    /// Whoever fills a summary with warnings pushes no amount and no destination away. They need few rows, so
    /// that where all of this fits none of it is hidden in favour of a sentence that every review has.
    ///
    /// A line stays with all its rows or goes, because half of a fact reads as another fact. If what comes
    /// before the rest does not fit, each of its lines but the warnings keeps two rows, enough for an address,
    /// with a mark behind them. Dangers that do not fit are cut at the end.
    /// - Parameters:
    ///   - room: in rows.
    ///   - columns: of the window.
    /// - Returns: the rows, and how many are left out.
    func mostNeeded(_ room: Int, columns: Int) -> (rows: [StyledLine], hidden: Int) {
        var fitted = map { $0.wrapped(to: columns) }
        let count = fitted.reduce(0) { $0 + $1.count }
        func those(_ belong: (StyledLine) -> Bool) -> [Int] { indices.filter { belong(self[$0]) } }
        let dangers = those { $0.isDanger }
        let compared = those { !$0.isDanger && $0.need == .compared }
        let named = those { !$0.isDanger && $0.need == .named }
        let warnings = those { $0.warns && !$0.isDanger && $0.need < .named }
        func others(_ need: StyledLine.Need) -> [Int] { those { !$0.warns && $0.need == need } }
        let further = others(.listed) + others(.signer)
        if (dangers + compared + warnings + named + further).reduce(0, { $0 + fitted[$1].count }) > room {
            for index in compared + named + further {
                fitted[index] = Self.abridged(fitted[index], columns: columns)
            }
        }
        // A tip before what is done, which total and destination say in part.
        let order =
            dangers + compared + warnings.reversed() + named.reversed() + further
            + others(.act) + others(.usual)
        var left = room
        var kept: [Int: [StyledLine]] = [:]
        for index in order {
            let rows = self[index].isDanger ? fitted[index].prefix(left) : fitted[index][...]
            guard rows.count <= left, !rows.isEmpty else { continue }
            kept[index] = Array(rows)
            left -= rows.count
        }
        return (indices.flatMap { kept[$0] ?? [] }, count - (room - left))
    }

    /// Two rows, with a mark where there are more. Words behind an address or an amount make room for it.
    private static func abridged(_ rows: [StyledLine], columns: Int) -> [StyledLine] {
        let sign = "..."
        guard rows.count > 2 else { return rows }
        var last = rows[1]
        func width() -> Int {
            last.text.unicodeScalars.reduce(sign.utf8.count) { $0 + StyledLine.columns($1) }
        }
        while width() > columns, let run = last.runs.popLast() {
            guard run.style != .account, run.style != .ownAccount, run.style != .amount else { return rows }
            let words = run.text.unicodeScalars.split(separator: " ").dropLast()
            guard !words.isEmpty else { continue }
            let blank = run.text.unicodeScalars.first == " " ? " " : ""
            let kept = blank + words.map { String(Substring($0)) + " " }.joined()
            last.runs.append(StyledLine.Run(kept, run.style))
        }
        last.runs.append(StyledLine.Run(sign, .dim))
        return [rows[0], last]
    }
}
