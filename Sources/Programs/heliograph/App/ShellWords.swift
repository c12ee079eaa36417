/// Splits a line of the shell into words.
///
/// Blanks divide words. 'Single quotes' keep everything as it is, "double quotes" keep everything but \" and \\, and outside quotes \ keeps
/// the next character. A line that starts with # is empty. There is nothing else: no variables, no patterns, no pipes.
///
/// Unicode scalars are read, not characters: a quote with a combining mark behind it is still a quote.
enum ShellWords {
    static func split(_ line: String) throws(CommandError) -> [String] {
        var words: [String] = []
        // nil between words, so that '' is a word.
        var word: String.UnicodeScalarView?
        var rest = line.unicodeScalars[...]
        if rest.first == "#" { return [] }
        while let scalar = rest.popFirst() {
            switch scalar {
            case " ", "\t":
                if let whole = word { words.append(String(whole)) }
                word = nil
            case "'", "\"":
                var quoted = word ?? String.UnicodeScalarView()
                quoted.append(contentsOf: try self.quoted(by: scalar, &rest))
                word = quoted
            case "\\":
                guard let next = rest.popFirst() else { throw .unfinishedQuote }
                word = (word ?? String.UnicodeScalarView()) + [next]
            default: word = (word ?? String.UnicodeScalarView()) + [scalar]
            }
        }
        if let word { words.append(String(word)) }
        return words
    }

    private static func quoted(
        by quote: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView
    ) throws(CommandError) -> String.UnicodeScalarView {
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == quote { return text }
            if quote == "\"", scalar == "\\", let next = rest.first, next == "\"" || next == "\\" {
                text.append(rest.removeFirst())
            } else {
                text.append(scalar)
            }
        }
        throw .unfinishedQuote
    }
}
