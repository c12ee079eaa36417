import Compression
import Glibc
import ScanProtocol
import ScannerClient
import TestSupport
import Testing

/// `heliograph-scanner --expand`: one frame, one worker, one answer.
@Suite struct ExpansionTests {
    private static let content = (0..<4000).flatMap {
        Array("pallet \($0 % 37) holds type \($0 % 401); ".utf8)
    }

    private func problem(_ body: () throws(ScannerClientError) -> [UInt8]) -> ScannerClientError? {
        do throws(ScannerClientError) {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }

    @Test func aFrameGivesItsBytes() throws {
        for content in [[], Self.content, [UInt8](repeating: 5, count: Int(ExpansionRequest.maximumLength))] {
            let frame = try ZstdFrame.compress(content)
            #expect(try Scanner.client.expand(frame, length: UInt32(content.count)) == content)
        }
    }

    @Test func eachFaultHasItsWord() throws {
        let frame = try ZstdFrame.compress(Self.content)
        let length = UInt32(Self.content.count)
        var flipped = frame
        flipped[frame.count / 2] ^= 0x10
        let faults: [([UInt8], UInt32, ExpansionProblem)] = [
            ([], length, .truncated), (Array(frame.dropLast()), length, .truncated),
            (frame + [0], length, .trailing(bytes: 1)),
            (frame, length + 1, .lengthDiffers(announced: length + 1, found: length)),
            (flipped, length, .corrupt),
            (Array(Self.content), length, .notAFrame),
            (frame, ExpansionRequest.maximumLength + 1, .tooLong(bytes: ExpansionRequest.maximumLength + 1)),
        ]
        for (frame, length, expected) in faults {
            #expect(
                problem { () throws(ScannerClientError) in try Scanner.client.expand(frame, length: length) }
                    == .expansion(expected))
        }
    }

    /// The scanner checks the lengths too: whoever starts it may write anything.
    @Test func aHeaderBeyondTheLimitIsRefusedBeforeItsBytes() throws {
        let scanner = try RunningScanner(expanding: ())
        try scanner.write([0x00, 0x80, 0x00, 0x01, 0, 0, 0, 1])
        #expect(try scanner.reply(length: 0) == .problem(.tooLong(bytes: ExpansionRequest.maximumLength + 1)))
    }

    @Test func theWorkerIsShutInBeforeTheFirstByteComes() throws {
        let scanner = try RunningScanner(expanding: ())
        let filters = { RunningScanner.status($0, "Seccomp_filters") ?? 0 }
        #expect(
            RunningScanner.wait {
                scanner.workers.count == 1
                    && scanner.workers.allSatisfy { filters($0) > filters(scanner.process) }
            })
        let worker = try #require(scanner.workers.first)
        #expect(filters(scanner.process) >= 1)
        #expect(
            RunningScanner.status(worker, "Seccomp") == 2 && RunningScanner.status(worker, "NoNewPrivs") == 1)
        #expect(RunningScanner.limit(worker, "Max address space") == 512 << 20)
        #expect(RunningScanner.limit(worker, "Max cpu time") == 5)
        #expect(RunningScanner.limit(worker, "Max file size") == 0)
        #expect(RunningScanner.limit(worker, "Max core file size") == 0)
        // It still works in there.
        let frame = try ZstdFrame.compress(Self.content)
        try scanner.write(ExpansionRequest(frame: frame, length: UInt32(Self.content.count)).encoded)
        #expect(try scanner.reply(length: UInt32(Self.content.count)) == .expanded(Self.content))
    }

    /// Ended from outside, as the kernel ends a worker that was led astray.
    @Test(arguments: [SIGKILL, SIGSEGV, SIGSYS]) func aWorkerThatDiesIsTold(signal: Int32) throws {
        let reply = try replyAfter { kill($0, signal) }
        #expect(reply == .problem(.crashed(signal: signal)))
    }

    @Test func aWorkerThatHangsIsTold() throws {
        let reply = try replyAfter { kill($0, SIGSTOP) }
        #expect(reply == .problem(.tookTooLong(milliseconds: 5000)))
    }

    /// The answer when something befalls the waiting worker before its frame comes.
    private func replyAfter(_ fate: (pid_t) -> Int32) throws -> ExpansionReply? {
        let scanner = try RunningScanner(expanding: ())
        #expect(
            RunningScanner.wait {
                scanner.workers.count == 1
                    && (RunningScanner.status(scanner.workers[0], "Seccomp_filters") ?? 0) > 1
            })
        let worker = try #require(scanner.workers.first)
        #expect(fate(worker) == 0)
        // The whole request is more than a pipe holds, so that a worker that reads nothing is noticed while
        // it is written.
        let frame = [UInt8](repeating: 1, count: 2 << 20)
        try scanner.write(ExpansionRequest(frame: frame, length: 1).encoded)
        let reply = try scanner.reply(length: 1)
        #expect(RunningScanner.wait { RunningScanner.status(worker, "PPid") != Int(scanner.process) })
        return reply
    }

    @Test func aScannerThatIsNoneIsTold() {
        let frame = [UInt8](repeating: 1, count: 2 << 20)
        func problem(_ program: String) -> ScannerClientError? {
            self.problem { () throws(ScannerClientError) in
                try ScannerClient(program: program).expand(frame, length: 1)
            }
        }
        #expect(
            problem("/nonexistent/scanner") == .cannotStart(program: "/nonexistent/scanner", errno: ENOENT))
        // It ends before it has read anything; it echoes what it is told.
        #expect(problem("/bin/true") == .ended(status: 0, signal: nil))
        #expect(problem("/bin/echo") == .notUnderstood)
    }

    @Test(arguments: [
        ExpansionReply.expanded([1, 2, 3]), .sandboxFailed(step: "seccomp", errno: 1),
        .problem(.tooLong(bytes: 1 << 31)),
        .problem(.notAFrame), .problem(.unsupportedFrame),
        .problem(.lengthDiffers(announced: 1, found: .max)), .problem(.truncated),
        .problem(.trailing(bytes: 7)), .problem(.corrupt), .problem(.outOfMemory),
        .problem(.tookTooLong(milliseconds: 9)),
        .problem(.crashed(signal: -1)),
    ]) func repliesReadBackAndNoPartOfThem(reply: ExpansionReply) {
        let bytes = reply.encoded
        let head = ExpansionReply.headerLength
        #expect(ExpansionReply.bodyLength(bytes.prefix(head)) == bytes.count - head)
        #expect(ExpansionReply(tag: bytes[0], body: bytes[head...], length: 3) == reply)
        guard case .sandboxFailed = reply else {
            for end in head..<bytes.count {
                #expect(ExpansionReply(tag: bytes[0], body: bytes[head..<end], length: 3) == nil)
            }
            return
        }
    }

    @Test func aReplyOfAnotherLengthThanWasAskedForIsNone() {
        #expect(ExpansionReply(tag: UInt8(ascii: "x"), body: [1, 2, 3][...], length: 4) == nil)
        #expect(ExpansionReply(tag: UInt8(ascii: "?"), body: [][...], length: 0) == nil)
        #expect(ExpansionReply.bodyLength([0, 0xff, 0xff, 0xff, 0xff]) == nil)
    }
}

extension RunningScanner {
    convenience init(expanding: Void) throws { try self.init(arguments: ["--expand"]) }
}
