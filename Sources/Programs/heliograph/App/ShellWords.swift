/// Splits a line of the shell into words.
///
/// Blanks divide words. 'Single quotes' keep everything as it is, "double quotes" keep everything but \" and \\, and outside quotes \ keeps
/// the next character. A line that starts with # is empty. There is nothing else: no variables, no patterns, no pipes.
enum ShellWords {
    static func split(_ line: String) throws(CommandError) -> [String] {
        var words: [String] = []
        // nil between words, so that '' is a word.
        var word: String?
        var rest = line[...]
        if rest.first == "#" { return [] }
        while let character = rest.popFirst() {
            switch character {
            case " ", "\t":
                if let whole = word { words.append(whole) }
                word = nil
            case "'", "\"": word = (word ?? "") + (try quoted(by: character, &rest))
            case "\\":
                guard let next = rest.popFirst() else { throw .unfinishedQuote }
                word = (word ?? "") + String(next)
            default: word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return words
    }

    private static func quoted(by quote: Character, _ rest: inout Substring) throws(CommandError) -> String {
        var text = ""
        while let character = rest.popFirst() {
            if character == quote { return text }
            if quote == "\"", character == "\\", let next = rest.first, next == "\"" || next == "\\" {
                text.append(rest.removeFirst())
            } else {
                text.append(character)
            }
        }
        throw .unfinishedQuote
    }
}
