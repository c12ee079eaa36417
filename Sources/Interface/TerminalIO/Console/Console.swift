import Glibc
import Sandbox
import SubstratePrimitives
import SystemIO

/// Where results, messages and questions go: results to stdout, the rest to stderr, questions to the
/// terminal.
///
/// The terminal is opened before the sandbox closes, because afterwards no device may be opened.
package struct Console: Sendable {
    package let terminal: Int32?
    /// Colour only where a terminal shows it and `NO_COLOR` is not set.
    package private(set) var colour: Bool
    /// The descriptor of ``print(_:)``.
    private(set) var results = STDOUT_FILENO
    package let errorIsTerminal: Bool
    /// How many seconds a question waits for its answer. Only a shell sets a limit, because its vault may be
    /// open while nobody answers.
    package var patience: Int?
    /// Whether a question also stops waiting when the device goes online.
    package var endsWhenOnline = false

    package init() {
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
        terminal = descriptor >= 0 ? descriptor : nil
        errorIsTerminal = isatty(STDERR_FILENO) == 1
        colour = isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil
    }

    /// The same console with its results on stderr: what a person reads beside the one document of stdout.
    package var beside: Console {
        var copy = self
        copy.results = STDERR_FILENO
        copy.colour = errorIsTerminal && getenv("NO_COLOR") == nil
        return copy
    }

    /// Whether a person sees results where they are printed.
    package var resultsAreTerminal: Bool { isatty(results) == 1 }

    /// One line of a result.
    package func print(_ line: String) {
        let text = isatty(results) == 1 ? Self.fitted(line, to: results) : line
        Array((text + "\n").utf8).withUnsafeBytes { StandardStreams.write(result: $0, to: results) }
    }

    /// One line about what goes on.
    package func note(_ line: String) {
        Self.write((errorIsTerminal ? Self.fitted(line, to: STDERR_FILENO) : line) + "\n", to: STDERR_FILENO)
    }

    /// A line that the next one replaces; only on a terminal.
    package func progress(_ line: String) {
        if errorIsTerminal { Self.write("\r\u{1b}[K" + line, to: STDERR_FILENO) }
    }

    package func endProgress() {
        if errorIsTerminal { Self.write("\r\u{1b}[K", to: STDERR_FILENO) }
    }

    private static let escape: Unicode.Scalar = "\u{1b}"

    /// Wraps text at words for a narrow window. A blank at its end stays, and so does a line with a word
    /// wider than the window, such as a signature: it is there to be copied.
    ///
    /// The lines of a text, such as a page of help, are wrapped one by one: their order and columns stay.
    package static func fitted(_ text: String, to terminal: Int32) -> String {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.count == 1
            ? fitted(line: text, to: terminal)
            : lines.map { fitted(line: String($0), to: terminal) }.joined(separator: "\n")
    }

    private static func fitted(line text: String, to terminal: Int32) -> String {
        guard let columns = TerminalSize.read(terminal)?.columns, text.unicodeScalars.count > columns,
            !text.unicodeScalars.contains(Self.escape),
            text.unicodeScalars.split(separator: " ").allSatisfy({ $0.count <= columns })
        else { return text }
        // What stands under a heading stays under it.
        let indent = String(
            repeating: " ", count: min(text.utf8.prefix { $0 == UInt8(ascii: " ") }.count, columns / 2))
        let lines = WordWrap.lines(text, to: columns - indent.utf8.count)
        return lines.map { indent + $0 }.joined(separator: "\n")
            + (text.utf8.last == UInt8(ascii: " ") ? " " : "")
    }

    func paint(_ text: String, _ style: Style) -> String {
        colour ? "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m" : text
    }

    enum Style: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    /// What cannot be written is lost: there is nobody to tell.
    package static func write(_ text: String, to descriptor: Int32) {
        _ = Descriptor.write(descriptor, Array(text.utf8))
    }
}

extension Console {
    /// Whether the terminal can move its cursor: lines are edited there, and screens cleared.
    package var isScreen: Bool {
        guard let terminal, isatty(terminal) == 1, let name = getenv("TERM").map({ String(cString: $0) })
        else { return false }
        return !name.isEmpty && !name.utf8Equals("dumb") && !name.utf8Equals("unknown")
    }
}
