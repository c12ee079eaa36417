import Glibc
import SystemIO

extension Sandbox {
    /// Works on a secret in a child process, for code that leaves copies of it in memory without wiping them:
    /// the child's memory ends with the child.
    ///
    /// The rules of this process must allow to fork. The caller must have one thread only, as for ``fork()``.
    ///
    /// - Parameters:
    ///   - result: gets what the child writes. The memory is the caller's, so that a secret is nowhere else.
    ///   - body: runs in the child with the descriptor to write the result to, and returns the child's exit
    ///     code.
    /// - Returns: how many bytes were written, nil where they cannot be read, and the exit code, nil where a
    ///   signal ended the child.
    public static func inChild(
        result: UnsafeMutableRawBufferPointer, _ body: (Int32) -> Int32
    ) throws(SandboxError) -> (length: Int?, code: Int32?) {
        guard let pipe = pipe() else { throw SandboxError(.limits, errno: errno) }
        let child: pid_t?
        do throws(SandboxError) {
            child = try fork()
        } catch {
            close(pipe.reading)
            close(pipe.writing)
            throw error
        }
        guard let child else {
            close(pipe.reading)
            _exit(body(pipe.writing))
        }
        close(pipe.writing)
        defer { close(pipe.reading) }
        let length = try? Descriptor.fill(result, from: pipe.reading)
        return (length, ProcessStatus.wait(for: child)?.code)
    }
}
