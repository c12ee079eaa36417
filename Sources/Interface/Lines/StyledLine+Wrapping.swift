extension StyledLine {
    /// The start of each line after the first, two columns further in. `unmarked` keeps lines of cards from
    /// starting with it, so a continued line never passes for a card.
    public static let continuation = "| "

    /// The line fitted to a width.
    ///
    /// Lines break after a space. A word that is longer than a line, such as a hash, breaks after groups of
    /// eight characters, counted from its `0x` if it has one, and never inside an escape such as `\u{20}`.
    /// The texts of the lines without their marks are together the text of this line, spaces included. Takes
    /// time linear in the text.
    /// - Parameter columns: of the terminal; fewer than `narrowest` count as that many.
    public func wrapped(to columns: Int) -> [StyledLine] {
        let columns = max(columns, Self.narrowest)
        var first = self
        // A line that is nested so deep that little is left of the width says its level in words.
        if indent > columns / 2 {
            first.indent = columns / 2
            first.runs.insert(Run("(level \(indent / 2)) ", .dim), at: 0)
        }
        let text = FlatText(first.runs)
        guard text.width > columns - first.indent else { return [first] }
        let hang = first.indent + 2
        let breaks = text.breaks(
            first: columns - first.indent, others: columns - hang - Self.continuation.utf8.count)
        let starts = [0] + breaks
        let ends = breaks + [text.scalars.count]
        return zip(starts, ends).map { start, end in
            let runs = text.runs(start..<end)
            var line =
                start == 0
                ? StyledLine(indent: first.indent, runs)
                : StyledLine(indent: hang, [Run(Self.continuation, .dim)] + runs)
            if end == text.scalars.count { line.icon = icon }
            line.need = need
            return line
        }
    }

    /// Half of it holds the longest part that is never broken: a group and an escape.
    package static let narrowest = 48

    /// East Asian letters, from U+3001, take two columns each (UAX #11, wide); ``Escape`` lets no other wide
    /// scalar through.
    public static func columns(_ scalar: Unicode.Scalar) -> Int { scalar.value >= 0x3001 ? 2 : 1 }

    /// The text of a card that would start like a continuation, with that sign escaped.
    public static func unmarked(_ text: String) -> String {
        text.utf8.first == continuation.utf8.first
            ? "\\u{7c}" + text.unicodeScalars.dropFirst().map(String.init).joined() : text
    }
}

/// The runs of a line as one sequence of scalars, which a break may part anywhere.
private struct FlatText {
    let scalars: [Unicode.Scalar]
    /// The style of each scalar.
    private let styles: [TextStyle]
    let width: Int

    init(_ runs: [StyledLine.Run]) {
        var scalars: [Unicode.Scalar] = []
        var styles: [TextStyle] = []
        for run in runs {
            scalars += run.text.unicodeScalars
            styles += repeatElement(run.style, count: scalars.count - styles.count)
        }
        self.scalars = scalars
        self.styles = styles
        width = scalars.reduce(0) { $0 + StyledLine.columns($1) }
    }

    /// Where the second and all further lines start.
    func breaks(first: Int, others: Int) -> [Int] {
        var breaks: [Int] = []
        var room = first
        var word = 0
        while word < scalars.count {
            let end = endOfWord(word)
            let needed = columns(word..<end)
            if needed <= room {
                room -= needed
            } else if needed <= others {
                if word > 0 { breaks.append(word) }
                room = others - needed
            } else {
                for group in groups(word..<end) {
                    let needed = columns(group)
                    if needed > room {
                        if group.lowerBound > 0 { breaks.append(group.lowerBound) }
                        room = others
                    }
                    room -= needed
                }
            }
            word = end
        }
        return breaks
    }

    private func columns(_ range: Range<Int>) -> Int {
        scalars[range].reduce(0) { $0 + StyledLine.columns($1) }
    }

    /// Behind the spaces that follow the word.
    private func endOfWord(_ start: Int) -> Int {
        var index = start
        while index < scalars.count, scalars[index] != " " { index += 1 }
        while index < scalars.count, scalars[index] == " " { index += 1 }
        return index
    }

    /// Parts of a word of eight columns or a few more, each a whole number of characters and escapes.
    private func groups(_ word: Range<Int>) -> [Range<Int>] {
        var groups: [Range<Int>] = []
        var start = word.lowerBound
        var index = word.lowerBound
        var room = Self.group
        if scalars[word].starts(with: "0x".unicodeScalars) { room += 2 }
        while index < word.upperBound {
            let end = min(endOfCharacter(index), word.upperBound)
            // A long escape is a group of its own.
            if end - index > Self.group, index > start {
                groups.append(start..<index)
                (start, room) = (index, Self.group)
            }
            room -= columns(index..<end)
            index = end
            if room <= 0 || index == word.upperBound {
                groups.append(start..<index)
                (start, room) = (index, Self.group)
            }
        }
        return groups
    }

    private static let group = 8

    /// Behind one scalar, or behind an escape: a backslash and a sign, or `\u{…}`.
    private func endOfCharacter(_ start: Int) -> Int {
        guard scalars[start] == "\\", start + 1 < scalars.count else { return start + 1 }
        guard scalars[start + 1] == "u", start + 2 < scalars.count, scalars[start + 2] == "{" else {
            return start + 2
        }
        return (scalars[start...].prefix(Self.longestEscape).firstIndex(of: "}") ?? start) + 1
    }

    /// Of `\u{…}` in columns.
    private static let longestEscape = 24

    func runs(_ range: Range<Int>) -> [StyledLine.Run] {
        var runs: [StyledLine.Run] = []
        var start = range.lowerBound
        while start < range.upperBound {
            let style = styles[start]
            let end = styles[start..<range.upperBound].firstIndex { $0 != style } ?? range.upperBound
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars[start..<end])
            runs.append(StyledLine.Run(String(text), style))
            start = end
        }
        return runs
    }
}
