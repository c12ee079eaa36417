import Lines

/// The review of a page in a window, as a machine without a terminal: keys and sizes go in, a `Frame` and at
/// last an ``Outcome`` come out.
///
/// The summary stays on top. Where the window is too low for that it scrolls before the cards, and nothing
/// behind its rows that were not shown yet can be reached but by them. The question comes when a person moved
/// to the end of the cards, row by row, by pages, or by a key that means the end; neither another size nor
/// another view of the cards counts as that, nor does a search.
public struct Pager: Sendable {
    /// How the review ended.
    public enum Outcome: Sendable, Equatable {
        case confirmed
        /// A person's no.
        case refused
        /// Ctrl-C.
        case interrupted
    }

    /// What keys do now.
    enum Mode: Sendable {
        case reading
        /// The text that is searched for, as far as it is typed.
        case searching(String)
        /// The answer as far as it is typed.
        case asking(String)
        /// From this row of the help.
        case help(top: Int)
    }

    public private(set) var outcome: Outcome?
    let page: ReviewPage
    /// Whether only ASCII may be shown.
    let isASCII: Bool
    /// Notes on the whole review, at the right end of the status line.
    let notes: [StyledLine.Run]

    private(set) var view: CardView
    var layout: PagerLayout
    var mode = Mode.reading
    /// The first scrolled row that is shown.
    private(set) var top = 0
    /// How many rows of a scrolled summary were shown, from its first.
    private(set) var summaryShown = 0
    /// How many whole lines of the summary were shown in earlier layouts.
    private var summaryLinesShown = 0
    /// Whether a person moved to the end of the cards.
    private(set) var hasReachedEnd = false
    var search: PagerSearch?
    /// Said in the status line until the next key.
    var message: String?

    /// - `view`: of the cards, until a key switches it.
    /// - `isASCII`: escapes every other character, for a terminal that has only these.
    /// - `notes`: one or two words each.
    public init(
        _ page: ReviewPage, columns: Int, rows: Int, view: CardView = CardView(), isASCII: Bool = false,
        notes: [StyledLine.Run] = []
    ) {
        self.page = page
        self.view = view
        self.isASCII = isASCII
        self.notes = notes
        layout = PagerLayout(summary: [], brief: [], cards: [], block: [], columns: columns, rows: rows)
        layout = laidOut(columns: columns, rows: rows)
        noteWhatIsShown()
        // All of it is on the first screen.
        hasReachedEnd = isAtEnd && summaryIsShown && !layout.isTooSmall
    }

    // MARK: Keys

    /// - Returns: whether the question has just been opened: keys that were pressed before are not an answer
    ///   to it.
    public mutating func press(_ key: Key) -> Bool {
        message = nil
        if key.interrupts {
            outcome = .interrupted
            return false
        }
        // Nothing is shown, so nothing can be read or answered.
        if layout.isTooSmall {
            if key == .escape || key == .character("q") { outcome = .refused }
            return false
        }
        switch mode {
        case .reading: return read(key)
        case .searching(let text): typeSearch(key, text)
        case .asking(let text): return answer(key, text)
        case .help(let top): turnHelp(key, top)
        }
        return false
    }

    private mutating func read(_ key: Key) -> Bool {
        // Whoever goes on at the end means the question.
        if isAtEnd, mayAsk, key == .enter || key.move(whileTyping: false) == .pageDown {
            mode = .asking("")
            // The question takes rows from the cards: their end stays above it.
            top = layout.lastTop(footer: footerRows)
            return true
        }
        if let move = key.move(whileTyping: false) {
            go(move)
            return false
        }
        switch key {
        case .enter: go(.lineDown)
        case .escape, .character("q"): outcome = .refused
        case .character("/"): mode = .searching("")
        case .character("n"): find(forward: true)
        case .character("N"): find(forward: false)
        case .character("a"): show(CardView(amounts: view.amounts.next, docs: view.docs))
        case .character("d"): show(CardView(amounts: view.amounts, docs: !view.docs))
        case .character("?"), .character("h"): mode = .help(top: 0)
        case .character, .backspace, .other, .up, .down, .pageUp, .pageDown, .home, .end: break
        }
        return false
    }

    private mutating func answer(_ key: Key, _ text: String) -> Bool {
        if key.move(whileTyping: true) != nil {
            mode = .reading
            return read(key)
        }
        switch key {
        case .escape: outcome = .refused
        case .enter:
            switch page.question.reading(text) {
            case true?: outcome = .confirmed
            case false?: outcome = .refused
            case nil:
                mode = .asking("")
                message = PagerWording.unclear(page.question)
            }
        case .character, .backspace, .other, .up, .down, .pageUp, .pageDown, .home, .end:
            mode = .asking(Self.edited(text, key))
        }
        return false
    }

    private mutating func turnHelp(_ key: Key, _ top: Int) {
        let height = layout.rows - 1
        guard key.move(whileTyping: false) == .pageDown, top + height < helpRows.count else {
            mode = .reading
            return
        }
        mode = .help(top: top + height)
    }

    /// A typed text after one more key.
    static func edited(_ text: String, _ key: Key) -> String {
        var scalars = text.unicodeScalars
        switch key {
        case .backspace: _ = scalars.popLast()
        // Ctrl-U
        case .character("\u{15}"): return ""
        case .character(let scalar)
        where scalar.value >= 0x20 && scalar.value != 0x7f && scalars.count < longestTyped:
            scalars.append(scalar)
        default: break
        }
        return String(scalars)
    }

    private static let longestTyped = 200

    // MARK: Moving

    private mutating func go(_ move: Move) {
        let height = layout.height(footer: footerRows)
        switch move {
        case .lineUp: scroll(to: top - 1)
        case .lineDown: scroll(to: top + 1)
        case .pageUp: scroll(to: top - height)
        case .pageDown: scroll(to: top + height)
        case .top: scroll(to: 0)
        case .bottom: scroll(to: layout.scrolled.count)
        }
        switch move {
        case .lineDown, .pageDown, .bottom:
            if isAtEnd, summaryIsShown { hasReachedEnd = true }
        case .lineUp, .pageUp, .top: break
        }
    }

    /// No key leads past rows of the summary that were not shown.
    private mutating func scroll(to row: Int) {
        var row = min(max(0, row), layout.lastTop(footer: footerRows))
        if !summaryIsShown, row > summaryShown {
            row = summaryShown
            message = PagerWording.summaryFirst
        }
        top = min(row, layout.lastTop(footer: footerRows))
        noteWhatIsShown()
    }

    /// Shows a row that was searched for, wherever it is.
    mutating func jump(to row: Int) { scroll(to: row) }

    private mutating func noteWhatIsShown() {
        guard !layout.isTooSmall, top <= summaryShown else { return }
        summaryShown = max(summaryShown, min(layout.scrolledSummary, top + layout.height(footer: footerRows)))
    }

    var summaryIsShown: Bool { summaryShown >= layout.scrolledSummary }
    var isAtEnd: Bool { top >= layout.lastTop(footer: footerRows) }
    /// Whether the question may be opened.
    var mayAsk: Bool { hasReachedEnd && summaryIsShown && !layout.isTooSmall }

    // MARK: Laying out

    public var size: (columns: Int, rows: Int) { (layout.columns, layout.rows) }

    /// Fits the page to another size of the window.
    public mutating func resize(columns: Int, rows: Int) {
        guard columns != layout.columns || rows != layout.rows else { return }
        relayOut(view, columns: columns, rows: rows)
    }

    private mutating func show(_ view: CardView) {
        relayOut(view, columns: layout.columns, rows: layout.rows)
    }

    /// Keeps the top line in place, and the shown part of the summary. It does not change whether the end was
    /// reached.
    private mutating func relayOut(_ view: CardView, columns: Int, rows: Int) {
        let old = layout
        let source = old.scrolled.indices.contains(top) ? old.scrolled[top].source : 0
        // A window that had room for all of a summary may have stood for a moment only: nobody passed its
        // rows there.
        if !old.isTooSmall, !old.isPinned { summaryLinesShown = max(summaryLinesShown, linesShown(old)) }
        self.view = view
        layout = laidOut(columns: columns, rows: rows)
        summaryShown =
            layout.isPinned
            ? 0 : min(layout.scrolledSummary, layout.scrolled.prefix { $0.source < summaryLinesShown }.count)
        top = min(layout.row(of: line(source, of: old)), layout.lastTop(footer: footerRows))
        if !summaryIsShown { top = min(top, summaryShown) }
        if case .asking = mode, !mayAsk { mode = .reading }
        if case .help = mode { mode = .help(top: 0) }
        search?.forget()
    }

    /// How many lines of a scrolled summary were shown whole.
    private func linesShown(_ layout: PagerLayout) -> Int {
        guard layout.scrolled.indices.contains(summaryShown) else { return layout.summaryLines }
        return min(layout.scrolled[summaryShown].source, layout.summaryLines)
    }

    /// The index in this layout of a line of an earlier one. Views differ in how they print amounts, which
    /// keeps the number of lines, and in docs, which adds lines in between.
    private func line(_ source: Int, of old: PagerLayout) -> Int {
        guard old.lines.count != layout.lines.count else { return source }
        var source = min(source, old.lines.count - 1)
        while source >= old.summaryLines {
            let wanted = old.lines[source]
            let number = old.lines[..<source].count { $0 == wanted }
            var seen = 0
            for (index, line) in layout.lines.enumerated() where line == wanted {
                if seen == number { return index }
                seen += 1
            }
            source -= 1
        }
        return max(0, source)
    }

    private func laidOut(columns: Int, rows: Int) -> PagerLayout {
        func shown(_ lines: [StyledLine]) -> [StyledLine] { isASCII ? lines.map(\.inASCII) : lines }
        return PagerLayout(
            summary: shown(page.summary), brief: shown(page.brief), cards: shown(page.cards(view)),
            block: shown(page.block(view)), columns: columns, rows: rows)
    }
}

extension CardView.Amounts {
    /// The next form, the first after the last.
    var next: Self {
        switch self {
        case .plain: .prefixed
        case .prefixed: .raw
        case .raw: .plain
        }
    }
}

extension StyledLine {
    /// Every other character as `\u{…}`, which ``Escape`` writes for what it does not print.
    var inASCII: StyledLine {
        if runs.allSatisfy({ $0.text.utf8.allSatisfy { $0 < 0x80 } }) { return self }
        var line = StyledLine(indent: indent, runs.map { Run(Escape.nonASCII($0.text), $0.style) })
        line.need = need
        return line
    }
}

// MARK: Rows

extension Pager {
    /// How many rows stand at the bottom.
    var footerRows: Int {
        switch mode {
        case .reading, .searching, .help: 1
        case .asking: question.count + 1
        }
    }

    /// The question and what answers it, which stands out after an answer that was neither.
    var question: [StyledLine] {
        let line = StyledLine([
            .init(page.question.text + "  ", .heading),
            .init(message ?? page.question.expectation, message == nil ? .plain : .warning),
        ])
        return (isASCII ? line.inASCII : line).wrapped(to: layout.columns)
    }

    var helpRows: [String] { PagerWording.help }
}
