import CSeccomp
import Glibc
import SystemIO

/// The stricter sandbox of a process that parses untrusted input.
extension Sandbox {
    /// What a worker process may use.
    public struct WorkerLimits: Sendable {
        /// Address space in bytes, what the process inherited included.
        public var memory: UInt64
        /// Processor time in seconds over the whole life of the process.
        public var processorTime: UInt64

        public init(memory: UInt64, processorTime: UInt64) {
            self.memory = memory
            self.processorTime = processorTime
        }
    }

    /// Forks. The child has one thread and shares no memory that either side can write.
    ///
    /// The caller must have one thread only, so that no lock is held by a thread that the child does not
    /// have.
    /// - Returns: nil in the child, its process id in the parent.
    public static func fork() throws(SandboxError) -> pid_t? {
        let process = heliograph_fork()
        guard process >= 0 else { throw SandboxError(.limits, errno: errno) }
        return process == 0 ? nil : process
    }

    /// Closes every descriptor but two, standard error included: libraries must not write to the terminal.
    public static func closeDescriptors(except first: Int32, _ second: Int32) throws(SandboxError) {
        let kept = [UInt32(min(first, second)), UInt32(max(first, second))]
        let gaps = [(0, kept[0] &- 1), (kept[0] + 1, kept[1] - 1), (kept[1] + 1, UInt32.max)]
        for (from, to) in gaps where from <= to && !(from == 0 && kept[0] == 0) {
            guard heliograph_close_range(from, to) == 0 else { throw SandboxError(.limits, errno: errno) }
        }
    }

    /// Leaves a worker read and write on the descriptors it has, memory that is not executable, and exit.
    /// Nothing can be opened, started or sent afterwards: opening fails, any other system call kills the
    /// process. It also dies with its parent.
    public static func becomeWorker(_ limits: WorkerLimits) throws(SandboxError) {
        try dieWithParent()
        try limit(RLIMIT_AS, to: limits.memory)
        try limit(RLIMIT_CPU, to: limits.processorTime)
        try limit(RLIMIT_FSIZE, to: 0)
        guard heliograph_no_new_privileges() == 0 else { throw SandboxError(.noNewPrivileges, errno: errno) }
        // sysinfo: glibc's qsort asks once how much memory there is. The clocks are usually read without a
        // system call. openat: zbar opens character set converters for every code, in binary mode too, and
        // does without when it cannot.
        try SystemCallFilter.allowOnly(
            [
                "read", "write", "exit", "exit_group", "brk", "munmap", "mremap", "madvise", "futex",
                "clock_gettime", "gettimeofday",
                "sysinfo", "rt_sigreturn", "restart_syscall",
            ], refusing: ["open", "openat"])
    }

    /// Ends this process when the one that started it ends.
    public static func dieWithParent() throws(SandboxError) {
        guard heliograph_die_with_parent() == 0 else { throw SandboxError(.limits, errno: errno) }
    }

    /// Microseconds of the last pause in which a process may still end by itself; each pause is twice the one
    /// before.
    private static let longestPause: UInt32 = 16_000

    /// Ends a forked process whose pipes are closed. Returns the signal that had already killed it, if any.
    public static func end(_ process: pid_t) -> Int32? {
        var status: Int32 = 0
        // It may be exiting already: its pipe closes before its status is available.
        var pause: UInt32 = 250
        while waitpid(process, &status, WNOHANG) == 0 {
            guard pause <= longestPause else {
                kill(process, SIGKILL)
                _ = ProcessStatus.wait(for: process)
                return nil
            }
            usleep(pause)
            pause *= 2
        }
        return ProcessStatus(word: status).signal
    }

    /// Gives up the controlling terminal, which would let this process read what a person types; before
    /// ``lockDown(_:)``.
    ///
    /// Ctrl-C still arrives: it goes to the process group. A process that leads its session keeps its
    /// terminal, because giving it up would end everything that runs on it; Landlock and seccomp keep it from
    /// opening and using it all the same.
    public static func leaveTerminal() {
        guard getsid(0) != getpid() else { return }
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return }
        _ = heliograph_leave_terminal(terminal)
        close(terminal)
    }

    /// Makes a write to a closed pipe fail instead of killing this process.
    public static func ignoreBrokenPipes() { _ = heliograph_ignore_signal(SIGPIPE) }

    /// A pipe that no program started later inherits: its reading and its writing end. Nil with `errno` when
    /// there is none.
    public static func pipe() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [-1, -1]
        return heliograph_pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
    }

    /// Asks for a pipe buffer that holds a whole picture or most of it, 1 MiB. Anything but a pipe, and a
    /// pipe that may not grow, stays as it is.
    public static func widenPipe(_ descriptor: Int32) { _ = heliograph_pipe_size(descriptor, 1 << 20) }

    /// Keeps up to 32 MiB of freed memory for the next picture of the same size. This is only for speed:
    /// memory that was returned to the kernel comes back page by page, with a page fault for each.
    public static func keepFreedMemory() { _ = heliograph_keep_memory(16 << 20) }

    private static func limit(_ resource: __rlimit_resource, to value: UInt64) throws(SandboxError) {
        var limits = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        guard setrlimit(__rlimit_resource_t(resource.rawValue), &limits) == 0 else {
            throw SandboxError(.limits, errno: errno)
        }
    }
}
