import CSeccomp
import Glibc
import SystemIO

extension SystemCallFilter {
    /// For a program that this process starts: the calls of ``SystemCallList/javaScript`` only.
    /// - Returns: the filter as the kernel takes it.
    static func confined() throws(SandboxError) -> [UInt8] {
        let filter = try Filter(otherwise: HELIOGRAPH_SECCOMP_REFUSE)
        let group = SystemCallList.javaScript
        for name in group.names { try filter.add(name, action: HELIOGRAPH_SECCOMP_ALLOW) }
        for call in group.limited { try filter.add(call, action: HELIOGRAPH_SECCOMP_ALLOW) }
        for name in SystemCallList.absent { try filter.add(name, action: HELIOGRAPH_SECCOMP_ABSENT) }
        for name in SystemCallList.deadly where !group.names.contains(name) { try filter.add(name, action: HELIOGRAPH_SECCOMP_KILL) }
        return try filter.exported()
    }
}

extension Filter {
    /// The program that the kernel runs for each call.
    fileprivate func exported() throws(SandboxError) -> [UInt8] {
        // A program has at most 4096 instructions of 8 bytes, and a pipe holds 64 KiB, so writing does not wait.
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
