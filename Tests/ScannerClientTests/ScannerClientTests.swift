import Glibc
import ScanProtocol
import ScannerClient
import TestSupport
import Testing

/// The client against programs that say what a scanner could say, or never would.
@Suite struct ScannerClientTests {
    private let folder = TemporaryDirectory()

    /// A program that ignores its input, writes these bytes, and ends with this status.
    private func scanner(_ output: [UInt8], status: Int = 0) throws -> ScannerClient {
        let octal = output.map { byte in "\\0" + [6, 3, 0].map { String(byte >> $0 & 7) }.joined() }.joined()
        let program = folder.path + "/scanner"
        // Another process writes it: a child that another test forks meanwhile would hold a descriptor of
        // this one, and a file that is open for writing cannot be started.
        let file = try #require(popen("cat > '\(program)' && chmod 700 '\(program)'", "w"))
        fputs("#!/bin/sh\nprintf %b '\(octal)'\nexit \(status)\n", file)
        try #require(pclose(file) == 0)
        return ScannerClient(program: program)
    }

    private static let request = ScannerClient.Request(inputs: ["any"])
    private static func picture(_ outcome: PictureOutcome) -> ScanEvent {
        .picture(name: "a.png", frame: nil, outcome: outcome)
    }

    @Test func `codes arrive in order and the counts agree`() throws {
        let events: [ScanEvent] = [
            Self.picture(.codes(2)), .code([1]), .code([2, 3]), Self.picture(.noCode),
            Self.picture(.problem(.truncated)), .finished,
        ]
        var codes: [[UInt8]] = []
        let report = try scanner(events.flatMap(\.encoded)).scan(Self.request) { code in
            codes.append(code)
            return .goOn
        }
        #expect(codes == [[1], [2, 3]])
        #expect(
            report.distinctCodes == 2 && report.imagesWithoutCode == 1 && !report.stoppedEarly
                && !report.wasInterrupted)
        #expect(report.problems == [.init(name: "a.png", frame: nil, problem: .truncated)])
    }

    @Test func `a consumer that stops gets no further code`() throws {
        let events: [ScanEvent] = [
            Self.picture(.codes(1)), .code([1]), Self.picture(.codes(1)), .code([2]), .finished,
        ]
        var codes = 0
        let report = try scanner(events.flatMap(\.encoded)).scan(Self.request) { _ in
            codes += 1
            return .stop
        }
        #expect(codes == 1 && report.stoppedEarly)
    }

    @Test func `a scanner that ends without its closing record is an error`() throws {
        let records = Self.picture(.noCode).encoded
        #expect(throws: ScannerClientError.ended(status: 3, signal: nil)) {
            try scanner(records, status: 3).scan(Self.request) { _ in .goOn }
        }
    }

    @Test func `a sandbox that failed is told with its step`() throws {
        let failed = ScanEvent.sandboxFailed(step: "seccomp", errno: 1).encoded
        #expect(throws: ScannerClientError.sandboxUnavailable(step: "seccomp", errno: 1)) {
            try scanner(failed).scan(Self.request) { _ in .goOn }
        }
    }

    @Test func `a queue tells the codes of a file, then its end with its own counts`() throws {
        let events: [ScanEvent] = [
            Self.picture(.codes(1)), .code([1]), .endOfFile(name: "a.png"), Self.picture(.codes(1)),
            .code([1]), Self.picture(.problem(.truncated)), .endOfFile(name: "b.png"),
        ]
        let queue = try PictureQueue(
            scanner(events.flatMap(\.encoded), status: 3), folder: folder.path, skipsPresent: false,
            decoder: .auto)
        let later = ContinuousClock.now + .seconds(30)
        var news: [PictureQueue.News] = []
        for _ in 0..<4 { news.append(try queue.next(before: later)) }
        guard case .endOfFile("a.png", let first) = news[1], case .endOfFile("b.png", let second) = news[3]
        else {
            Issue.record("\(news)")
            return
        }
        #expect(news[0] == .code([1]) && news[2] == .code([1]))
        #expect(first.images == 1 && first.codes == 1 && first.problems.isEmpty)
        #expect(second.images == 2 && second.problems.map(\.problem) == [.truncated])
        #expect(throws: ScannerClientError.ended(status: 3, signal: nil)) { try queue.next(before: later) }
    }

    @Test func `the end of a file is not understood where no queue asked for it`() throws {
        #expect(throws: ScannerClientError.notUnderstood) {
            try scanner(ScanEvent.endOfFile(name: "a.png").encoded).scan(Self.request) { _ in .goOn }
        }
    }

    @Test func `records of an unknown kind are not understood`() throws {
        #expect(throws: ScannerClientError.notUnderstood) {
            try scanner([0x78, 0, 0, 0, 0]).scan(Self.request) { _ in .goOn }
        }
    }

    @Test func `a missing program cannot be started`() {
        let program = folder.path + "/missing"
        #expect(throws: ScannerClientError.cannotStart(program: program, errno: ENOENT)) {
            try ScannerClient(program: program).scan(Self.request) { _ in .goOn }
        }
    }

    @Test func `an expansion of another length than announced is not understood`() throws {
        let reply = ExpansionReply.expanded([1, 2, 3]).encoded
        #expect(try scanner(reply).expand([0], length: 3) == [1, 2, 3])
        #expect(throws: ScannerClientError.notUnderstood) { try scanner(reply).expand([0], length: 4) }
    }
}
