import Glibc

/// How a process ended.
public struct ProcessStatus: Equatable, Sendable {
    /// The status word of `wait(2)`.
    private let word: Int32

    public init(word: Int32) { self.word = word }

    /// What the process exited with, 0 to 255; nil when a signal ended it.
    public var code: Int32? { word & 0x7f == 0 ? word >> 8 & 0xff : nil }

    /// The signal that ended the process; nil when it exited.
    public var signal: Int32? { word & 0x7f == 0 ? nil : word & 0x7f }

    /// Waits until a child has ended.
    /// - Returns: nil when there is nothing to wait for: it is not a child, or its status was already
    ///   collected.
    public static func wait(for child: pid_t) -> ProcessStatus? {
        var word: Int32 = 0
        return retrying { waitpid(child, &word, 0) } == child ? ProcessStatus(word: word) : nil
    }
}
