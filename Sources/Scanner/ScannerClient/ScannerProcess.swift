import Glibc
import Sandbox
import ScanProtocol
import SystemIO

/// A running scanner and its pipes: one brings its records, the other takes what it is to expand.
final class ScannerProcess {
    /// Invalid after ``stop()`` or ``end()``.
    let process: pid_t
    /// Ends the reading when something can be read from it.
    var stopper: Int32?
    private(set) var wasStopped = false
    private let descriptor: Int32
    private var reaped = false
    private var buffer: [UInt8] = []
    private var position = 0

    /// - Parameter input: its whole standard input; nil leaves it this program's own.
    init(program: String, arguments: [String], input: [UInt8]? = nil) throws(ScannerClientError) {
        guard let ends = Sandbox.pipe(), let down = Sandbox.pipe() else {
            throw .cannotStart(program: program, errno: errno)
        }
        defer { close(down.writing) }
        let started = Sandbox.start(
            program, arguments, input: input == nil ? nil : down.reading, output: ends.writing)
        let failure = errno
        close(ends.writing)
        close(down.reading)
        guard let started else {
            close(ends.reading)
            throw .cannotStart(program: program, errno: failure)
        }
        process = started
        descriptor = ends.reading
        if let input {
            // A scanner that ends before it has read everything gives the reason in its records.
            Sandbox.ignoreBrokenPipes()
            _ = Descriptor.write(down.writing, input)
        }
    }

    deinit { stop() }

    /// The next record, nil when the scanner closed its end.
    func next() throws(ScannerClientError) -> ScanEvent? {
        while true {
            if let event = try buffered() { return event }
            if position > 0 {
                buffer.removeFirst(position)
                position = 0
            }
            guard fill() else { return nil }
        }
    }

    /// Whether a record or the end of the scanner comes before `deadline`.
    func hasMore(before deadline: ContinuousClock.Instant) -> Bool {
        do { if try wholeLength() != nil { return true } } catch { return true }
        var polled = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        let left = max(0, (deadline - .now) / .milliseconds(1))
        return Descriptor.poll(&polled, milliseconds: Int(min(left, Double(Int32.max)))) > 0
    }

    /// The answer to a request for `length` bytes; nil when the scanner closed its end before the answer was
    /// complete.
    func reply(length: UInt32) throws(ScannerClientError) -> ExpansionReply? {
        while buffer.count < ExpansionReply.headerLength { guard fill() else { return nil } }
        guard let count = ExpansionReply.bodyLength(buffer.prefix(ExpansionReply.headerLength)) else {
            throw .notUnderstood
        }
        while buffer.count < ExpansionReply.headerLength + count { guard fill() else { return nil } }
        let body = buffer[ExpansionReply.headerLength...].prefix(count)
        guard let reply = ExpansionReply(tag: buffer[0], body: body, length: length) else {
            throw .notUnderstood
        }
        return reply
    }

    /// Reads more. False at the end.
    private func fill() -> Bool {
        guard !isStopped() else { return false }
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = chunk.withUnsafeMutableBytes { Descriptor.readSome(descriptor, into: $0) }
        if count > 0 { buffer += chunk[..<count] }
        return count > 0
    }

    /// Waits for the scanner or for a word to stop, which comes first where both are there.
    private func isStopped() -> Bool {
        guard let stopper else { return false }
        var polled = [descriptor, stopper].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = Descriptor.poll(&polled, milliseconds: -1)
        wasStopped = polled[1].revents != 0
        return wasStopped
    }

    private func buffered() throws(ScannerClientError) -> ScanEvent? {
        guard let length = try wholeLength() else { return nil }
        let start = position + ScanEvent.headerLength
        defer { position = start + length }
        do {
            return try ScanEvent(tag: buffer[position], body: buffer[start..<(start + length)])
        } catch {
            throw .notUnderstood
        }
    }

    /// Length of the next record's body, nil when not all of it was read yet.
    private func wholeLength() throws(ScannerClientError) -> Int? {
        let rest = buffer[position...]
        guard rest.count >= ScanEvent.headerLength else { return nil }
        do {
            let length = try ScanEvent.bodyLength(rest.prefix(ScanEvent.headerLength))
            return rest.count - ScanEvent.headerLength >= length ? length : nil
        } catch {
            throw .notUnderstood
        }
    }

    /// Ends the scanner; its workers die with it.
    func stop() {
        guard !reaped else { return }
        kill(process, SIGKILL)
        _ = reap()
    }

    /// How a scanner ended that closed its pipe too early.
    func end() -> ScannerClientError {
        let status = reap()
        return .ended(status: status?.code, signal: status?.signal)
    }

    private func reap() -> ProcessStatus? {
        let status = ProcessStatus.wait(for: process)
        reaped = true
        close(descriptor)
        return status
    }
}
