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

    /// One key that is pressed; nil at the end of the input.
    ///
    /// An arrow, Delete or a function key sends several bytes, with digits and letters among them, and so
    /// does a letter beyond ASCII. Counted byte by byte, Delete would be the roll of a three. A sequence is
    /// at its end where ECMA-48 ends it, or where nothing follows at once: Esc alone.
    /// - Returns: the last byte, which tells such keys apart, and whether others came before it.
    package func press(from terminal: Int32) throws(CommandError) -> (byte: UInt8, isSequence: Bool)? {
        guard let first = try byte(from: terminal) else { return nil }
        guard first == KeySequence.escape || first >= 0xc0 else { return (first, isSequence: false) }
        var press = KeySequence(first)
        while !press.isWhole, let next = following(on: terminal) { press.add(next) }
        return (press.last, isSequence: true)
    }

    /// What the same key sent, at once behind its first byte.
    private func following(on terminal: Int32) -> UInt8? {
        var entry = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        var byte: UInt8 = 0
        guard retrying({ poll(&entry, 1, Self.sequencePause) }) > 0 else { return nil }
        return retrying { read(terminal, &byte, 1) } == 1 ? byte : nil
    }

    /// Milliseconds within which a terminal sends the rest of a sequence; a person is slower.
    private static let sequencePause: Int32 = 50

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

/// The bytes of one key: a control sequence of ECMA-48, a single shift, Alt with a key, or UTF-8.
struct KeySequence {
    static let escape: UInt8 = 0x1b

    private enum State {
        /// After ESC, however often: some terminals send it for Alt.
        case escape
        /// After ESC and `[`, before the first byte that follows.
        case control
        /// Parameters and intermediates, up to the byte that ends them.
        case parameters
        /// So many bytes are missing.
        case missing(Int)
        case whole
    }

    private var state: State
    private(set) var last: UInt8
    /// Longer than what any key sends.
    private var room = 32

    init(_ first: UInt8) {
        last = first
        state =
            switch first {
            case Self.escape: .escape
            case 0xc0..<0xe0: .missing(1)
            case 0xe0..<0xf0: .missing(2)
            case 0xf0...: .missing(3)
            default: .whole
            }
    }

    var isWhole: Bool {
        switch state {
        case .whole: true
        case .escape, .control, .parameters, .missing: room == 0
        }
    }

    mutating func add(_ byte: UInt8) {
        last = byte
        room -= 1
        switch state {
        case .escape:
            switch byte {
            case Self.escape: break
            case UInt8(ascii: "["): state = .control
            case UInt8(ascii: "O"): state = .missing(1)
            default: state = KeySequence(byte).state
            }
        // The console of Linux sends ESC [ [ A for F1.
        case .control: state = byte == UInt8(ascii: "[") ? .missing(1) : after(parameter: byte)
        case .parameters: state = after(parameter: byte)
        case .missing(let count): state = count > 1 ? .missing(count - 1) : .whole
        case .whole: break
        }
    }

    private func after(parameter byte: UInt8) -> State { (0x20...0x3f).contains(byte) ? .parameters : .whole }
}
