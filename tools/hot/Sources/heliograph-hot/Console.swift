import Diagnostics
import Glibc
import Lines
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

    static func print(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

    static func note(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

    /// Prints a line that the next one replaces; only on a terminal.
    static func progress(_ line: String) {
        if errorIsTerminal { write("\r\u{1b}[K" + line, to: STDERR_FILENO) }
    }

    static func endProgress() {
        if errorIsTerminal { write("\r\u{1b}[K", to: STDERR_FILENO) }
    }

    static func show(_ diagnostic: Diagnostic) { diagnostic.lines(program: "heliograph-hot").forEach(note) }

    /// Prints the JSON document of an error.
    static func show(_ document: ErrorDocument) {
        // Three texts cannot fail to encode.
        print(try! Listing.json(document))
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
