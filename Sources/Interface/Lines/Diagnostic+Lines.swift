import Diagnostics

extension Diagnostic {
    /// Words that the argument parser does not know: its own sentence, as the other messages are written,
    /// lower case and without a period.
    public init(usage sentence: String, hint: String) {
        let text =
            sentence.utf8.last == UInt8(ascii: ".") ? String(sentence.unicodeScalars.dropLast()) : sentence
        // The name of an argument, such as RAW, keeps its capitals.
        let isName = text.unicodeScalars.dropFirst().first.map { (0x41...0x5a).contains($0.value) } ?? false
        self.init(
            "usage", isName ? text : text.prefix(1).lowercased() + text.dropFirst(), hint: hint, exit: .usage)
    }

    /// As it stands on stderr, safe for a terminal.
    /// - Parameter program: the name that the lines start with.
    public func lines(program: String) -> [String] {
        let error = "\(program): error: \(Escape.terminal(message))"
        return [error] + (hint.map { ["\(program): hint: \(Escape.terminal($0))"] } ?? [])
    }
}
