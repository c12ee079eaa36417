import Dispatch
import Glibc
import Sandbox
import ScanProtocol
import ScannerClient
import SystemIO
import TestSupport

/// A scanner that runs while the test does something else: its records are read from a pipe, its standard
/// input is one.
final class RunningScanner {
    private let scanner: SpawnedProcess
    private var buffer: [UInt8] = []

    var process: pid_t { scanner.id }

    convenience init(_ arguments: [String]) throws { try self.init(arguments: ["--events"] + arguments) }

    init(arguments: [String]) throws {
        scanner = try SpawnedProcess(Scanner.client.program, arguments, pipesInput: true)
    }

    func closeInput() { scanner.closeInput() }

    func write(_ bytes: [UInt8]) throws {
        guard Descriptor.write(scanner.input, bytes) else { throw SystemError(.write, "the scanner's input") }
    }

    /// The next record; nil at the end, or when none comes within `seconds`.
    func next(seconds: Int32 = 30) throws -> ScanEvent? {
        while true {
            if buffer.count >= ScanEvent.headerLength {
                let length =
                    try ScanEvent.bodyLength(buffer.prefix(ScanEvent.headerLength)) + ScanEvent.headerLength
                if buffer.count >= length {
                    defer { buffer.removeFirst(length) }
                    return try ScanEvent(tag: buffer[0], body: buffer[ScanEvent.headerLength..<length])
                }
            }
            guard fill(seconds: seconds) else { return nil }
        }
    }

    /// The reply to a request for `length` bytes; nil at the end, or when none comes within 30 seconds.
    func reply(length: UInt32) throws -> ExpansionReply? {
        while true {
            if buffer.count >= ExpansionReply.headerLength,
                let size = ExpansionReply.bodyLength(buffer.prefix(ExpansionReply.headerLength)),
                buffer.count >= ExpansionReply.headerLength + size
            {
                return ExpansionReply(
                    tag: buffer[0], body: buffer[ExpansionReply.headerLength...], length: length)
            }
            guard fill(seconds: 30) else { return nil }
        }
    }

    /// Reads what is there. False at the end, or when nothing comes in time.
    private func fill(seconds: Int32) -> Bool {
        var polled = [pollfd(fd: scanner.output, events: Int16(POLLIN), revents: 0)]
        guard Descriptor.poll(&polled, milliseconds: Int(seconds) * 1000) == 1 else { return false }
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = chunk.withUnsafeMutableBytes { Descriptor.readSome(scanner.output, into: $0) }
        if count > 0 { buffer += chunk[..<count] }
        return count > 0
    }

    /// Writes `head`, then `part` again and again while the test reads records, and closes the input.
    func feed(_ head: [UInt8], then part: [UInt8], times: Int) {
        let descriptor = scanner.takeInput()
        // A queue of its own: the tests' own threads may all be waiting for this one.
        DispatchQueue.global().async {
            defer { close(descriptor) }
            guard Descriptor.write(descriptor, head) else { return }
            for _ in 0..<times { guard Descriptor.write(descriptor, part) else { return } }
        }
    }

    func rest() throws -> [ScanEvent] {
        var events: [ScanEvent] = []
        while let event = try next() { events.append(event) }
        return events
    }

    /// The worker processes.
    var workers: [pid_t] {
        guard let file = fopen("/proc/\(process)/task/\(process)/children", "r") else { return [] }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 4096)
        guard fgets(&text, Int32(text.count), file) != nil else { return [] }
        return String(decoding: text.prefix(while: { $0 != 0 }).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .split(separator: " ").compactMap { pid_t($0) }
    }

    /// A field of `/proc/PID/status`, in kB where it is a size.
    static func status(_ process: pid_t, _ field: String) -> Int? {
        lines("/proc/\(process)/status").lazy.map { $0.split(whereSeparator: { ":\t \n".contains($0) }) }
            .first { $0.first == field[...] && $0.count > 1 }.flatMap { Int($0[1]) }
    }

    /// A soft limit of `/proc/PID/limits`.
    static func limit(_ process: pid_t, _ name: String) -> Int? {
        lines("/proc/\(process)/limits").first { $0.hasPrefix(name) }
            .flatMap { $0.dropFirst(name.count).split(separator: " ").first.flatMap { Int($0) } }
    }

    static func line(_ path: String) -> String? { lines(path).first }

    /// What the descriptors of a process lead to.
    static func descriptors(_ process: pid_t) -> [String] {
        let folder = "/proc/\(process)/fd"
        return ((try? Directory.names(folder)) ?? []).compactMap { name in
            var target = [CChar](repeating: 0, count: 4096)
            let count = readlink("\(folder)/\(name)", &target, target.count)
            return count < 0
                ? nil : String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    private static func lines(_ path: String) -> [String] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var lines: [String] = []
        var line = [CChar](repeating: 0, count: 512)
        while fgets(&line, Int32(line.count), file) != nil {
            lines.append(
                String(decoding: line.prefix(while: { $0 != 0 }).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            )
        }
        return lines
    }

    /// Waits until `condition` holds, at most `seconds`.
    static func wait(_ seconds: Double = 20, until condition: () -> Bool) -> Bool {
        let rounds = Int(seconds * 100)
        for _ in 0..<rounds {
            if condition() { return true }
            usleep(10_000)
        }
        return condition()
    }
}

extension ScanEvent {
    var code: [UInt8]? { if case .code(let bytes) = self { bytes } else { nil } }

    var problem: PictureProblem? {
        if case .picture(_, _, .problem(let problem)) = self { problem } else { nil }
    }
}
