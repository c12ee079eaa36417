import Lines

/// What stands at the bottom: the status line, a text that is typed, or the question.
extension Pager {
    /// The rows, and the column of the cursor in the last one.
    var footer: (rows: [[PagerFrame.Run]], cursor: Int?) {
        switch mode {
        case .reading, .help: return ([status], nil)
        case .searching(let text):
            let row = typed("/", text)
            return ([row.runs], row.cursor)
        case .asking(let text):
            let row = typed("> ", text)
            return (
                question.map { line in line.runs.map { PagerFrame.Run($0.text, $0.style) } } + [row.runs],
                row.cursor
            )
        }
    }

    /// The end of a typed text, as much as fits.
    private func typed(_ sign: String, _ text: String) -> (runs: [PagerFrame.Run], cursor: Int) {
        // One column is left for the cursor.
        let room = layout.columns - sign.utf8.count - 1
        var scalars = Array(Escape.terminal(text).unicodeScalars.map { isASCII && !$0.isASCII ? "?" : $0 })
        while scalars.reduce(0, { $0 + StyledLine.columns($1) }) > room { scalars.removeFirst() }
        let width = scalars.reduce(0) { $0 + StyledLine.columns($1) }
        return (
            [.init(sign, .heading), .init(String(String.UnicodeScalarView(scalars)))], sign.utf8.count + width
        )
    }

    // MARK: Status

    /// Where one is, the keys that fit, and what is true of the whole review, from edge to edge.
    private var status: [PagerFrame.Run] {
        let columns = layout.columns
        var row = [PagerFrame.Run(position, .heading, isReversed: true)]
        var width = position.utf8.count
        let right = notes.flatMap {
            [
                PagerFrame.Run("  ", .plain, isReversed: true),
                PagerFrame.Run($0.text, $0.style, isReversed: true),
            ]
        }
        let rightWidth = right.reduce(0) { $0 + $1.text.utf8.count }
        func add(_ text: String, _ style: TextStyle) {
            guard width + 2 + text.utf8.count + rightWidth <= columns else { return }
            row.append(PagerFrame.Run("  " + text, style, isReversed: true))
            width += 2 + text.utf8.count
        }
        if let message {
            add(
                String(
                    decoding: Escape.nonASCII(message).utf8.prefix(max(0, columns - width - rightWidth - 2)),
                    as: UTF8.self), .warning)
        } else {
            // What leads on is said even beside long notes.
            if isAtEnd, mayAsk {
                let before = width
                add(PagerWording.toQuestion, .warning)
                if width == before { add(PagerWording.toQuestionInShort, .warning) }
            }
            for hint in PagerWording.keys(view, goesOn: !(isAtEnd && mayAsk)) { add(hint, .plain) }
        }
        guard width + rightWidth <= columns else { return row }
        return row + [
            PagerFrame.Run(
                String(repeating: " ", count: columns - width - rightWidth), .plain, isReversed: true)
        ] + right
    }

    private var position: String {
        if !summaryIsShown { return PagerWording.moreSummary(summaryLinesLeft) }
        let height = layout.height(footer: footerRows)
        let pages = 1 + (max(0, layout.scrolled.count - height) + height - 1) / height
        return PagerWording.page(isAtEnd ? pages : min(pages, 1 + top / height), of: pages)
    }

    /// Rows of the summary that were not shown yet.
    private var summaryLinesLeft: Int { layout.scrolledSummary - summaryShown }

    // MARK: Help

    func help(from top: Int) -> PagerFrame {
        let height = layout.rows - 1
        let rows = helpRows.dropFirst(top).prefix(height).map { [PagerFrame.Run($0)] }
        let isLast = top + height >= helpRows.count
        let status = [
            PagerFrame.Run(isLast ? PagerWording.anyKey : PagerWording.moreHelp, .heading, isReversed: true)
        ]
        return PagerFrame(rows: rows + Array(repeating: [], count: max(0, height - rows.count)) + [status])
    }
}
