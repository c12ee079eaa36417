import Glibc
import Lines
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

    /// Wraps text at words for a narrow window: ``WordWrap/fitted(_:to:)``.
    package static func fitted(_ text: String, to terminal: Int32) -> String {
        WordWrap.fitted(text, to: TerminalSize.read(terminal)?.columns)
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
