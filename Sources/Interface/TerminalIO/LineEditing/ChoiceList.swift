/// Choices as lines of a window: with a note one a line, else as many beside one another as fit.
enum ChoiceList {
    /// Lines that are shown; what is left is counted.
    static let maximumLines = 16

    static func lines(_ choices: [LineEditor.Choice], width: Int) -> [String] {
        let column = (choices.map { columns($0.text) }.max() ?? 0) + 2
        let hasNotes = choices.contains { !$0.note.isEmpty }
        let perLine = hasNotes ? 1 : max(1, width / column)
        let rows = (choices.count + perLine - 1) / perLine
        let shownRows = min(rows, maximumLines)
        var lines: [String] = []
        for row in 0..<shownRows {
            let row = choices[row * perLine..<min(choices.count, (row + 1) * perLine)]
            var line = row.map { padded($0.text, to: column) }.joined()
            if hasNotes, let note = row.first?.note { line += cut(note, to: width - 1 - column) }
            while line.unicodeScalars.last == " " { line.unicodeScalars.removeLast() }
            lines.append(line)
        }
        if shownRows < rows { lines.append(Wording.moreCandidates(choices.count - shownRows * perLine)) }
        return lines
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - columns(text)))
    }

    /// Ends with `...` where it is longer.
    private static func cut(_ text: String, to width: Int) -> String {
        guard columns(text) > width else { return text }
        guard width > 3 else { return "" }
        var (kept, used) = (String.UnicodeScalarView(), 0)
        for scalar in text.unicodeScalars {
            used += columns(of: scalar)
            if used > width - 3 { break }
            kept.append(scalar)
        }
        return String(kept) + "..."
    }

    private static func columns(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
    }

    /// Of the letters that are printed as they are, those of East Asian scripts are two columns wide.
    private static func columns(of scalar: Unicode.Scalar) -> Int { scalar.value >= 0x2e80 ? 2 : 1 }
}
