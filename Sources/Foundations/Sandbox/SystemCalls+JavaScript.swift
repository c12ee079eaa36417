import CSeccomp
import Glibc

extension SystemCallList {
    /// `nodejs` while it starts and runs a script that reads and writes open descriptors. Found by tracing it.
    ///
    /// Unlike for the programs of this project, memory may become executable: it compiles. It has threads and no other process. The descriptors
    /// that its event loop makes are the last ones: ``ConfinedProgram/refuseDescriptors()`` ends that before untrusted bytes come.
    static let javaScript = SystemCallGroup(
        "start, compile, run threads, read and write open descriptors",
        [
            // Ending and signals
            "exit", "exit_group", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall",
            // Time, threads and randomness
            "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "futex", "sched_yield", "sched_getaffinity",
            "getrandom", "set_robust_list", "set_tid_address", "rseq", "arch_prctl", "membarrier", "getrusage", "times",
            // Who and where it is
            "getpid", "getppid", "gettid", "getuid", "geteuid", "getgid", "getegid", "capget", "getcwd", "uname", "sysinfo",
            // Memory; V8 protects its code with keys where the processor has them
            "brk", "mmap", "munmap", "mremap", "mprotect", "madvise", "pkey_alloc", "pkey_free", "pkey_mprotect",
            // Descriptors
            "read", "readv", "pread64", "write", "writev", "close", "lseek", "dup", "poll", "ppoll", "pipe2", "eventfd2", "epoll_create1",
            "epoll_ctl", "epoll_wait", "epoll_pwait",
            // Looking at files
            "fstat", "stat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2", "readlink", "readlinkat",
            // Its own start; Landlock says what can be started, and nothing can once libraries cannot be opened
            "execve",
        ],
        limited: [
            // A thread, and never another process.
            LimitedCall("clone", .init(argument: 0, mask: cloneThread, value: cloneThread)),
            // Reading limits, not setting them.
            LimitedCall("prlimit64", .init(argument: 2, mask: .max, value: 0)),
            // Opening for reading; Landlock says what.
            LimitedCall("open", .argument(1, lacks: writingFlags)), LimitedCall("openat", .argument(2, lacks: writingFlags)),
            // Whether a descriptor is a terminal, and whether it blocks.
            LimitedCall("ioctl", .argument(1, is: Int32(TCGETS))), LimitedCall("ioctl", .argument(1, is: Int32(FIONBIO))),
        ] + [F_GETFD, F_SETFD, F_GETFL, F_SETFL, HELIOGRAPH_F_DUPFD_CLOEXEC].map { LimitedCall("fcntl", .argument(1, is: $0)) })

    /// `CLONE_THREAD`
    private static let cloneThread: UInt64 = 0x0001_0000
}
