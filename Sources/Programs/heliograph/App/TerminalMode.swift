import Glibc

/// A terminal that echoes nothing, or gives single key presses, until ``restore()`` or a signal that ends the program: a terminal that is left so
/// shows nothing that a person types afterwards.
struct TerminalMode {
    private nonisolated(unsafe) static var saved = termios()
    private nonisolated(unsafe) static var descriptor: Int32 = -1
    private nonisolated(unsafe) static var isCleared = false
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// The first row, the screen, and what scrolled off it.
    static let clearing: StaticString = "\u{1b}[H\u{1b}[2J\u{1b}[3J"

    /// nil where this is no terminal.
    /// - Parameters:
    ///   - flags: of `c_lflag`, such as `ECHO`.
    ///   - clears: whether a signal clears the screen, too.
    init?(_ terminal: Int32, without flags: Int32, clears: Bool = false) {
        guard tcgetattr(terminal, &Self.saved) == 0 else { return nil }
        Self.descriptor = terminal
        Self.isCleared = clears
        // Made before a signal needs it.
        _ = Self.clearing
        var mode = Self.saved
        mode.c_lflag &= ~tcflag_t(flags)
        tcsetattr(terminal, TCSAFLUSH, &mode)
        for number in Self.signals {
            signal(number) { number in
                if TerminalMode.isCleared {
                    _ = write(TerminalMode.descriptor, TerminalMode.clearing.utf8Start, TerminalMode.clearing.utf8CodeUnitCount)
                }
                tcsetattr(TerminalMode.descriptor, TCSANOW, &TerminalMode.saved)
                _exit(128 + number)
            }
        }
    }

    func restore() {
        guard Self.descriptor >= 0 else { return }
        tcsetattr(Self.descriptor, TCSAFLUSH, &Self.saved)
        Self.descriptor = -1
        for number in Self.signals { signal(number) { _exit(128 + $0) } }
    }
}
