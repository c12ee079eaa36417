import Glibc

/// A terminal that does not echo, or gives single key presses, until ``restore()`` or a signal that ends the
/// program. Without restoring, the person's shell would not echo afterwards.
///
/// A command that asked something echoes nothing until it ends (``quietly(_:)``). Its work may take seconds,
/// for example to derive the key of a vault. A person who believes that a passphrase was not accepted types
/// it again, and the kernel would put it on the screen and into the scrollback. Nor is it an answer: each
/// question drops what was typed before it was shown.
package struct TerminalMode {
    private nonisolated(unsafe) static var saved = termios()
    private nonisolated(unsafe) static var descriptor: Int32 = -1
    private nonisolated(unsafe) static var isCleared = false
    /// Written where a signal ends the program, after the screen was cleared; a line end where nothing is to
    /// be said.
    private nonisolated(unsafe) static var lastWords: [UInt8] = [UInt8(ascii: "\n")]
    private static let signals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP]
    private nonisolated(unsafe) static var held = termios()
    private nonisolated(unsafe) static var stopping: __sighandler_t?
    /// Whether echo stays off from the first question on.
    private nonisolated(unsafe) static var staysQuiet = false
    /// Whether echo is off because of a question that is over.
    private nonisolated(unsafe) static var isQuiet = false
    /// Whether Ctrl-C at a question ends the question, and not the program: in a shell that a person types
    /// into. A shell whose commands come from a file ends, because its next command would run unasked.
    package nonisolated(unsafe) static var outlivesInterrupts = false
    private nonisolated(unsafe) static var isAsking = false
    private nonisolated(unsafe) static var wasInterrupted = false

    /// The first row, the screen, and what scrolled off it.
    static let clearing: StaticString = "\u{1b}[H\u{1b}[2J\u{1b}[3J"

    /// Whether the terminal showed what is typed before its mode was changed.
    static var echoed: Bool { saved.c_lflag & tcflag_t(ECHO) != 0 }

    /// nil where this is not a terminal.
    /// - Parameters:
    ///   - flags: of `c_lflag`, such as `ECHO`.
    ///   - clears: whether a signal clears the screen, too.
    package init?(_ terminal: Int32, without flags: Int32, clears: Bool = false) {
        // After a question the terminal is not as the person's shell left it.
        if !Self.isQuiet {
            guard tcgetattr(terminal, &Self.saved) == 0 else { return nil }
            // A shell gives the terminal modes of its own while this program is stopped, and what is typed
            // after `fg` would be shown.
            Self.stopping = signal(SIGTSTP, SIG_IGN)
        }
        (Self.wasInterrupted, Self.isAsking) = (false, Self.outlivesInterrupts)
        Self.hold(terminal, without: flags, clears: clears)
    }

    /// Whether Ctrl-C has come since the question began, or since this was asked last.
    package static func takeInterrupt() -> Bool {
        defer { wasInterrupted = false }
        return wasInterrupted
    }

    /// Removes these flags from the mode that the terminal had before the first question, and restores them
    /// if a signal ends the program.
    private static func hold(_ terminal: Int32, without flags: Int32, clears: Bool) {
        Self.descriptor = terminal
        Self.isCleared = clears
        // Made before a signal needs it.
        _ = Self.clearing
        var mode = Self.saved
        mode.c_lflag &= ~tcflag_t(flags)
        Self.held = mode
        tcsetattr(terminal, TCSAFLUSH, &mode)
        signal(SIGTSTP, SIG_IGN)
        signal(SIGCONT) { _ in tcsetattr(TerminalMode.descriptor, TCSANOW, &TerminalMode.held) }
        for number in Self.signals {
            signal(number) { number in
                if TerminalMode.isCleared {
                    _ = write(
                        TerminalMode.descriptor, TerminalMode.clearing.utf8Start,
                        TerminalMode.clearing.utf8CodeUnitCount)
                }
                if number == SIGINT, TerminalMode.isAsking {
                    TerminalMode.wasInterrupted = true
                    return
                }
                tcsetattr(TerminalMode.descriptor, TCSANOW, &TerminalMode.saved)
                TerminalMode.sayLastWords(to: TerminalMode.descriptor)
                _exit(128 + number)
            }
        }
    }

    /// What a person must know who ends the program now; nil for nothing.
    package static func setLastWords(_ sentence: String?) {
        lastWords = Array(((sentence ?? "") + "\n").utf8)
    }

    /// Allocates nothing, so that a signal handler may call it.
    private static func sayLastWords(to descriptor: Int32) {
        lastWords.withUnsafeBytes { _ = write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Ends the mode. Within ``quietly(_:)`` the terminal takes lines again and does not echo them.
    package func restore() {
        Self.isAsking = false
        guard Self.descriptor >= 0 else { return }
        guard Self.staysQuiet else { return Self.giveBack() }
        Self.isQuiet = true
        Self.hold(Self.descriptor, without: ECHO, clears: false)
    }

    /// Runs one command. From its first question to its end only the program itself prints, and what was
    /// typed meanwhile is dropped.
    package static func quietly<Result: ~Copyable>(_ body: () throws -> Result) rethrows -> Result {
        let (stayed, was) = (staysQuiet, isQuiet)
        staysQuiet = true
        defer {
            staysQuiet = stayed
            // A shell, or the process that this one is a child of, may have been quiet before.
            if isQuiet, !was { giveBack() }
        }
        return try body()
    }

    /// The terminal as it was before the first question.
    static func giveBack() {
        guard Self.descriptor >= 0 else { return }
        Self.isQuiet = false
        signal(SIGCONT, SIG_DFL)
        signal(SIGTSTP, Self.stopping)
        tcsetattr(Self.descriptor, TCSAFLUSH, &Self.saved)
        Self.descriptor = -1
        for number in Self.signals {
            signal(number) { number in
                // The next prompt of the shell starts on a new line, not beside a question.
                TerminalMode.sayLastWords(to: STDERR_FILENO)
                _exit(128 + number)
            }
        }
    }
}
