import CSeccomp
import Glibc

/// What a program may still ask of the kernel, a group for each thing that it does.
///
/// A call that is on no list fails: a kernel that learns a new call gives a locked-down program nothing new.
/// A name that this architecture does not have (`open` on aarch64) is left out when the filter is built.
public struct SystemCallGroup: Sendable, Equatable {
    /// What the program does with these calls.
    public let reason: String
    /// Allowed whatever their arguments are.
    public let names: [String]
    /// Allowed where one of these conditions holds.
    let limited: [LimitedCall]

    init(_ reason: String, _ names: [String], limited: [LimitedCall] = []) {
        self.reason = reason
        self.names = names
        self.limited = limited
    }

    /// All names of the group, each once.
    public var allNames: [String] {
        names + limited.map(\.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

/// A call that is allowed for some arguments only.
struct LimitedCall: Sendable, Equatable {
    /// Holds where `(argument & mask) == value`.
    struct Condition: Sendable, Equatable {
        let argument: UInt32
        let mask: UInt64
        let value: UInt64
    }

    let name: String
    /// All of them must hold. Several rows of one name: one of the rows must hold.
    let conditions: [Condition]

    init(_ name: String, _ conditions: Condition...) {
        self.name = name
        self.conditions = conditions
    }
}

extension LimitedCall.Condition {
    /// The kernel reads 32 bits of such an argument, so the bits above say nothing.
    static func argument(_ number: UInt32, is value: Int32) -> Self {
        Self(argument: number, mask: 0xffff_ffff, value: UInt64(UInt32(bitPattern: value)))
    }

    static func argument(_ number: UInt32, lacks bits: Int32) -> Self {
        Self(argument: number, mask: UInt64(UInt32(bitPattern: bits)), value: 0)
    }

}

/// The lists of allowed calls. They were found by tracing every session of `Tests/Sessions` (`tools/dev
/// calls`). Calls that the C libraries make instead on another architecture or in another version were added
/// by reading their sources.
enum SystemCallList {
    /// Calls that every program needs for any command. `kill` is not among them, because a program without
    /// children has no process to end.
    static func always(process: pid_t) -> [SystemCallGroup] {
        [ending(process), time, memory, descriptors, terminal]
    }

    /// Ending: `abort` sends a signal to its own thread.
    private static func ending(_ process: pid_t) -> SystemCallGroup {
        SystemCallGroup(
            "end, and handle signals",
            [
                "exit", "exit_group", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack",
                "restart_syscall",
            ],
            limited: [LimitedCall("tgkill", .argument(0, is: process))])
    }

    private static let time = SystemCallGroup(
        "read clocks, wait, draw random numbers, keep to limits, ask who and where the process is",
        [
            "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "futex",
            "sched_yield", "sched_getaffinity",
            "setitimer", "getrandom", "getpid", "getppid", "gettid", "getuid", "geteuid", "getgid", "getegid",
            "getcwd", "uname", "sysinfo",
        ],
        // Its own limits: ``WorkLimit`` lowers them for a while.
        limited: [LimitedCall("prlimit64", .argument(0, is: 0))])

    /// Code cannot be made: no page becomes executable, so bytes that an intruder wrote are never run.
    private static let memory = SystemCallGroup(
        "manage memory that is not executable, and lock secrets into it",
        ["brk", "munmap", "mremap", "madvise", "mlock", "mlock2", "munlock"],
        limited: [
            LimitedCall("mmap", .argument(2, lacks: PROT_EXEC)),
            LimitedCall("mprotect", .argument(2, lacks: PROT_EXEC)),
        ])

    /// No `F_SETOWN`: it sends signals to other processes.
    private static let descriptors = SystemCallGroup(
        "use descriptors that are open, and look at files",
        [
            "read", "readv", "pread64", "write", "writev", "close", "lseek", "dup", "dup2", "dup3", "poll",
            "ppoll", "select", "pselect6",
            "fstat", "stat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2", "readlink",
            "readlinkat", "getdents64",
        ],
        limited: [F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, HELIOGRAPH_F_DUPFD_CLOEXEC].map {
            LimitedCall("fcntl", .argument(1, is: $0))
        } + [
            // Opening for reading; Landlock says what.
            LimitedCall("open", .argument(1, lacks: writingFlags)),
            LimitedCall("openat", .argument(2, lacks: writingFlags)),
        ])
    static let writingFlags = O_ACCMODE | O_CREAT | O_TRUNC | HELIOGRAPH_O_TMPFILE

    /// Neither `TIOCSTI` nor `TIOCLINUX`: they put characters into the terminal as if a person had typed
    /// them.
    private static let terminal = SystemCallGroup(
        "ask a terminal for its size, switch its echo off and on, drop what was typed ahead", [],
        limited: heliographTerminalRequests.map {
            LimitedCall("ioctl", .argument(1, is: Int32(bitPattern: $0)))
        })
    /// The second four are what newer C libraries use for the first four.
    private static let heliographTerminalRequests: [UInt32] = [
        UInt32(TCGETS), UInt32(TCSETS), UInt32(TCSETSW), UInt32(TCSETSF), UInt32(TCFLSH), UInt32(TIOCGWINSZ),
        0x802c_542a, 0x402c_542b,
        0x402c_542c, 0x402c_542d,
    ]

    /// A program that has a folder to write to; Landlock says which.
    static let writing = SystemCallGroup(
        """
        write, rename and lock files of a vault, bring them to the disk, and ask what kind of file system \
        they are on
        """,
        [
            "open", "openat", "pwrite64", "pwritev", "ftruncate", "fallocate", "fsync", "fdatasync", "rename",
            "renameat", "renameat2",
            "link", "linkat", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "chmod", "fchmod",
            "fchmodat", "fchown", "umask", "flock",
            "fstatfs",
        ],
        limited: [F_GETLK, F_SETLK, F_SETLKW].map { LimitedCall("fcntl", .argument(1, is: $0)) })

    /// A program that forks copies of itself, shuts them in further, and ends them.
    static let forking = SystemCallGroup(
        "fork, shut the child in, wait for it and end it",
        [
            "fork", "vfork", "wait4", "waitid", "pipe", "pipe2", "close_range", "set_robust_list", "seccomp",
            "landlock_create_ruleset",
            "landlock_add_rule", "landlock_restrict_self",
        ],
        limited: [
            // Neither a namespace nor a thread.
            LimitedCall("clone", .argument(0, lacks: ~HELIOGRAPH_FORK_FLAGS)),
            // To whom, Landlock says: only to what this program started.
            LimitedCall("kill", .argument(1, is: SIGKILL)),
            LimitedCall("fcntl", .argument(1, is: HELIOGRAPH_F_SETPIPE_SZ)),
            LimitedCall("prctl", .argument(0, is: HELIOGRAPH_PR_SET_NO_NEW_PRIVS)),
            LimitedCall("prctl", .argument(0, is: HELIOGRAPH_PR_SET_PDEATHSIG)),
            LimitedCall("prctl", .argument(0, is: HELIOGRAPH_PR_SET_DUMPABLE), .argument(1, is: 0)),
        ])

    /// A program that starts another one, which inherits this filter: its libraries must be mapped.
    ///
    /// Such a program can map a file as code, and a file that it wrote itself is one. Memory without a file,
    /// and memory that can be written, is never executable here either. ``Sandbox/giveUpStarting(_:)`` ends
    /// it before a passphrase is asked for; only a shell, which scans again with its vault open, keeps it.
    static let starting = SystemCallGroup(
        "start the scanner in a session of its own, and map its libraries",
        ["execve", "setsid", "getsid", "arch_prctl", "set_tid_address", "rseq"],
        limited: [
            LimitedCall(
                "mmap", .init(argument: 2, mask: UInt64(PROT_EXEC | PROT_WRITE), value: UInt64(PROT_EXEC)),
                .argument(3, lacks: MAP_ANONYMOUS))
        ])

    /// A camera's requests, and nothing else that a device could be asked. V4L2 demands that a device is
    /// opened for reading and writing, so a program whose scanner opens one later may do that; Landlock says
    /// which.
    static func camera(_ use: Sandbox.CameraUse) -> SystemCallGroup {
        switch use {
        case .open(let descriptor):
            SystemCallGroup(
                "ask the open camera for pictures", [],
                limited: CameraRequest.allCases.map {
                    LimitedCall(
                        "ioctl", .argument(0, is: descriptor), .argument(1, is: Int32(bitPattern: $0.number)))
                })
        case .openedLater:
            SystemCallGroup(
                "let the scanner open a camera and ask it for pictures", [],
                limited: CameraRequest.allCases.map {
                    LimitedCall("ioctl", .argument(1, is: Int32(bitPattern: $0.number)))
                } + opening)
        }
    }

    /// A device that takes reads and writes, and no request beside them.
    static let device = SystemCallGroup("open a device for reading and writing", [], limited: opening)

    /// Sockets of the file system only: no socket of another kind can be made, so that nothing leaves the
    /// machine.
    static let localSockets = SystemCallGroup(
        "talk to a program of this machine by a socket of its file system",
        ["connect", "sendto", "recvfrom", "shutdown"],
        limited: [LimitedCall("socket", .argument(0, is: AF_UNIX))])

    /// For reading and writing, and making nothing. Landlock says what.
    private static let opening = [
        LimitedCall("open", .init(argument: 1, mask: UInt64(writingFlags), value: UInt64(O_RDWR))),
        LimitedCall("openat", .init(argument: 2, mask: UInt64(writingFlags), value: UInt64(O_RDWR))),
    ]

    /// The C library tries these first and does without where the kernel does not have them, as an older
    /// kernel does not.
    static let absent = [
        "clone3", "openat2", "fchmodat2", "preadv2", "pwritev2", "futex_waitv", "set_mempolicy_home_node",
    ]

    /// No library in these programs makes these calls, so only a program that was taken over does. The first
    /// such call kills it.
    ///
    /// Calls for sockets are not among them, because libraries make them for harmless reasons and `self-test`
    /// tries them. They fail like every call that is on no list.
    static let deadly = [
        // Other processes: their memory, their descriptors, signals that carry data.
        "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease",
        "pidfd_open", "pidfd_getfd",
        "pidfd_send_signal", "kcmp", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "tkill",
        // The kernel.
        "bpf", "perf_event_open", "userfaultfd", "init_module", "finit_module", "delete_module", "kexec_load",
        "kexec_file_load", "reboot",
        "swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "syslog", "iopl", "ioperm", "modify_ldt",
        "lookup_dcookie", "vhangup",
        // Other roots, mounts and namespaces.
        "unshare", "setns", "chroot", "pivot_root", "mount", "umount2", "fsopen", "fsconfig", "fsmount",
        "fspick", "open_tree",
        "move_mount", "mount_setattr", "open_by_handle_at", "name_to_handle_at",
        // Keys of the kernel.
        "add_key", "request_key", "keyctl",
        // Files and memory without a path, which Landlock does not see, and executable pages by other ways.
        "memfd_create", "memfd_secret", "shmget", "shmat", "shmctl", "shmdt", "msgget", "msgsnd", "msgrcv",
        "msgctl", "semget", "semop",
        "semtimedop", "semctl", "mq_open", "mq_unlink", "mq_timedsend", "mq_timedreceive", "mq_notify",
        "mq_getsetattr", "personality",
        "pkey_mprotect", "remap_file_pages",
    ]

    /// Single arguments that only a program that was taken over passes.
    static let deadlyArguments = [
        LimitedCall("mprotect", .init(argument: 2, mask: UInt64(PROT_EXEC), value: UInt64(PROT_EXEC))),
        LimitedCall("ioctl", .argument(1, is: Int32(TIOCSTI))),
        LimitedCall("ioctl", .argument(1, is: Int32(HELIOGRAPH_TIOCLINUX))),
    ]
}

extension SystemCallList {
    /// `nodejs` while it starts and runs a script that reads and writes open descriptors. Found by tracing
    /// it.
    ///
    /// Unlike for the programs of this project, memory may become executable: it compiles. It has threads and
    /// no other process. The descriptors that its event loop makes are the last ones:
    /// ``ConfinedProgram/refuseDescriptors()`` ends that before untrusted bytes come.
    static let javaScript = SystemCallGroup(
        "start, compile, run threads, read and write open descriptors",
        [
            // Ending and signals
            "exit", "exit_group", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack",
            "restart_syscall",
            // Time, threads and randomness
            "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "futex",
            "sched_yield", "sched_getaffinity",
            "getrandom", "set_robust_list", "set_tid_address", "rseq", "arch_prctl", "membarrier",
            "getrusage", "times",
            // Who and where it is
            "getpid", "getppid", "gettid", "getuid", "geteuid", "getgid", "getegid", "capget", "getcwd",
            "uname", "sysinfo",
            // Memory; V8 protects its code with keys where the processor has them
            "brk", "mmap", "munmap", "mremap", "mprotect", "madvise", "pkey_alloc", "pkey_free",
            "pkey_mprotect",
            // Descriptors
            "read", "readv", "pread64", "write", "writev", "close", "lseek", "dup", "poll", "ppoll", "pipe2",
            "eventfd2", "epoll_create1",
            "epoll_ctl", "epoll_wait", "epoll_pwait",
            // Looking at files
            "fstat", "stat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2", "readlink",
            "readlinkat",
            // Its own start; Landlock says what can be started, and nothing can once libraries cannot be
            // opened
            "execve",
        ],
        limited: [
            // A thread, and never another process.
            LimitedCall("clone", .init(argument: 0, mask: cloneThread, value: cloneThread)),
            // Reading limits, not setting them.
            LimitedCall("prlimit64", .init(argument: 2, mask: .max, value: 0)),
            // Opening for reading; Landlock says what.
            LimitedCall("open", .argument(1, lacks: writingFlags)),
            LimitedCall("openat", .argument(2, lacks: writingFlags)),
            // Whether a descriptor is a terminal, and whether it blocks.
            LimitedCall("ioctl", .argument(1, is: Int32(TCGETS))),
            LimitedCall("ioctl", .argument(1, is: Int32(FIONBIO))),
        ]
            + [F_GETFD, F_SETFD, F_GETFL, F_SETFL, HELIOGRAPH_F_DUPFD_CLOEXEC].map {
                LimitedCall("fcntl", .argument(1, is: $0))
            })

    /// `CLONE_THREAD`
    private static let cloneThread: UInt64 = 0x0001_0000
}
