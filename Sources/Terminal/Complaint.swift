/// What a person is told of a failure: a stable code, a sentence, the one command that helps, and how the program ends.
public struct Complaint: Equatable, Sendable {
    /// Exit codes; those from 64 are of `sysexits.h`.
    public enum Exit: Int32, Sendable {
        case refused = 1
        case usage = 64
        case badInput = 65
        case inputOutput = 74
        case notPermitted = 77
        case interrupted = 130
    }

    public let code: String
    public let message: String
    public let hint: String?
    public let exit: Exit

    public init(_ code: String, _ message: String, hint: String? = nil, exit: Exit) {
        self.code = code
        self.message = message
        self.hint = hint
        self.exit = exit
    }

    /// Words that the argument parser does not know: its own sentence, as the other messages are written, lower case and without a period.
    public init(usage sentence: String, hint: String) {
        let text = sentence.utf8.last == UInt8(ascii: ".") ? String(sentence.unicodeScalars.dropLast()) : sentence
        self.init("usage", text.prefix(1).lowercased() + text.dropFirst(), hint: hint, exit: .usage)
    }

    /// As it stands on stderr, safe for a terminal.
    /// - Parameter program: the name that the lines start with.
    public func lines(program: String) -> [String] {
        let error = "\(program): error: \(Escape.terminal(message))"
        return [error] + (hint.map { ["\(program): hint: \(Escape.terminal($0))"] } ?? [])
    }
}
