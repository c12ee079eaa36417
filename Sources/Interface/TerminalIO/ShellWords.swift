/// Splits a line of the shell into words.
///
/// Blanks divide words. 'Single quotes' keep everything as it is, "double quotes" keep everything but \" and
/// \\, and outside quotes \ keeps the next character. A line that starts with # is empty. There is nothing
/// else: no variables, no patterns, no pipes.
///
/// Unicode scalars are read, not characters: a quote with a combining mark behind it is still a quote.
package enum ShellWords {
    package static func split(_ line: String) throws(CommandError) -> [String] {
        if line.unicodeScalars.first == "#" { return [] }
        let begun = BegunLine(line)
        guard begun.isComplete else { throw .unfinishedQuote }
        return begun.words + (begun.hasWord ? [begun.word] : [])
    }

    /// A word as it must be typed; one that is not finished yet keeps its quote open.
    package static func typed(_ text: String, isFinished: Bool) -> String {
        let scalars = text.unicodeScalars
        if !scalars.isEmpty, scalars.allSatisfy({ !needsQuote($0) }) { return text }
        guard scalars.contains("'") else { return "'" + text + (isFinished ? "'" : "") }
        var quoted = "\""
        for scalar in scalars {
            if scalar == "\"" || scalar == "\\" { quoted.unicodeScalars.append("\\") }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + (isFinished ? "\"" : "")
    }

    private static func needsQuote(_ scalar: Unicode.Scalar) -> Bool {
        [" ", "\t", "'", "\"", "\\", "#"].contains(scalar)
    }
}

/// A line up to the cursor: the words before it, and the one that is being typed.
package struct BegunLine: Equatable {
    package private(set) var words: [String] = []
    /// What is typed of the last word, without quotes; empty after a blank.
    package private(set) var word = ""
    /// Scalars of the line before the last word.
    package private(set) var start = 0
    /// The quote that is open, and how many scalars of the line there are with it.
    package private(set) var quote: Unicode.Scalar?
    private(set) var quoteEnd = 0
    /// Whether the last word has begun: '' is a word.
    private(set) var hasWord = false
    private var endsInBackslash = false

    /// Whether no quote is open, and no \ waits for its character.
    var isComplete: Bool { quote == nil && !endsInBackslash }

    /// - Parameter escapes: what \ keeps inside double quotes.
    package init(_ line: String, escapes: [Unicode.Scalar] = ["\"", "\\"]) {
        let scalars = Array(line.unicodeScalars)
        var text = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            index += 1
            if let open = quote {
                if scalar == open {
                    quote = nil
                } else if open == "\"", scalar == "\\", index < scalars.count,
                    escapes.contains(scalars[index])
                {
                    text.append(scalars[index])
                    index += 1
                } else {
                    text.append(scalar)
                }
                continue
            }
            switch scalar {
            case " ", "\t":
                if hasWord { words.append(String(text)) }
                text = String.UnicodeScalarView()
                (hasWord, start) = (false, index)
            case "'", "\"": (quote, quoteEnd, hasWord) = (scalar, index, true)
            case "\\":
                hasWord = true
                guard index < scalars.count else {
                    endsInBackslash = true
                    break
                }
                text.append(scalars[index])
                index += 1
            default:
                text.append(scalar)
                hasWord = true
            }
        }
        word = String(text)
    }
}
