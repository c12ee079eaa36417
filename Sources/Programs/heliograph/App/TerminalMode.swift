import Glibc

/// A terminal that echoes nothing, or gives single key presses, until ``restore()`` or Ctrl-C: a terminal that is left so shows nothing that a
/// person types afterwards.
struct TerminalMode {
    private nonisolated(unsafe) static var saved = termios()
    private nonisolated(unsafe) static var descriptor: Int32 = -1

    /// nil where this is no terminal.
    /// - Parameter flags: of `c_lflag`, such as `ECHO`.
    init?(_ terminal: Int32, without flags: Int32) {
        guard tcgetattr(terminal, &Self.saved) == 0 else { return nil }
        Self.descriptor = terminal
        var mode = Self.saved
        mode.c_lflag &= ~tcflag_t(flags)
        tcsetattr(terminal, TCSAFLUSH, &mode)
        signal(SIGINT) { _ in
            tcsetattr(TerminalMode.descriptor, TCSANOW, &TerminalMode.saved)
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
