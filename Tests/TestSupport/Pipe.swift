import Glibc
import SystemIO

/// A pipe that no program started later inherits; its ends are closed with it.
public final class Pipe {
    /// -1 once it is closed.
    public private(set) var reading: Int32
    /// -1 once it is closed or taken.
    public private(set) var writing: Int32

    public init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError(.open, "a pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        closeReading()
        closeWriting()
    }

    public func closeReading() {
        if reading >= 0 { close(reading) }
        reading = -1
    }

    public func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }

    /// The writing end, which the caller closes from now on.
    public func takeWriting() -> Int32 {
        defer { writing = -1 }
        return writing
    }
}
