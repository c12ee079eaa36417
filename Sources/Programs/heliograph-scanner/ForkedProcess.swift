import Glibc
import Sandbox

/// A disposable copy of this process, with a pipe to it and one from it whose ends here do not block.
struct ForkedProcess {
    private let id: pid_t
    let requests: Int32
    let answers: Int32

    /// - Parameter work: what the copy does with its ends of the two pipes.
    init(_ work: (_ input: Int32, _ output: Int32) -> Never) throws(SandboxError) {
        guard let down = Sandbox.pipe(), let up = Sandbox.pipe() else {
            throw SandboxError(.limits, errno: errno)
        }
        guard let id = try Sandbox.fork() else { work(down.reading, up.writing) }
        close(down.reading)
        close(up.writing)
        self.id = id
        requests = down.writing
        answers = up.reading
        for descriptor in [requests, answers] {
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            Sandbox.widenPipe(descriptor)
        }
    }

    /// Seconds of processor time that it has used; 0 when it is gone.
    var processorTime: Double {
        var (clock, time) = (clockid_t(), timespec())
        guard clock_getcpuclockid(id, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Closes the pipes and ends the process. Returns the signal that it had died of before, if any.
    func end() -> Int32? {
        close(requests)
        close(answers)
        return Sandbox.end(id)
    }
}
