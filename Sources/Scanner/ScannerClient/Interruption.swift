import Glibc

/// Ctrl-C while a scanner runs ends the scanner and not this program, so that it can tell what was collected.
///
/// One scan runs at a time. The disposition from before comes back with ``end()``.
struct Interruption {
    private nonisolated(unsafe) static var scanner: pid_t = 0
    private nonisolated(unsafe) static var wasCaught = false

    private var before = sigaction()

    init(endsScanner process: pid_t) {
        Self.scanner = process
        Self.wasCaught = false
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            Interruption.wasCaught = true
            // The reader wakes when the scanner's end of the pipe closes, wherever the signal found it.
            kill(Interruption.scanner, SIGKILL)
        }
        sigaction(SIGINT, &action, &before)
    }

    /// Call it before the scanner is reaped: after that its number may be another process's.
    /// - Returns: whether the person interrupted the scan.
    mutating func end() -> Bool {
        sigaction(SIGINT, &before, nil)
        return Self.wasCaught
    }
}
