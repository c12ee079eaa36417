import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Keys

/// A pseudo-terminal in the place of a TPM: a character device whose other end a thread answers.
private final class StandIn: Sendable {
    /// What the thread has; it ends when the other end of its device is closed.
    private final class Answering: Sendable {
        let end: Int32
        let answer: @Sendable (Int) -> [UInt8]?
        let seen = Mutex<[[UInt8]]>([])

        init(_ end: Int32, _ answer: @escaping @Sendable (Int) -> [UInt8]?) {
            (self.end, self.answer) = (end, answer)
        }

        func run() {
            var command = [UInt8](repeating: 0, count: 64)
            while read(end, &command, command.count) == 12 {
                let asked = Array(command[..<12])
                seen.withLock { $0.append(asked) }
                guard let answer = answer(Int(asked[11])) else { continue }
                _ = write(end, answer, answer.count)
            }
        }
    }

    let path: String
    private let answering: Answering
    private let slave: Int32

    /// Every command that came.
    var commands: [[UInt8]] { answering.seen.withLock { $0 } }

    /// - Parameter answer: to a command that wants so many bytes; nil for silence.
    init(_ answer: @escaping @Sendable (Int) -> [UInt8]?) {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (unlocked, number): (Int32, Int32) = (0, 0)
        // TIOCSPTLCK and TIOCGPTN.
        _ = ioctl(master, 0x4004_5431, &unlocked)
        _ = ioctl(master, 0x8004_5430, &number)
        path = "/dev/pts/\(number)"
        slave = open(path, O_RDWR | O_NOCTTY)
        var mode = termios()
        tcgetattr(slave, &mode)
        cfmakeraw(&mode)
        tcsetattr(slave, TCSANOW, &mode)
        answering = Answering(master, answer)
        var thread = pthread_t()
        let held = Unmanaged.passRetained(answering)
        pthread_create(
            &thread, nil,
            { held in
                let answering = Unmanaged<Answering>.fromOpaque(held!).takeRetainedValue()
                answering.run()
                close(answering.end)
                return nil
            }, held.toOpaque())
        pthread_detach(thread)
    }

    deinit { close(slave) }

    static func good(_ count: Int) -> [UInt8] {
        response(plain(SecretBytes(randomCount: count)))
    }

    static func response(_ bytes: [UInt8], tag: UInt8 = 1, code: UInt8 = 0, told: Int? = nil) -> [UInt8] {
        let length = UInt8(12 + bytes.count)
        return [0x80, tag, 0, 0, 0, length, 0, 0, 0, code, 0, UInt8(told ?? bytes.count)] + bytes
    }
}

@Suite struct TPMDeviceTests {
    private static func draw(_ path: String, count: Int = 32) -> (result: MachineDraws.Result, bytes: [UInt8])
    {
        let out = SecretBytes(count: count)
        let result = out.withUnsafeMutableBytes { MachineDraws.tpm(path)($0) }
        return (result, plain(out))
    }

    @Test func `the device is asked with the raw command, and its bytes are the source`() {
        let tpm = StandIn { StandIn.good($0) }
        let (result, bytes) = Self.draw(tpm.path)
        #expect(result == .filled && Set(bytes).count > 8)
        let commands = tpm.commands
        #expect(commands.first == [0x80, 1, 0, 0, 0, 12, 0, 0, 1, 0x7b, 0, 32])
        // The test of 4096 bytes, its two blocks, and the bytes themselves, none of which was tested.
        #expect(commands.count == 128 + 2 + 1)
    }

    @Test func `a TPM may give fewer bytes than it is asked for`() {
        let tpm = StandIn { StandIn.good(min($0, 20)) }
        let (result, bytes) = Self.draw(tpm.path)
        #expect(result == .filled && bytes.suffix(12).contains { $0 != 0 })
    }

    @Test func `a constant TPM fails its test`() {
        let tpm = StandIn { StandIn.response([UInt8](repeating: 9, count: $0)) }
        #expect(Self.draw(tpm.path).result == .failed(.health(.repetition(count: 6))))
    }

    @Test(
        arguments: [
            [0x80, 1, 0, 0, 0, 10, 0, 0, 1, 1],
            StandIn.response([1, 2, 3], code: 1), StandIn.response([1, 2, 3], tag: 2),
            StandIn.response([1, 2, 3], told: 2), StandIn.response([1, 2, 3], told: 4),
            StandIn.response([]), StandIn.response([1, 2, 3]) + [0],
            StandIn.response([UInt8](repeating: 1, count: 33)),
            [0x80, 1, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
            Array("login: password: ".utf8),
        ] as [[UInt8]])
    func `an answer of another form ends it`(answer: [UInt8]) {
        let tpm = StandIn { _ in answer }
        let (result, bytes) = Self.draw(tpm.path)
        #expect(result == .failed(.strangeAnswer))
        #expect(bytes.allSatisfy { $0 == 0 })
        #expect(tpm.commands.count == 1)
    }

    @Test func `what is no character device is not opened`() throws {
        let directory = TemporaryDirectory(inMemory: true)
        let (file, pipe) = (directory.path + "/file", directory.path + "/pipe")
        close(open(file, O_CREAT | O_WRONLY, 0o600))
        #expect(mkfifo(pipe, 0o600) == 0)
        // A pipe without a writer would wait for ever if it were opened.
        for path in [file, pipe, directory.path] { #expect(Self.draw(path).result == .failed(.notADevice)) }
        #expect(Self.draw(directory.path + "/none").result == .failed(.refused(errno: ENOENT)))
        #expect(Self.draw("/dev/null").result == .failed(.strangeAnswer))
        #expect(Self.draw("/dev/zero").result == .failed(.strangeAnswer))
    }
}
