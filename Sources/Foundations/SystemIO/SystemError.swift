import Diagnostics
import Glibc

/// Why the system refused something about a file, a directory or a pipe.
public struct SystemError: DiagnosticError, Equatable {
    /// What was asked of the system; the raw value is the verb of the sentence.
    public enum Operation: String, Sendable {
        case open, create, read, write, truncate, sync, rename, lock, list
        case makeDirectory = "make directory"
        /// Of the temporary file that gets the name once it is whole.
        case createBeside = "create a temporary file beside"
    }

    public let operation: Operation
    /// The file or directory as the caller named it; nil for a descriptor without a name.
    public let path: String?
    /// The error number of `errno(3)`.
    public let errno: Int32

    /// - `errno`: by default that of the last system call of this thread.
    public init(_ operation: Operation, _ path: String? = nil, errno: Int32 = Glibc.errno) {
        self.operation = operation
        self.path = path
        self.errno = errno
    }

    /// A read stopped because there were more bytes than its limit. No `read(2)` fails with this number.
    public var isTooLarge: Bool { operation == .read && errno == EFBIG }

    public var diagnostic: Diagnostic {
        let sentence = "cannot \(operation.rawValue)\(path.map { " \($0)" } ?? ""): \(Self.text(errno))"
        return isTooLarge ? .badInput("file-too-large", sentence) : .inputOutput("input-output", sentence)
    }

    public static var examples: [SystemError] {
        [SystemError(.open, "notes.txt", errno: ENOENT), SystemError(.read, "notes.txt", errno: EFBIG)]
    }

    /// The system's message for an error number, in lower case, for use after a colon.
    public static func text(_ number: Int32) -> String { String(cString: strerror(number)).lowercased() }
}

/// Makes a system call, and makes it again for as long as a signal interrupts it.
///
/// This is the only code that handles `EINTR`. Not for `close(2)`: on Linux the descriptor is closed even
/// then, and its number may already be another file's.
/// - Returns: what the call returned; at -1, `errno` says why.
@discardableResult
public func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
