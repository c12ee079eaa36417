import Compression
import Glibc
import Sandbox
import ScanProtocol
import SystemIO

/// `--expand`: hands one compressed form from standard input to one disposable worker, and the worker's
/// answer to standard output.
///
/// This process looks at lengths only; it never expands anything itself.
struct Expander {
    /// Seconds that a worker may take for one frame before it is ended.
    static let timeLimit = 5.0

    /// - Returns: the program's exit code.
    static func run() -> Int32 {
        let reply: ExpansionReply
        do throws(SandboxError) {
            reply = try answer()
        } catch {
            reply = .sandboxFailed(step: error.step.rawValue, errno: error.errno)
        }
        guard Descriptor.write(STDOUT_FILENO, reply.encoded) else { return ExitCode.done }
        return switch reply {
        case .expanded: ExitCode.done
        case .problem: ExitCode.badInput
        case .sandboxFailed: ExitCode.notPermitted
        }
    }

    private static func answer() throws(SandboxError) -> ExpansionReply {
        var worker = try ExpansionProcess()
        defer { worker.end() }
        // The worker waits, shut in, before the first byte is read.
        guard let header = Descriptor.read(STDIN_FILENO, count: ExpansionRequest.headerLength) else {
            return .problem(.truncated)
        }
        do throws(ExpansionProblem) {
            let lengths = try ExpansionRequest.lengths(header)
            guard let frame = Descriptor.read(STDIN_FILENO, count: lengths.frame) else {
                return .problem(.truncated)
            }
            return try worker.exchange(
                header + frame, length: lengths.expanded, deadline: Clock.now + timeLimit)
        } catch {
            return .problem(error)
        }
    }
}

/// The broker's end of an ``ExpansionWorker``.
struct ExpansionProcess {
    private let process: ForkedProcess
    private var hasEnded = false

    init() throws(SandboxError) {
        process = try ForkedProcess { input, output in ExpansionWorker(input: input, output: output).run() }
    }

    /// Sends the request and waits for the answer to it.
    mutating func exchange(_ request: [UInt8], length: UInt32, deadline: Double) throws(ExpansionProblem)
        -> ExpansionReply
    {
        var sent = 0
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let milliseconds = (deadline - Clock.now) * 1000
            guard milliseconds > 0 else {
                throw .tookTooLong(milliseconds: UInt32(Expander.timeLimit * 1000))
            }
            var polled = [
                pollfd(fd: process.answers, events: Int16(POLLIN), revents: 0),
                pollfd(fd: sent < request.count ? process.requests : -1, events: Int16(POLLOUT), revents: 0),
            ]
            guard Descriptor.poll(&polled, milliseconds: Int(milliseconds) + 1) > 0 else { continue }
            if polled[1].revents & Int16(POLLOUT) != 0 {
                let rest = request.withUnsafeBytes {
                    Descriptor.writeSome(process.requests, UnsafeRawBufferPointer(rebasing: $0[sent...]))
                }
                sent += max(0, rest)
            }
            guard polled[0].revents != 0 else {
                // The worker is gone; its answer, if there was one, is read first.
                if polled[1].revents != 0, polled[1].revents & Int16(POLLOUT) == 0 { sent = request.count }
                continue
            }
            let count = chunk.withUnsafeMutableBytes { Descriptor.readSome(process.answers, into: $0) }
            if count < 0, errno == EAGAIN { continue }
            guard count > 0 else { throw .crashed(signal: end() ?? 0) }
            received += chunk[..<count]
            if let reply = try reply(in: received, length: length) { return reply }
        }
    }

    /// nil while bytes are missing.
    private mutating func reply(in bytes: [UInt8], length: UInt32) throws(ExpansionProblem) -> ExpansionReply?
    {
        guard bytes.count >= ExpansionReply.headerLength else { return nil }
        guard let size = ExpansionReply.bodyLength(bytes.prefix(ExpansionReply.headerLength)) else {
            throw .crashed(signal: end() ?? 0)
        }
        let body = bytes[ExpansionReply.headerLength...]
        guard body.count >= size else { return nil }
        guard let reply = ExpansionReply(tag: bytes[0], body: body.prefix(size), length: length) else {
            throw .crashed(signal: end() ?? 0)
        }
        return reply
    }

    /// Ends the process. Returns the signal that it had died of before, if any.
    @discardableResult
    mutating func end() -> Int32? {
        guard !hasEnded else { return nil }
        hasEnded = true
        return process.end()
    }
}

/// The worker of `--expand`: expands one frame and does nothing else.
struct ExpansionWorker {
    /// Address space in bytes. It has room for the program with its libraries, the longest frame and its
    /// expanded content.
    static let memoryLimit: UInt64 = 512 << 20
    /// Processor time in seconds; the greatest length takes a few hundredths.
    static let processorLimit: UInt64 = 5

    let input: Int32
    let output: Int32

    /// Answers one request. Never returns.
    func run() -> Never {
        do throws(SandboxError) {
            try Sandbox.closeDescriptors(except: input, output)
            try Sandbox.becomeWorker(.init(memory: Self.memoryLimit, processorTime: Self.processorLimit))
        } catch {
            answer(.sandboxFailed(step: error.step.rawValue, errno: error.errno))
            _exit(1)
        }
        guard let header = Descriptor.read(input, count: ExpansionRequest.headerLength) else { _exit(1) }
        do throws(ExpansionProblem) {
            let lengths = try ExpansionRequest.lengths(header)
            guard let frame = Descriptor.read(input, count: lengths.frame) else { _exit(1) }
            answer(.expanded(try ZstdFrame.expand(frame, length: lengths.expanded)))
        } catch {
            answer(.problem(error))
        }
        _exit(0)
    }

    private func answer(_ reply: ExpansionReply) {
        guard Descriptor.write(output, reply.encoded) else { _exit(1) }
    }
}
