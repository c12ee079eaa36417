import Diagnostics
import Glibc
import Lines
import Synchronization
import SystemIO

/// `{"error": {"code": …, "message": …, "hint": …}}`; no hint, no key.
struct ErrorDocument: Encodable {
    struct Fields: Encodable {
        let code: String
        let message: String
        let hint: String?
    }

    let error: Fields

    init(_ diagnostic: Diagnostic) {
        error = Fields(code: diagnostic.code.rawValue, message: diagnostic.message, hint: diagnostic.hint)
    }
}

/// Results go to stdout, everything else to stderr.
enum Console {
    static let errorIsTerminal = isatty(STDERR_FILENO) == 1

    /// Whether the line at the cursor is one of progress. What is printed next replaces it.
    private static let hasProgress = Mutex(false)

    /// A line for a person: wrapped at words on a terminal.
    static func print(_ line: String) { print(exactly: fitted(line, to: STDOUT_FILENO)) }

    /// A text for programs, which no window changes.
    static func print(exactly text: String) {
        endProgress()
        write(text + "\n", to: STDOUT_FILENO)
    }

    static func note(_ line: String) {
        endProgress()
        write(fitted(line, to: STDERR_FILENO) + "\n", to: STDERR_FILENO)
    }

    private static func fitted(_ line: String, to descriptor: Int32) -> String {
        WordWrap.fitted(line, to: TerminalSize.read(descriptor)?.columns)
    }

    /// Prints a line that the next one replaces; only on a terminal. It is cut at the window's edge, because
    /// of a line that goes on in the next row only that row would be replaced.
    static func progress(_ line: String) {
        guard errorIsTerminal else { return }
        let columns = TerminalSize.read(STDERR_FILENO)?.columns ?? line.unicodeScalars.count + 1
        let shown = String(String.UnicodeScalarView(line.unicodeScalars.prefix(max(0, columns - 1))))
        hasProgress.withLock { $0 = true }
        write("\r\u{1b}[K" + shown, to: STDERR_FILENO)
    }

    static func endProgress() {
        guard
            hasProgress.withLock({ has in
                defer { has = false }; return has
            })
        else { return }
        write("\r\u{1b}[K", to: STDERR_FILENO)
    }

    static func show(_ diagnostic: Diagnostic) { diagnostic.lines(program: "heliograph-hot").forEach(note) }

    /// Prints the JSON document of an error.
    static func show(_ document: ErrorDocument) {
        // Three texts cannot fail to encode.
        print(exactly: try! Listing.json(document))
    }

    /// A result that cannot be written ends the program: it must not end with 0. A message that cannot be
    /// written is lost.
    static func write(_ text: String, to descriptor: Int32) {
        if Descriptor.write(descriptor, Array(text.utf8)) || descriptor != STDOUT_FILENO { return }
        let number = errno
        // The reader of a pipe is gone: nobody waits for words.
        if number != EPIPE {
            show(
                Diagnostic(
                    "input-output", "the results cannot be written: \(Sentence.systemError(number))",
                    exit: .inputOutput))
        }
        exit(Diagnostic.Exit.inputOutput.rawValue)
    }
}
