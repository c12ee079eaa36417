import Lines

/// A text that is searched for in the lines of a page.
struct PagerSearch: Sendable {
    let text: String
    /// ASCII letters count in either case.
    private let wanted: [UInt32]
    /// The line of the last match.
    private(set) var line: Int?

    init(_ text: String) {
        self.text = text
        wanted = Self.folded(text.unicodeScalars)
    }

    /// After another layout, whose lines have other numbers.
    mutating func forget() { line = nil }

    /// The next line with a match, starting after the last match, or at `first` if there was none. The search
    /// wraps around.
    mutating func next(in lines: [StyledLine], _ range: Range<Int>, from first: Int, forward: Bool) -> (
        line: Int, isAround: Bool
    )? {
        let count = range.count
        let start = (line.map { $0 + (forward ? 1 : -1) } ?? first) - range.lowerBound
        for step in 0..<count {
            let index = forward ? start + step : start - step
            let wrapped = ((index % count) + count) % count
            guard !matches(in: Self.scalars(lines[range.lowerBound + wrapped])).isEmpty else { continue }
            line = range.lowerBound + wrapped
            return (range.lowerBound + wrapped, wrapped != index)
        }
        return nil
    }

    /// Where the text is in a sequence of scalars.
    func matches(in scalars: [Unicode.Scalar]) -> [Range<Int>] {
        guard !wanted.isEmpty, scalars.count >= wanted.count else { return [] }
        let text = Self.folded(scalars)
        var found: [Range<Int>] = []
        var index = 0
        while index + wanted.count <= text.count {
            if text[index] == wanted[0], text[index..<index + wanted.count].elementsEqual(wanted) {
                found.append(index..<index + wanted.count)
                index += wanted.count
            } else {
                index += 1
            }
        }
        return found
    }

    static func scalars(_ line: StyledLine) -> [Unicode.Scalar] { line.runs.flatMap(\.text.unicodeScalars) }

    private static func folded(_ scalars: some Sequence<Unicode.Scalar>) -> [UInt32] {
        scalars.map { (0x41...0x5a).contains($0.value) ? $0.value + 0x20 : $0.value }
    }
}

extension Pager {
    mutating func typeSearch(_ key: Key, _ text: String) {
        switch key {
        case .escape: mode = .reading
        case .enter:
            mode = .reading
            if !text.utf8.isEmpty { search = PagerSearch(text) }
            find(forward: true)
        case .backspace where text.utf8.isEmpty: mode = .reading
        default: mode = .searching(Self.edited(text, key))
        }
    }

    /// Shows the next match: where it starts, because a long line may have it far from its own start.
    mutating func find(forward: Bool) {
        guard var search else {
            message = PagerWording.nothingToFind
            return
        }
        let first = layout.scrolled.indices.contains(top) ? layout.scrolled[top].source : 0
        let found = search.next(in: layout.lines, layout.scrolledLines, from: first, forward: forward)
        self.search = search
        guard let found else {
            message = PagerWording.notFound(search.text)
            return
        }
        jump(to: layout.row(of: found.line) + rowsBefore(found.line, search))
        if message == nil, found.isAround { message = PagerWording.around(forward: forward) }
    }

    /// How many rows of a line come before its first match.
    private func rowsBefore(_ line: Int, _ search: PagerSearch) -> Int {
        guard let match = search.matches(in: PagerSearch.scalars(layout.lines[line])).first else { return 0 }
        let first = layout.row(of: line)
        let rows = layout.scrolled[first...].prefix { $0.source == line }
        return rows.indices.first {
            match.lowerBound < layout.part($0, first: first, count: rows.count).upperBound
        }.map { $0 - first } ?? 0
    }
}

extension PagerLayout {
    /// The range of a line's scalars that one of its rows shows. Marks that the wrapping added do not count.
    /// - Parameters:
    ///   - first: the first row of the line.
    ///   - count: how many rows it has.
    func part(_ row: Int, first: Int, count: Int) -> Range<Int> {
        let lengths = (first..<first + count).map {
            PagerSearch.scalars(scrolled[$0].line).count - ($0 > first ? Self.mark : 0)
        }
        // A line that is nested deep says its level in words, before its text.
        let extra = lengths.reduce(0, +) - PagerSearch.scalars(lines[scrolled[first].source]).count
        let end = lengths[...(row - first)].reduce(0, +) - extra
        return max(0, end - lengths[row - first])..<end
    }

    /// Scalars before the text of a row that is not its line's first.
    static let mark = StyledLine.continuation.unicodeScalars.count
}
