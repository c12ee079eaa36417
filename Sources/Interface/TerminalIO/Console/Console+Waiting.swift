import AirGap
import Glibc
import SystemIO

/// Waiting for what is typed.
extension Console {
    package static let endOfTransmission: UInt8 = 0x04
    /// Ctrl-U
    static let lineErase: UInt8 = 0x15
    /// Ctrl-W
    static let wordErase: UInt8 = 0x17

    /// One byte of what is pressed; nil at the end of the input.
    package func byte(from terminal: Int32) throws(CommandError) -> UInt8? {
        try awaitInput(on: terminal)
        var byte: UInt8 = 0
        return retrying { read(terminal, &byte, 1) } == 1 ? byte : nil
    }

    /// Returns when there is something to read, or a signal came that `isInterrupted` tells of.
    /// - Throws: ``CommandError/idle(seconds:)`` when nothing came for as long as ``patience`` says, by a
    ///   clock that also runs while the machine sleeps; ``CommandError/wentOnline`` within about a second of
    ///   that; ``CommandError/interrupted`` after Ctrl-C in a shell.
    package func awaitInput(on descriptor: Int32, unless isInterrupted: () -> Bool = { false })
        throws(CommandError)
    {
        _ = try awaitInput(on: descriptor, every: 1000, tick: isInterrupted)
    }

    /// Waits as ``awaitInput(on:unless:)`` does, and calls `tick` meanwhile.
    /// - Parameter tick: called every `milliseconds`, at least once a second; returning true ends the wait.
    /// - Returns: whether there is something to read.
    func awaitInput(on descriptor: Int32, every milliseconds: Int32, tick: () -> Bool) throws(CommandError)
        -> Bool
    {
        let start = Self.secondsSinceBoot()
        var second = start
        while true {
            // Woken each second, because the wait itself does not count the time asleep.
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&entry, 1, min(milliseconds, 1000))
            if TerminalMode.takeInterrupt() { throw .interrupted }
            let now = Self.secondsSinceBoot()
            if endsWhenOnline, ready == 0, now != second, Shield().report().isOnline {
                throw .wentOnline
            }
            second = now
            if let patience, now >= start + patience { throw .idle(seconds: patience) }
            if ready > 0 { return true }
            if tick() { return false }
        }
    }

    private static func secondsSinceBoot() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return time.tv_sec
    }
}
