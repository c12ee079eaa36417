import CSeccomp
import Glibc

/// Bounds on the processor time and the memory of work on bytes from outside, in the process that does it.
///
/// A clock of the process's own processor time ticks while the work runs; each tick compares both with their
/// bounds. What asks for more memory at once than the bound leaves fails at the kernel's limit. Either way
/// the process ends with words that were made before the work began: a signal handler can write them and end,
/// and nothing else. Secrets end with the process's memory.
public enum WorkLimit {
    /// How much the work may use before the process ends.
    public struct Bounds: Sendable, Equatable {
        /// Seconds of processor time.
        public let processorTime: Double
        /// Bytes of memory that only this process can write: `RLIMIT_DATA`.
        public let memory: UInt64

        public init(processorTime: Double, memory: UInt64) {
            self.processorTime = processorTime
            self.memory = memory
        }

        /// The kernel's limit, a quarter higher, so that a tick notices growing memory before the kernel
        /// refuses it.
        public var kernelLimit: UInt64 { memory + memory / 4 }
    }

    /// How the process ends at a bound: what it writes to standard output and standard error.
    public struct Ending: Sendable {
        public let output: [UInt8]
        public let error: [UInt8]

        public init(output: [UInt8], error: [UInt8]) {
            self.output = output
            self.error = error
        }
    }

    /// Seconds of processor time between two looks at the bounds.
    private static let tick = 0.01
    /// All that the signal handler may use: it must neither allocate nor touch data that the interrupted code
    /// may be changing.
    private nonisolated(unsafe) static let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    private nonisolated(unsafe) static let isRunning: UnsafeMutablePointer<Bool> = {
        let flag = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
        flag.initialize(to: false)
        return flag
    }()

    private struct State {
        var bounds: Bounds
        /// Of the process's own processor time, in nanoseconds.
        var deadline: UInt64
        let code: Int32
        let onTime: Message
        let onMemory: Message
        /// For `/proc/self/statm`.
        let buffer: UnsafeMutableBufferPointer<UInt8>
        let path: UnsafeMutablePointer<CChar>
    }

    private struct Message {
        let output: UnsafeMutableBufferPointer<UInt8>
        let error: UnsafeMutableBufferPointer<UInt8>

        init(_ ending: Ending) {
            func copy(_ bytes: [UInt8]) -> UnsafeMutableBufferPointer<UInt8> {
                let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
                _ = buffer.initialize(from: bytes)
                return buffer
            }
            output = copy(ending.output)
            error = copy(ending.error)
        }

        func deallocate() {
            output.deallocate()
            error.deallocate()
        }
    }

    /// Runs `body` within `bounds`; where one is reached, the process ends with `code`. Inside another such
    /// call only the outer bounds hold.
    public static func run<R: ~Copyable, E: Error>(
        _ bounds: Bounds, code: Int32, onTime: Ending, onMemory: Ending, _ body: () throws(E) -> R
    ) throws(E) -> R {
        guard !isRunning.pointee else { return try body() }
        state.initialize(
            to: State(
                bounds: bounds, deadline: processorTime() + UInt64(bounds.processorTime * 1e9), code: code,
                onTime: Message(onTime),
                onMemory: Message(onMemory), buffer: .allocate(capacity: 256),
                path: strdup("/proc/self/statm")))
        arm()
        defer {
            disarm()
            state.pointee.onTime.deallocate()
            state.pointee.onMemory.deallocate()
            state.pointee.buffer.deallocate()
            free(state.pointee.path)
        }
        return try body()
    }

    /// Runs `body` outside the bounds: work whose cost nobody outside chooses, such as deriving a key from a
    /// passphrase.
    public static func suspended<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        guard isRunning.pointee else { return try body() }
        let left = state.pointee.deadline - min(state.pointee.deadline, processorTime())
        disarm()
        defer {
            state.pointee.deadline = processorTime() + left
            arm()
        }
        return try body()
    }

    /// Gives the whole processor time again: for the next code of a long video.
    public static func renew() {
        guard isRunning.pointee else { return }
        state.pointee.deadline = processorTime() + UInt64(state.pointee.bounds.processorTime * 1e9)
    }

    /// Limits the memory of this process for the rest of its life. ``run(_:code:onTime:onMemory:_:)`` lowers
    /// the same limit of the kernel for a while.
    public static func limitMemory(to bytes: UInt64) throws(SandboxError) {
        var limit = rlimit()
        guard getrlimit(dataLimit, &limit) == 0 else { throw SandboxError(.limits, errno: errno) }
        limit.rlim_max = min(limit.rlim_max, rlim_t(bytes))
        limit.rlim_cur = min(limit.rlim_cur, rlim_t(bytes))
        guard setrlimit(dataLimit, &limit) == 0 else { throw SandboxError(.limits, errno: errno) }
    }

    /// For a program that was started inside the bounds of another one's work.
    public static func useWholeMemory() { setSoftLimit(.max) }

    // MARK: Switching

    private static var dataLimit: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_DATA.rawValue) }

    /// A limit that was lower before stays: a person may have set it.
    private nonisolated(unsafe) static var before = rlimit()

    private static func arm() {
        // Made now: the handler must not make anything.
        _ = pageSize
        isRunning.pointee = true
        getrlimit(dataLimit, &before)
        let bounds = state.pointee.bounds
        setSoftLimit(min(UInt64(before.rlim_cur), bounds.kernelLimit))
        state.pointee.bounds = Bounds(
            processorTime: bounds.processorTime, memory: min(UInt64(before.rlim_cur), bounds.memory))
        _ = heliograph_handle_signal(SIGPROF) { _ in WorkLimit.look() }
        _ = heliograph_handle_signal(SIGABRT) { _ in WorkLimit.failed() }
        setTimer(tick)
    }

    private static func disarm() {
        setTimer(0)
        _ = heliograph_default_signal(SIGABRT)
        // A tick that is on its way must not end the process.
        _ = heliograph_ignore_signal(SIGPROF)
        setSoftLimit(UInt64(before.rlim_cur))
        isRunning.pointee = false
    }

    private static func setSoftLimit(_ bytes: UInt64) {
        var limit = rlimit()
        guard getrlimit(dataLimit, &limit) == 0 else { return }
        limit.rlim_cur = min(rlim_t(bytes), limit.rlim_max)
        setrlimit(dataLimit, &limit)
    }

    private static func setTimer(_ seconds: Double) {
        let interval = timeval(tv_sec: 0, tv_usec: suseconds_t(seconds * 1e6))
        var timer = itimerval(it_interval: interval, it_value: interval)
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
    }

    // MARK: In the handler

    private static func processorTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private static func look() {
        guard isRunning.pointee else { return }
        if processorTime() > state.pointee.deadline { end(state.pointee.onTime) }
        if memory() > state.pointee.bounds.memory { end(state.pointee.onMemory) }
    }

    /// The Swift runtime aborts if the kernel refuses memory. A growing array asks for about as much again as
    /// it has, so at least a quarter of the bound is in use then. If less is in use, something else is wrong,
    /// and the process ends as it would without bounds.
    private static func failed() {
        if isRunning.pointee, memory() > state.pointee.bounds.memory / 4 { end(state.pointee.onMemory) }
        _ = heliograph_default_signal(SIGABRT)
    }

    private static func end(_ message: Message) -> Never {
        _ = write(STDOUT_FILENO, message.output.baseAddress, message.output.count)
        _ = write(STDERR_FILENO, message.error.baseAddress, message.error.count)
        _exit(state.pointee.code)
    }

    /// Bytes of writable private memory, the sixth number of `/proc/self/statm`; 0 where that cannot be read,
    /// so that only the kernel's own limit holds.
    private static func memory() -> UInt64 {
        let descriptor = open(state.pointee.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        let count = read(descriptor, state.pointee.buffer.baseAddress, state.pointee.buffer.count)
        close(descriptor)
        var (field, pages): (Int, UInt64) = (0, 0)
        var index = 0
        while index < count {
            let byte = state.pointee.buffer[index]
            if byte == UInt8(ascii: " ") {
                field += 1
            } else if field == 5, byte >= 48, byte <= 57 {
                pages = pages &* 10 &+ UInt64(byte &- 48)
            }
            index += 1
        }
        return pages &* pageSize
    }

    private static let pageSize = UInt64(sysconf(Int32(_SC_PAGESIZE)))
}
