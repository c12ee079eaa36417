/// Short texts beside one another, as many as a window is wide.
enum Columns {
    /// Lines of candidates that are shown; what is left is counted.
    static let maximumLines = 12

    /// Read downwards within a line's width: `texts` are ASCII, or one column wide a scalar.
    static func lines(_ texts: [String], width: Int) -> [String] {
        let column = (texts.map(\.unicodeScalars.count).max() ?? 0) + 2
        let perLine = max(1, width / column)
        let rows = (texts.count + perLine - 1) / perLine
        let shownRows = min(rows, maximumLines)
        var lines: [String] = []
        for row in 0..<shownRows {
            let texts = texts[row * perLine..<min(texts.count, (row + 1) * perLine)]
            var line = ""
            for text in texts {
                line += text + String(repeating: " ", count: column - text.unicodeScalars.count)
            }
            while line.unicodeScalars.last == " " { line.unicodeScalars.removeLast() }
            lines.append(line)
        }
        if shownRows < rows { lines.append(Wording.moreCandidates(texts.count - shownRows * perLine)) }
        return lines
    }
}
