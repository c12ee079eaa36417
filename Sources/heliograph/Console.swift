import Glibc

/// Where results, messages and questions go: results to stdout, the rest to stderr, questions to the terminal.
///
/// The terminal is opened before the sandbox closes, because afterwards no device may be opened.
struct Console: Sendable {
    let terminal: Int32?
    /// Colour only where a terminal shows it and `NO_COLOR` is not set.
    let colour: Bool
    let errorIsTerminal: Bool

    init() {
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
        terminal = descriptor >= 0 ? descriptor : nil
        errorIsTerminal = isatty(STDERR_FILENO) == 1
        colour = isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil
    }

    /// One line of a result.
    func print(_ line: String) { Self.write(line + "\n", to: STDOUT_FILENO) }

    /// One line about what goes on.
    func note(_ line: String) { Self.write(line + "\n", to: STDERR_FILENO) }

    /// A line that the next one replaces; only on a terminal.
    func progress(_ line: String) {
        if errorIsTerminal { Self.write("\r\u{1b}[K" + line, to: STDERR_FILENO) }
    }

    func endProgress() {
        if errorIsTerminal { Self.write("\r\u{1b}[K", to: STDERR_FILENO) }
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

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0 {
                if errno == EINTR { continue }
                return
            }
            bytes = bytes.dropFirst(written)
        }
    }
}

// MARK: Questions

extension Console {
    /// A yes or no from the person at the terminal; anything but `yes` is no.
    func confirm(_ question: String) throws(CommandError) -> Bool {
        try ask(question + " [yes/no] ").lowercased() == "yes"
    }

    /// A visible line from the terminal.
    func ask(_ question: String) throws(CommandError) -> String {
        String(decoding: try line(question, hidden: false), as: UTF8.self)
    }

    /// A line that is not shown while it is typed.
    func askHidden(_ question: String) throws(CommandError) -> [UInt8] { try line(question, hidden: true) }

    private func line(_ question: String, hidden: Bool) throws(CommandError) -> [UInt8] {
        guard let terminal else { throw .noTerminal(question: question) }
        Self.write(question, to: terminal)
        let echo = hidden ? EchoOff(terminal) : nil
        defer {
            if let echo {
                echo.restore()
                Self.write("\n", to: terminal)
            }
        }
        guard let line = try Self.readLine(from: terminal) else { throw .interrupted }
        return line
    }

    /// The longest line that is read: a phrase of 24 words is below 250 bytes.
    private static let maximumLine = 65_536

    /// One line without its end, or nil where the input has ended. Reads byte by byte, so that the rest stays for the next reader.
    static func readLine(from descriptor: Int32) throws(CommandError) -> [UInt8]? {
        var line: [UInt8] = []
        // The bytes may be a secret: one reservation, so that no copy is left behind by growth.
        line.reserveCapacity(1024)
        while true {
            var byte: UInt8 = 0
            let count = read(descriptor, &byte, 1)
            if count < 0 {
                if errno == EINTR { continue }
                throw .descriptor(descriptor, errno: errno)
            }
            if count == 0 { return line.isEmpty ? nil : line }
            if byte == UInt8(ascii: "\n") { return line.last == UInt8(ascii: "\r") ? line.dropLast() : line }
            line.append(byte)
            guard line.count <= maximumLine else { throw .lineTooLong(descriptor) }
        }
    }
}

/// Turns the echo of a terminal off until ``restore()``, also when the person interrupts the program.
private struct EchoOff {
    private nonisolated(unsafe) static var saved = termios()
    private nonisolated(unsafe) static var descriptor: Int32 = -1

    init(_ terminal: Int32) {
        guard tcgetattr(terminal, &Self.saved) == 0 else { return }
        Self.descriptor = terminal
        var quiet = Self.saved
        quiet.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(terminal, TCSAFLUSH, &quiet)
        signal(SIGINT) { _ in
            tcsetattr(EchoOff.descriptor, TCSANOW, &EchoOff.saved)
            _exit(130)
        }
    }

    func restore() {
        guard Self.descriptor >= 0 else { return }
        tcsetattr(Self.descriptor, TCSAFLUSH, &Self.saved)
        Self.descriptor = -1
        signal(SIGINT) { _ in _exit(130) }
    }
}
