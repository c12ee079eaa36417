import CSeccomp
import Glibc
import SystemIO

/// System call filters by libseccomp. Calls of another architecture than the program's own kill the process.
enum SystemCallFilter {
    /// The filter for a whole program. Calls that `rules` need are allowed; all others fail with EPERM or
    /// kill the process.
    ///
    /// Why not kill for everything: a C library of another version may try a call that it can do without, and
    /// a vault should not be lost in the middle of an act for that. The calls that kill are those that no
    /// library asks for.
    static func allow(_ rules: Sandbox.Rules) throws(SandboxError) -> [SystemCallGroup] {
        let groups = groups(for: rules)
        try filter(groups, architecture: nil).load()
        return groups
    }

    /// Groups by what the rules name: a command that writes nothing has no call that writes files.
    static func groups(for rules: Sandbox.Rules) -> [SystemCallGroup] {
        var groups = SystemCallList.always(process: getpid())
        if !rules.writable.isEmpty { groups.append(SystemCallList.writing) }
        if rules.forks || !rules.executable.isEmpty { groups.append(SystemCallList.forking) }
        if !rules.executable.isEmpty { groups.append(SystemCallList.starting) }
        if !rules.devices.isEmpty { groups.append(SystemCallList.device) }
        if rules.localSockets { groups.append(SystemCallList.localSockets) }
        if let camera = rules.camera { groups.append(SystemCallList.camera(camera)) }
        return groups
    }

    /// - Parameter architecture: another machine's, to test that the lists give a filter there. Such a filter
    ///   cannot be loaded.
    static func filter(_ groups: [SystemCallGroup], architecture: UInt32?) throws(SandboxError) -> Filter {
        let filter = try Filter(otherwise: HELIOGRAPH_SECCOMP_REFUSE, architecture: architecture)
        let free = Set(groups.flatMap(\.names))
        for name in free.sorted() { try filter.add(name, action: HELIOGRAPH_SECCOMP_ALLOW) }
        for group in groups {
            // Where another group allows a call whatever its arguments are, a condition would only repeat
            // that.
            for call in group.limited where !free.contains(call.name) {
                try filter.add(call, action: HELIOGRAPH_SECCOMP_ALLOW)
            }
        }
        for name in SystemCallList.absent { try filter.add(name, action: HELIOGRAPH_SECCOMP_ABSENT) }
        for name in SystemCallList.deadly { try filter.add(name, action: HELIOGRAPH_SECCOMP_KILL) }
        for call in SystemCallList.deadlyArguments { try filter.add(call, action: HELIOGRAPH_SECCOMP_KILL) }
        return filter
    }

    /// On top of another filter, which goes on refusing what it refuses.
    static func refuseStarting() throws(SandboxError) {
        let filter = try Filter(otherwise: HELIOGRAPH_SECCOMP_ALLOW)
        try filter.add("execve", action: HELIOGRAPH_SECCOMP_REFUSE)
        try filter.add(
            LimitedCall("mmap", .init(argument: 2, mask: UInt64(PROT_EXEC), value: UInt64(PROT_EXEC))),
            action: HELIOGRAPH_SECCOMP_REFUSE)
        try filter.load()
    }

    /// The filter for a worker: only the calls on a list are allowed. Calls on neither list kill the process,
    /// so that it cannot probe the filter.
    static func allowOnly(_ names: [String], refusing refused: [String]) throws(SandboxError) {
        let filter = try Filter(otherwise: HELIOGRAPH_SECCOMP_KILL)
        for name in names { try filter.add(name, action: HELIOGRAPH_SECCOMP_ALLOW) }
        for name in refused { try filter.add(name, action: HELIOGRAPH_SECCOMP_REFUSE) }
        for name in ["mmap", "mprotect"] {
            try filter.add(
                LimitedCall(name, .argument(2, lacks: PROT_EXEC)), action: HELIOGRAPH_SECCOMP_ALLOW)
        }
        try filter.load()
    }
}

final class Filter {
    private let context: scmp_filter_ctx
    private let architecture: UInt32

    init(otherwise action: UInt32, architecture: UInt32? = nil) throws(SandboxError) {
        guard let context = seccomp_init(action) else { throw SandboxError(.seccomp, errno: ENOMEM) }
        self.context = context
        self.architecture = architecture ?? seccomp_arch_native()
        if let architecture {
            try check(seccomp_arch_remove(context, seccomp_arch_native()))
            try check(seccomp_arch_add(context, architecture))
        }
        try check(seccomp_attr_set(context, SCMP_FLTATR_CTL_TSYNC, 1))
    }

    deinit { seccomp_release(context) }

    private func check(_ result: Int32) throws(SandboxError) {
        guard result == 0 else { throw SandboxError(.seccomp, errno: -result) }
    }

    /// The number of a call; negative for one that this architecture does not have or this libseccomp does
    /// not know.
    private func number(_ name: String) -> Int32 { seccomp_syscall_resolve_name_arch(architecture, name) }

    /// Whether the filter can speak of this call at all.
    func knows(_ name: String) -> Bool { number(name) >= 0 }

    func add(_ name: String, action: UInt32) throws(SandboxError) {
        // Nothing to refuse or allow.
        guard knows(name) else { return }
        try check(heliograph_seccomp_rule(context, action, number(name)))
    }

    func add(_ call: LimitedCall, action: UInt32) throws(SandboxError) {
        guard knows(call.name) else { return }
        let comparisons = call.conditions.map { heliograph_seccomp_masked($0.argument, $0.mask, $0.value) }
        try check(
            seccomp_rule_add_array(context, action, number(call.name), UInt32(comparisons.count), comparisons)
        )
    }

    /// Writes the program that the kernel runs for each call.
    func export(to descriptor: Int32) throws(SandboxError) {
        try check(seccomp_export_bpf(context, descriptor))
    }

    func load() throws(SandboxError) { try check(seccomp_load(context)) }
}

extension SystemCallFilter {
    /// For a program that this process starts: the calls of ``SystemCallList/javaScript`` only.
    /// - Returns: the filter as the kernel takes it.
    static func confined() throws(SandboxError) -> [UInt8] {
        let filter = try Filter(otherwise: HELIOGRAPH_SECCOMP_REFUSE)
        let group = SystemCallList.javaScript
        for name in group.names { try filter.add(name, action: HELIOGRAPH_SECCOMP_ALLOW) }
        for call in group.limited { try filter.add(call, action: HELIOGRAPH_SECCOMP_ALLOW) }
        for name in SystemCallList.absent { try filter.add(name, action: HELIOGRAPH_SECCOMP_ABSENT) }
        for name in SystemCallList.deadly where !group.names.contains(name) {
            try filter.add(name, action: HELIOGRAPH_SECCOMP_KILL)
        }
        return try filter.exported()
    }
}

extension Filter {
    /// The program that the kernel runs for each call.
    fileprivate func exported() throws(SandboxError) -> [UInt8] {
        // A program has at most 4096 instructions of 8 bytes, and a pipe holds 64 KiB, so writing does not
        // wait.
        guard let pipe = Sandbox.pipe() else { throw SandboxError(.seccomp, errno: errno) }
        defer { close(pipe.reading) }
        do {
            defer { close(pipe.writing) }
            try export(to: pipe.writing)
        }
        do {
            return try Descriptor.readAll(pipe.reading, limit: 1 << 15)
        } catch {
            throw SandboxError(.seccomp, errno: error.errno)
        }
    }
}
