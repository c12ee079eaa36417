import Glibc

/// Ctrl-C while a scanner runs ends the scanner and not this program, which then reports what was collected.
///
/// One scan runs at a time. ``end()`` restores the previous signal disposition.
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
            // The reader wakes when the scanner's end of the pipe closes, whatever it was doing when the
            // signal came.
            kill(Interruption.scanner, SIGKILL)
        }
        sigaction(SIGINT, &action, &before)
    }

    /// Call it before the scanner is reaped: after that its process id may belong to another process.
    /// - Returns: whether the person interrupted the scan.
    mutating func end() -> Bool {
        sigaction(SIGINT, &before, nil)
        return Self.wasCaught
    }
}
