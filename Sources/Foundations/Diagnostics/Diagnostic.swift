/// What a person is told of an error: its code and sentence, the one command that helps, and how the program ends.
public struct Diagnostic: Equatable, Sendable {
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

    public init(_ error: some DiagnosticError, hint: String? = nil, exit: Exit) {
        self.init(error.code.rawValue, error.sentence, hint: hint, exit: exit)
    }
}
