import Diagnostics
import Glibc
import Sandbox
import SystemIO

/// stdout. Its reader may be gone and its disk full: a result that did not arrive must not end with exit code
/// 0.
package enum StandardStreams {
    /// `errno` of the first result that could not be written.
    private nonisolated(unsafe) static var failure: Int32?

    /// Called before any file is opened: otherwise a file could get the number of a closed stream, and with
    /// it the results of the program.
    package static func prepare() {
        Sandbox.ignoreBrokenPipes()
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
            // Writing to a read-only descriptor fails, so the program reports that its result is lost.
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// Writes a result, or remembers that it is lost.
    static func write(result bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
        if Descriptor.write(descriptor, bytes) { return }
        if failure == nil { failure = errno }
    }

    /// Forgets what an earlier command of a shell could not write.
    package static func start() { failure = nil }

    /// - Throws: ``CommandError/results(errno:)``, or a wordless ending where the reader of a pipe is gone.
    package static func requireWritten() throws {
        guard let failure else { return }
        if failure == EPIPE { throw ExitWith(.inputOutput) }
        throw CommandError.results(errno: failure)
    }
}

/// Ends the program with this code; everything was said already.
package struct ExitWith: Error {
    package let exit: Diagnostic.Exit
    package init(_ exit: Diagnostic.Exit) { self.exit = exit }
}
