/// An error as a person sees it: its code and sentence, the one command that helps, and how the program ends.
public struct Diagnostic: Equatable, Sendable {
    /// The word of an error for scripts and for the log, in kebab case. It never changes. Errors of different
    /// types with the same meaning have the same word.
    ///
    /// Only a literal in the source can make a code. So text from outside never becomes one, and each reason
    /// in the log is one of this program's own words.
    public struct Code: Hashable, Sendable, ExpressibleByStringLiteral {
        public let rawValue: String

        public init(stringLiteral: StaticString) { rawValue = stringLiteral.description }

        /// The code of an error; `internal` for an error of another library.
        public init(of error: any Error) { self = (error as? any DiagnosticError)?.code ?? "internal" }
    }

    /// Exit codes; those from 64 are of `sysexits.h`.
    public enum Exit: Int32, Sendable {
        case refused = 1
        case usage = 64
        case badInput = 65
        case inputOutput = 74
        case notPermitted = 77
        case interrupted = 130
    }

    public let code: Code
    /// One sentence: what is wrong, in lower case, without a period. It may quote text from outside, so it is
    /// escaped where it is printed.
    public let message: String
    public let hint: String?
    public let exit: Exit

    public init(_ code: Code, _ message: String, hint: String? = nil, exit: Exit) {
        self.code = code
        self.message = message
        self.hint = hint
        self.exit = exit
    }

    public static func == (one: Diagnostic, other: Diagnostic) -> Bool {
        one.code == other.code && one.message.utf8.elementsEqual(other.message.utf8) && one.exit == other.exit
            && one.hint.map { Array($0.utf8) } == other.hint.map { Array($0.utf8) }
    }
}

/// An error type that says what each of its errors means.
///
/// One exhaustive switch has a row for each case: how the program ends, the code, the sentence, and the one
/// command that helps. A new case does not compile before somebody has written its row.
public protocol DiagnosticError: Error, Sendable {
    /// The row of this error.
    var diagnostic: Diagnostic { get }

    /// At least one error for each code, for the table of all codes. Their values are examples.
    static var examples: [Self] { get }
}

extension DiagnosticError {
    public var code: Diagnostic.Code { diagnostic.code }
    public var sentence: String { diagnostic.message }
    public var hint: String? { diagnostic.hint }
}

/// Rows, by how the program ends.
extension Diagnostic {
    public static func refused(_ code: Code, _ message: String, hint: String? = nil) -> Self {
        Self(code, message, hint: hint, exit: .refused)
    }

    public static func usage(_ code: Code, _ message: String, hint: String? = nil) -> Self {
        Self(code, message, hint: hint, exit: .usage)
    }

    public static func badInput(_ code: Code, _ message: String, hint: String? = nil) -> Self {
        Self(code, message, hint: hint, exit: .badInput)
    }

    public static func inputOutput(_ code: Code, _ message: String, hint: String? = nil) -> Self {
        Self(code, message, hint: hint, exit: .inputOutput)
    }

    public static func notPermitted(_ code: Code, _ message: String, hint: String? = nil) -> Self {
        Self(code, message, hint: hint, exit: .notPermitted)
    }

    public static func interrupted(_ code: Code, _ message: String, hint: String? = nil) -> Self {
        Self(code, message, hint: hint, exit: .interrupted)
    }

    /// This diagnostic with another sentence: code, hint and exit stay.
    public func saying(_ message: String) -> Self { Self(code, message, hint: hint, exit: exit) }
}
