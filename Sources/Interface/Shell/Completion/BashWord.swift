import TerminalIO

/// A candidate in the form in which bash inserts it in place of the typed word.
///
/// Bash also divides words at `:` and `=`, and leaves quoting to the completer. So the candidate here is text
/// that the shell reads as exactly the candidate.
struct BashWord {
    /// Typed of the word, as it stands in the line, before what bash replaces.
    private let head: String
    private let quote: Unicode.Scalar?
    let begun: BegunLine

    /// - Parameters:
    ///   - line: up to the cursor, with the program's name.
    ///   - replaced: what bash takes for the word.
    init(line: String, replaced: String) {
        begun = BegunLine(line, escapes: ["\"", "\\", "$", "`"])
        let typed = Array(line.unicodeScalars.dropFirst(begun.start))
        let tail = Array(replaced.unicodeScalars)
        head = Self.string(
            tail.count <= typed.count && typed.suffix(tail.count).elementsEqual(tail)
                ? typed.dropLast(tail.count) : [])
        quote = begun.quote
    }

    private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    /// nil for what cannot stand there.
    func text(_ candidate: String) -> String? {
        let word: String
        switch quote {
        case nil: word = Self.escaped(candidate)
        case "'": word = Self.singleQuoted(candidate)
        default:
            // Inside double quotes a ! is expanded whatever stands before it.
            guard !candidate.unicodeScalars.contains("!") else { return nil }
            word = Self.doubleQuoted(candidate)
        }
        // The opening quote is no part of the candidate; bash may or may not count it to the word.
        var head = head.unicodeScalars
        if let quote, head.last == quote { head.removeLast() }
        guard !head.isEmpty else { return word }
        guard word.unicodeScalars.starts(with: head) else { return nil }
        return Self.string(word.unicodeScalars.dropFirst(head.count))
    }

    private static func escaped(_ text: String) -> String {
        string(text.unicodeScalars.flatMap { isPlain($0) ? [$0] : ["\\", $0] })
    }

    private static func singleQuoted(_ text: String) -> String {
        string(text.unicodeScalars.flatMap { $0 == "'" ? ["'", "\\", "'", "'"] : [$0] })
    }

    private static func doubleQuoted(_ text: String) -> String {
        string(text.unicodeScalars.flatMap { ["\"", "\\", "$", "`"].contains($0) ? ["\\", $0] : [$0] })
    }

    /// What a shell takes as it is, everywhere in a word. Letters beyond ASCII mean nothing to it.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "/", ".", ",", "+", "@", "%", ":", "=": true
        default: scalar.value >= 0x80
        }
    }
}
