import Glibc
import SystemIO

/// A key that a person pressed while something is shown.
package enum KeyPressed: Equatable {
    /// Enter, the space bar, an arrow down or to the right, and any key that means nothing else.
    case next
    /// `b`, backspace, an arrow up or to the left.
    case back
    /// `q`, or Esc alone.
    case leave

    /// What one press has sent: an arrow is three bytes.
    init(_ bytes: [UInt8]) {
        switch bytes {
        case [0x1b], [UInt8(ascii: "q")], [UInt8(ascii: "Q")]: self = .leave
        case [UInt8(ascii: "b")], [UInt8(ascii: "B")], [0x7f], [0x08]: self = .back
        case [0x1b, UInt8(ascii: "["), UInt8(ascii: "A")], [0x1b, UInt8(ascii: "["), UInt8(ascii: "D")]:
            self = .back
        default: self = .next
        }
    }
}

extension Console {
    /// Waits for a key, which is not echoed.
    /// - Parameters:
    ///   - milliseconds: how often `tick` is called meanwhile.
    ///   - clears: whether a signal that ends the program clears the screen first, because a secret stands
    ///     there.
    ///   - tick: ends the wait by true.
    ///   - show: shows what the key answers. By then the terminal gives single keys: whoever sees the text
    ///     may press one at once, and a signal
    ///     clears it from its first line on.
    /// - Returns: nil where `tick` ended it.
    /// - Throws: ``CommandError/interrupted`` after Ctrl-C, which arrives as a key: the terminal is as it was
    ///   before, whatever was on it.
    package func key(
        every milliseconds: Int32 = 1000, clears: Bool = false, tick: () -> Bool = { false },
        showing show: () -> Void = {}
    ) throws(CommandError) -> KeyPressed? {
        guard let terminal, let mode = TerminalMode(terminal, without: ECHO | ICANON | ISIG, clears: clears)
        else { throw .interrupted }
        defer { mode.restore() }
        show()
        guard try awaitInput(on: terminal, every: milliseconds, tick: tick) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = bytes.withUnsafeMutableBytes { Descriptor.readSome(terminal, into: $0) }
        guard count > 0, bytes[0] != Self.interruption else { throw .interrupted }
        return KeyPressed(Array(bytes.prefix(count)))
    }

    /// What Ctrl-C sends where it raises no signal.
    private static let interruption: UInt8 = 0x03
}
