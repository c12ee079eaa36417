import CSeccomp
import Glibc

extension Sandbox {
    /// How far the lock-down went. It exists only after seccomp took hold.
    public struct Report: Equatable, Sendable {
        /// The network interfaces; nil if a sandboxed program started this one, so that it could not ask for
        /// them.
        public let interfaces: [NetworkInterface]?
        public let landlock: Landlock
        /// System calls that still work; every other one fails.
        public let allowedCalls: [SystemCallGroup]

        /// How many different calls that are.
        public var allowedCallCount: Int { Set(allowedCalls.flatMap(\.allNames)).count }
    }

    /// Hardens the process, lists the interfaces, then applies `rules`. Call it once, early in `main`.
    ///
    /// - Throws: if a step that the guarantees need fails. Only Landlock may be missing; the report then
    ///   shows that.
    public static func lockDown(_ rules: Rules) throws(SandboxError) -> Report {
        try harden()
        let interfaces = try interfacesUnlessShutIn()
        guard heliograph_no_new_privileges() == 0 else { throw SandboxError(.noNewPrivileges, errno: errno) }
        let landlock = try LandlockRuleset.enforce(rules)
        let allowed = try SystemCallFilter.allow(rules)
        return Report(interfaces: interfaces, landlock: landlock, allowedCalls: allowed)
    }

    /// Forbids this process to start a program or to map a file as code. A command calls it between reading
    /// its pictures and asking for a passphrase.
    ///
    /// - Parameter report: the report of the lock-down; if it allowed no program, this does nothing.
    public static func giveUpStarting(_ report: Report) throws(SandboxError) {
        guard report.allowedCalls.contains(SystemCallList.starting) else { return }
        try SystemCallFilter.refuseStarting()
    }

    private static func interfacesUnlessShutIn() throws(SandboxError) -> [NetworkInterface]? {
        do {
            return try NetworkInterface.all()
        } catch {
            guard error.errno == EPERM else { throw error }
            return nil
        }
    }

    /// No core dumps, no ptrace by the same user, and no crash reporter that prints memory.
    ///
    /// Swift's runtime installs handlers for crash signals that print the bytes behind each register. That
    /// would leak secrets, so the default action is restored. A full disk can cause a bus error in a mapped
    /// file, so that signal prints a fixed sentence.
    public static func harden() throws(SandboxError) {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0 else {
            throw SandboxError(.coreLimit, errno: errno)
        }
        guard heliograph_not_dumpable() == 0 else { throw SandboxError(.dumpable, errno: errno) }
        for signal in [SIGSEGV, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGQUIT, SIGSYS] {
            guard heliograph_default_signal(signal) == 0 else { throw SandboxError(.signals, errno: errno) }
        }
        guard heliograph_report_bus_error() == 0 else { throw SandboxError(.signals, errno: errno) }
    }

    /// The limits that the kernel enforces on this process right now, from `/proc/self/status`; nil if the
    /// process cannot read that file.
    public static func enforced() -> (noNewPrivileges: Bool, seccompFilters: Int)? {
        guard let status = readSmallFile("/proc/self/status") else { return nil }
        var fields: [Substring: Int] = [:]
        for line in status.split(separator: "\n") {
            let parts = line.split(whereSeparator: { $0 == ":" || $0 == "\t" || $0 == " " })
            if parts.count == 2, let number = Int(parts[1]) { fields[parts[0]] = number }
        }
        guard let privileges = fields["NoNewPrivs"], let mode = fields["Seccomp"] else { return nil }
        return (privileges == 1, mode == 2 ? fields["Seccomp_filters"] ?? 1 : 0)
    }

    /// Tries to open sockets (local, IPv4, IPv6) and an io_uring: true when each fails with EPERM.
    public static func refusesSockets() -> Bool {
        func isRefused(_ result: Int) -> Bool {
            guard result >= 0 else { return errno == EPERM }
            close(Int32(result))
            return false
        }
        return [AF_UNIX, AF_INET, AF_INET6].allSatisfy { isRefused(heliograph_probe_socket($0)) }
            && isRefused(heliograph_probe_io_uring())
    }

    private static func readSmallFile(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = read(descriptor, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}

extension Sandbox.Landlock {
    /// Whether this process can signal only what it started, and cannot connect to abstract Unix sockets.
    /// Landlock supports both from ABI 6 on.
    public var limitsSignals: Bool { abi.map { $0 >= LandlockRuleset.scopesABI } ?? false }
}
