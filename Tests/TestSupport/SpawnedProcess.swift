import Glibc
import SystemIO

/// A program that runs beside the test: what it prints is read here, and its standard input is a pipe where
/// one is wanted. It is killed when its owner goes away.
public final class SpawnedProcess {
    public let id: pid_t
    private let outputPipe: Pipe
    private let inputPipe: Pipe?
    private var status: ProcessStatus?
    private var hasEnded = false

    public init(_ program: String, _ arguments: [String], pipesInput: Bool = false) throws(SystemError) {
        // A program that ends early must not end the tests.
        signal(SIGPIPE, SIG_IGN)
        outputPipe = try Pipe()
        inputPipe = pipesInput ? try Pipe() : nil
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, outputPipe.writing, STDOUT_FILENO)
        if let inputPipe { posix_spawn_file_actions_adddup2(&actions, inputPipe.reading, STDIN_FILENO) }
        let words = ([program] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        let result = posix_spawn(&child, program, &actions, nil, words + [nil], environ)
        guard result == 0 else { throw SystemError(.open, program, errno: result) }
        id = child
        outputPipe.closeWriting()
        // Without this, writing to a program that ended would wait for ever.
        inputPipe?.closeReading()
    }

    deinit {
        kill()
        wait()
    }

    /// The end of the pipe that its standard output comes from.
    public var output: Int32 { outputPipe.reading }

    /// The end of the pipe to its standard input; -1 when it has this program's own, or when the pipe is
    /// closed.
    public var input: Int32 { inputPipe?.writing ?? -1 }

    public func closeInput() { inputPipe?.closeWriting() }

    /// The input's end of the pipe, which the caller closes from now on.
    public func takeInput() -> Int32 { inputPipe?.takeWriting() ?? -1 }

    public func kill() {
        if !hasEnded { _ = Glibc.kill(id, SIGKILL) }
    }

    /// Everything that it still prints, and how it ended.
    public func finish() throws(SystemError) -> (output: [UInt8], status: ProcessStatus?) {
        let bytes = try Descriptor.readAll(output, limit: 1 << 30)
        return (bytes, wait())
    }

    /// Waits until it has ended.
    @discardableResult
    public func wait() -> ProcessStatus? {
        if !hasEnded { status = ProcessStatus.wait(for: id) }
        hasEnded = true
        return status
    }
}
