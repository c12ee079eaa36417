import CSeccomp
import Glibc

/// System call filters by libseccomp. Calls of another architecture than the program's own kill the process.
enum SystemCallFilter {
    /// No socket of any family, no io_uring (which opens sockets without a system call of that name), and nothing that
    /// reaches into other processes or the kernel.
    static let networkCalls = [
        "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "io_uring_setup", "io_uring_enter", "io_uring_register",
    ]
    static let reachingCalls = [
        "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "process_madvise", "kcmp", "bpf", "perf_event_open",
        "userfaultfd",
        "add_key", "request_key", "keyctl", "unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "init_module", "finit_module",
        "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff", "acct", "quotactl", "open_by_handle_at",
    ]
    static let executingCalls = ["execve", "execveat"]

    /// For a whole program: every call is allowed except those on a list, which fail with EPERM.
    static func refuse(executes: Bool) throws(SandboxError) -> [String] {
        let names = networkCalls + reachingCalls + (executes ? [] : executingCalls)
        let filter = try Filter(otherwise: HELIOGRAPH_SECCOMP_ALLOW)
        for name in names { try filter.add(name, action: HELIOGRAPH_SECCOMP_REFUSE) }
        // TIOCSTI pushes characters into the terminal as if a person had typed them.
        try filter.add("ioctl", action: HELIOGRAPH_SECCOMP_REFUSE, argument: 1, mask: 0xffff_ffff, value: UInt64(TIOCSTI))
        try filter.load()
        return names
    }

    /// For a worker: only the calls on a list are allowed. Calls on neither list kill the process, so that it cannot probe the filter.
    static func allowOnly(_ names: [String], refusing refused: [String]) throws(SandboxError) {
        let filter = try Filter(otherwise: HELIOGRAPH_SECCOMP_KILL)
        for name in names { try filter.add(name, action: HELIOGRAPH_SECCOMP_ALLOW) }
        for name in refused { try filter.add(name, action: HELIOGRAPH_SECCOMP_REFUSE) }
        for name in ["mmap", "mprotect"] {
            try filter.add(name, action: HELIOGRAPH_SECCOMP_ALLOW, argument: 2, mask: UInt64(PROT_EXEC), value: 0)
        }
        try filter.load()
    }
}

private final class Filter {
    private let context: scmp_filter_ctx

    init(otherwise action: UInt32) throws(SandboxError) {
        guard let context = seccomp_init(action) else { throw SandboxError(.seccomp, errno: ENOMEM) }
        self.context = context
        let result = seccomp_attr_set(context, SCMP_FLTATR_CTL_TSYNC, 1)
        guard result == 0 else { throw SandboxError(.seccomp, errno: -result) }
    }

    deinit { seccomp_release(context) }

    func add(_ name: String, action: UInt32) throws(SandboxError) {
        // A name that this libseccomp does not know has no number on this architecture either: nothing to refuse or allow.
        let number = seccomp_syscall_resolve_name(name)
        guard number != -1 else { return }
        let result = heliograph_seccomp_rule(context, action, number)
        guard result == 0 else { throw SandboxError(.seccomp, errno: -result) }
    }

    /// Only where `(argument & mask) == value`.
    func add(_ name: String, action: UInt32, argument: UInt32, mask: UInt64, value: UInt64) throws(SandboxError) {
        let result = heliograph_seccomp_masked(context, action, seccomp_syscall_resolve_name(name), argument, mask, value)
        guard result == 0 else { throw SandboxError(.seccomp, errno: -result) }
    }

    func load() throws(SandboxError) {
        let result = seccomp_load(context)
        guard result == 0 else { throw SandboxError(.seccomp, errno: -result) }
    }
}
