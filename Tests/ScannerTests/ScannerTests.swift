import Glibc
import QRCode
import ScanProtocol
import ScannerClient
import TestSupport
import Testing

@Suite struct ScannerTests {
    /// Codes in order and the report.
    private func scan(_ inputs: [String], decoder: DecoderChoice = .auto) throws -> ([[UInt8]], ScanReport) {
        var codes: [[UInt8]] = []
        let report = try Scanner.client.scan(.init(inputs: inputs, decoder: decoder)) {
            codes.append($0)
            return .goOn
        }
        return (codes, report)
    }

    private func problems(_ report: ScanReport) -> [PictureProblem] { report.problems.map(\.problem) }

    @Test func aFolderIsReadInNaturalOrder() throws {
        let folder = TemporaryDirectory()
        let names = ["frame10.png", "frame9.png", "frame1.png", "frame09b.png", "a.png", "Z.png"]
        let order = ["Z.png", "a.png", "frame1.png", "frame9.png", "frame09b.png", "frame10.png"]
        for name in names { try folder.write(Pictures.png(Array(name.utf8)), to: name) }
        try folder.write(Pictures.png([1]), to: ".hidden.png")
        let (codes, report) = try scan([folder.path])
        #expect(codes == order.map { Array($0.utf8) })
        #expect(report.images == 6 && report.codes == 6 && report.problems.isEmpty)
    }

    /// Such names come from old cameras and archives.
    @Test func `a picture whose name is not UTF-8 is read, in a folder of such a name too`() throws {
        let folder = TemporaryDirectory()
        func path(_ parts: [UInt8]...) -> [CChar] {
            (Array(folder.path.utf8) + parts.flatMap { [0x2f] + $0 } + [0]).map { CChar(bitPattern: $0) }
        }
        // In Latin-1: a folder "für", and pictures "ä.png".
        let (inner, name): ([UInt8], [UInt8]) = ([0x66, 0xfc, 0x72], [0xe4, 0x2e, 0x70, 0x6e, 0x67])
        #expect(mkdir(path(inner), 0o700) == 0)
        let (first, second) = try (
            folder.write(Pictures.png([7]), to: "a.png"), folder.write(Pictures.png([8]), to: "b.png")
        )
        #expect(rename(first, path(inner, name)) == 0 && rename(second, path(name)) == 0)
        let (codes, report) = try scan([folder.path])
        #expect(codes == [[7], [8]] && report.problems.isEmpty)
    }

    @Test func codesComeInTheOrderOfTheInputsWhateverTheyCost() throws {
        let folder = TemporaryDirectory()
        let animation = try folder.write(
            APNG.encode(frames: QRCode.frames((0..<20).map { Pictures.payload($0) })), to: "b.png")
        let still = try folder.write(Pictures.png(Pictures.payload(99)), to: "a.png")
        let (codes, report) = try scan([animation, still, animation])
        #expect(codes == ((0..<20) + [99]).map { Pictures.payload($0) })
        #expect(report.images == 22 && report.knownImages == 1 && report.distinctCodes == 21)
    }

    @Test(arguments: DecoderChoice.allCases) func everyReaderReadsAVideo(_ decoder: DecoderChoice) throws {
        let folder = TemporaryDirectory()
        let payloads = (0..<12).map { Pictures.payload($0) }
        for layout in ["420jpeg", "mono"] {
            let (codes, report) = try scan(
                [try folder.write(Pictures.video(payloads, layout: layout), to: "v.y4m")], decoder: decoder)
            #expect(codes == payloads)
            #expect(report.images == 12 && report.problems.isEmpty)
        }
    }

    /// All workers are still at the video's last frames when its end is found.
    @Test func whatFollowsAVideoIsReadToo() throws {
        let folder = TemporaryDirectory()
        let hard = try folder.write(Pictures.hardVideo(6), to: "hard.y4m")
        let inputs = [
            hard, try folder.write(Pictures.png(Pictures.payload(1)), to: "a.png"), hard,
            try folder.write(Pictures.video([Pictures.payload(2)]), to: "b.y4m"),
        ]
        let (codes, report) = try scan(inputs)
        #expect(codes == [Pictures.payload(1), Pictures.payload(2)])
        #expect(report.images == 6 + 1 + 6 + 1 && report.knownImages == 6)
    }

    @Test func picturesThatWereSeenAreNotReadAgain() throws {
        let folder = TemporaryDirectory()
        let video = try folder.write(
            Pictures.video([1, 1, 2, 1, 2].map { Pictures.payload($0) }), to: "v.y4m")
        let (codes, report) = try scan([video])
        #expect(codes == [Pictures.payload(1), Pictures.payload(2)])
        #expect(report.images == 5 && report.knownImages == 3)
    }

    @Test func aVideoOnStandardInputIsReadWhileItComesIn() throws {
        let scanner = try RunningScanner(["-"])
        let video = try Pictures.video((0..<3).map { Pictures.payload($0) }, layout: "mono")
        let frame = (video.count - 60) / 3
        // All but the last frame's end.
        try scanner.write(Array(video[..<(video.count - frame / 2)]))
        var codes: [[UInt8]] = []
        while codes.count < 2, let event = try scanner.next() {
            if let code = event.code { codes.append(code) }
        }
        #expect(codes == [Pictures.payload(0), Pictures.payload(1)])
        try scanner.write(Array(video[(video.count - frame / 2)...]))
        scanner.closeInput()
        let events = try scanner.rest()
        #expect(events.compactMap(\.code) == [Pictures.payload(2)])
        #expect(events.last == .finished)
    }

    @Test func watchedFoldersGiveTheirPicturesAsTheyLand() throws {
        let folder = TemporaryDirectory()
        let scanner = try RunningScanner(["--watch", folder.path])
        for number in 0..<3 {
            try folder.write(Pictures.png(Pictures.payload(number)), to: "picture\(number).png")
            var code: [UInt8]?
            while code == nil, let event = try scanner.next() { code = event.code }
            #expect(code == Pictures.payload(number))
        }
    }

    /// The next file's name and codes.
    private func nextFile(_ scanner: RunningScanner, seconds: Int32 = 30) throws -> (
        name: String, codes: [[UInt8]]
    )? {
        var codes: [[UInt8]] = []
        while let event = try scanner.next(seconds: seconds) {
            if let code = event.code { codes.append(code) }
            if case .endOfFile(let path) = event {
                return (path.split(separator: "/").last.map(String.init) ?? "", codes)
            }
        }
        return nil
    }

    @Test func aQueueTakesEachFileByItselfAndNoAnswer() throws {
        let folder = TemporaryDirectory()
        let picture = try Pictures.png(Pictures.payload(0))
        for name in ["a.png", "b.png", "c.answer.png"] { try folder.write(picture, to: name) }
        try folder.write([1, 2, 3], to: "d.png")
        let scanner = try RunningScanner(["--each", "--watch", folder.path])
        for name in ["a.png", "b.png"] {
            let file = try #require(try nextFile(scanner))
            #expect(file.name == name && file.codes == [Pictures.payload(0)])
        }
        let broken = try #require(try nextFile(scanner))
        #expect(broken.name == "d.png" && broken.codes.isEmpty)
    }

    @Test func aQueueLeavesOutWhatWasThereUntilItChanges() throws {
        let folder = TemporaryDirectory()
        for name in ["a.png", "b.png"] { try folder.write(Pictures.png(Pictures.payload(0)), to: name) }
        let scanner = try RunningScanner(["--each", "--skip-present", "--watch", folder.path])
        // Nothing says when the first look is over, so this one changes until it is told.
        var first: String?
        for attempt in 0..<60 where first == nil {
            try folder.write(Pictures.png(Pictures.payload(1, count: 100 + attempt)), to: "c.png")
            first = try nextFile(scanner, seconds: 1)?.name
        }
        #expect(first == "c.png")
        try folder.write(Pictures.png(Pictures.payload(2, count: 300)), to: "a.png")
        let changed = try #require(try nextFile(scanner))
        #expect(changed.name == "a.png" && changed.codes == [Pictures.payload(2, count: 300)])
    }

    @Test func aWatchEndsWhenTheConsumerHasEnough() throws {
        let folder = TemporaryDirectory()
        for number in 0..<4 { try folder.write(Pictures.png(Pictures.payload(number)), to: "\(number).png") }
        var count = 0
        let report = try Scanner.client.scan(.init(inputs: [], watched: [folder.path])) { _ in
            count += 1
            return count == 4 ? .stop : .goOn
        }
        #expect(report.stoppedEarly && report.codes == 4)
    }

    @Test func stillsThatFollowTheLastNeededOneAreLookedAtAndNoMore() throws {
        let folder = TemporaryDirectory()
        for number in 0..<40 { try folder.write(Pictures.png(Pictures.payload(number)), to: "\(number).png") }
        var codes: [[UInt8]] = []
        let report = try Scanner.client.scan(.init(inputs: [folder.path])) { code in
            codes.append(code)
            return codes.count < 3 ? .goOn : .enough
        }
        #expect(report.stoppedEarly && report.images == 3 + ScannerClient.furtherStills)
        #expect(codes == (0..<report.images).map { Pictures.payload($0) })
    }

    /// A pipe that stays silent after the last needed still does not hold the payload up.
    @Test func whatFollowsTheLastNeededStillIsNotWaitedFor() throws {
        let folder = TemporaryDirectory()
        try folder.write(Pictures.png(Pictures.payload(0)), to: "0.png")
        #expect(mkfifo(folder.path + "/fifo", 0o600) == 0)
        let kept = open(folder.path + "/fifo", O_RDWR)
        defer { close(kept) }
        let report = try Scanner.client.scan(.init(inputs: [folder.path + "/0.png", folder.path + "/fifo"])) {
            _ in .enough
        }
        #expect(report.stoppedEarly && report.images == 1)
    }

    @Test func twoThousandPicturesTakeLittleMemory() throws {
        let scanner = try RunningScanner(["-"])
        let video = try Pictures.video((0..<50).map { Pictures.payload($0, count: 900) }, layout: "mono")
        let header = try #require(video.firstIndex(of: UInt8(ascii: "\n"))) + 1
        scanner.feed(Array(video[..<header]), then: Array(video[header...]), times: 40)
        var pictures = 0
        var codes = 0
        var kilobytes = 0
        while let event = try scanner.next(), event != .finished {
            if event.code != nil { codes += 1 }
            if case .picture = event { pictures += 1 }
            if case .picture = event, pictures == 1900 {
                // Memory that a fork shares is counted for each process, so the true sum is lower.
                kilobytes = ([scanner.process] + scanner.workers).compactMap {
                    RunningScanner.status($0, "VmHWM")
                }.reduce(0, +)
            }
        }
        #expect(pictures == 2000 && codes == 50)
        #expect(kilobytes > 1000 && kilobytes < 150_000, "\(kilobytes) kB")
    }
}

/// Inputs that are broken, hostile or gone cost themselves and nothing else.
@Suite struct BadInputTests {
    private static let good = Pictures.payload(7)

    /// Scans the bad input between two good ones and returns what was said about it.
    private func problem(of bad: [String], in folder: TemporaryDirectory) throws -> [PictureProblem] {
        let first = try folder.write(Pictures.png(Self.good), to: "first.png")
        let last = try folder.write(Pictures.png([9] + Self.good), to: "last.png")
        var codes: [[UInt8]] = []
        let report = try Scanner.client.scan(.init(inputs: [first] + bad + [last])) {
            codes.append($0)
            return .goOn
        }
        #expect(codes.first == Self.good && codes.last == [9] + Self.good)
        return report.problems.map(\.problem)
    }

    @Test func brokenFilesAreNamedAndTheRestIsRead() throws {
        let folder = TemporaryDirectory()
        let png = try Pictures.png(Self.good)
        var corrupt = png
        corrupt[png.count / 2] ^= 0xff
        let cases: [(String, [UInt8], PictureProblem)] = [
            ("empty", [], .empty), ("text", Array("no picture".utf8), .notAPicture),
            ("cut.png", Array(png.prefix(png.count / 2)), .truncated), ("corrupt.png", corrupt, .corrupt),
            ("cut.pgm", Array("P5 100 100 255\n12345".utf8), .truncated),
            ("header-only.jpg", [0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10] + Array("JFIF".utf8), .corrupt),
            ("huge.pgm", Array("P5 60000 60000 255\n".utf8), .tooManyPixels(width: 60_000, height: 60_000)),
            ("no-size.y4m", Array("YUV4MPEG2 F30:1\nFRAME\n".utf8), .corrupt),
            (
                "huge.y4m", Array("YUV4MPEG2 W60000 H60000\nFRAME\n".utf8),
                .tooManyPixels(width: 60_000, height: 60_000)
            ),
            ("cut.y4m", Array("YUV4MPEG2 W10 H10 Cmono\nFRAME\n123".utf8), .truncated),
            ("no-newline.y4m", Array("YUV4MPEG2 ".utf8) + [UInt8](repeating: 65, count: 5000), .corrupt),
        ]
        let paths = try cases.map { try folder.write($0.1, to: $0.0) }
        let found = try problem(of: paths, in: folder)
        #expect(found.count == cases.count)
        for (found, expected) in zip(found, cases) { #expect(found == expected.2, "\(expected.0)") }
    }

    @Test func inputsThatAreNoFilesAreNamed() throws {
        let folder = TemporaryDirectory()
        let inner = TemporaryDirectory()
        #expect(try problem(of: [inner.path], in: folder) == [.emptyFolder])
        #expect(try problem(of: [folder.path + "/nothing"], in: folder) == [.cannotOpen(errno: ENOENT)])
    }

    @Test func aFolderThatLiesTooDeepCostsItselfOnly() throws {
        let folder = TemporaryDirectory()
        try folder.write(Pictures.png(Self.good), to: "a.png")
        var path = folder.path
        for _ in 0..<9 {
            path += "/b"
            #expect(mkdir(path, 0o700) == 0)
        }
        let events = try RunningScanner([folder.path]).rest()
        #expect(events.compactMap(\.problem) == [.tooManyFiles(limit: 100_000)])
        #expect(events.compactMap(\.code) == [Self.good])
    }

    @Test func aFolderThatIsNotThereIsNotWatched() throws {
        let folder = TemporaryDirectory()
        let alone = try RunningScanner(["--watch", folder.path + "/nothing"])
        let events = try alone.rest()
        #expect(events.compactMap(\.problem) == [.cannotOpen(errno: ENOENT)] && events.last == .finished)
        let beside = try RunningScanner(["--watch", folder.path + "/nothing", "--watch", folder.path])
        #expect(try beside.next()?.problem == .cannotOpen(errno: ENOENT))
        try folder.write(Pictures.png(Self.good), to: "a.png")
        var code: [UInt8]?
        while code == nil, let event = try beside.next() { code = event.code }
        #expect(code == Self.good)
    }

    /// What becomes of a watched folder while it is watched.
    enum Move: CaseIterable { case renamed, replaced, removed, linked }

    @Test(arguments: Move.allCases) func aWatchEndsWithItsFolder(_ move: Move) throws {
        let folder = TemporaryDirectory()
        let (path, other) = (folder.path + "/in", folder.path + "/other")
        #expect(mkdir(path, 0o700) == 0 && mkdir(folder.path + "/beside", 0o700) == 0)
        let scanner = try RunningScanner(["--watch", path, "--watch", folder.path + "/beside"])
        try folder.write(Pictures.png(Self.good), to: "in/a.png")
        var code: [UInt8]?
        while code == nil, let event = try scanner.next() { code = event.code }
        #expect(code == Self.good)
        switch move {
        case .renamed: #expect(rename(path, other) == 0)
        case .replaced: #expect(rename(path, other) == 0 && mkdir(path, 0o700) == 0)
        case .removed: #expect(unlink(path + "/a.png") == 0 && rmdir(path) == 0)
        case .linked: #expect(rename(path, other) == 0 && symlink(folder.path + "/beside", path) == 0)
        }
        let rest = try scanner.rest()
        #expect(rest.compactMap(\.problem) == [.folderMoved] && rest.last == .finished)
    }

    @Test func aFolderWithTooManyFilesEndsItsWatch() throws {
        let folder = TemporaryDirectory()
        for number in 0...100_000 {
            close(open(folder.path + "/\(number)", O_WRONLY | O_CREAT, 0o600))
        }
        let scanner = try RunningScanner(["--watch", folder.path])
        #expect(try scanner.next(seconds: 120)?.problem == .tooManyFiles(limit: 100_000))
        #expect(try scanner.next() == .finished)
    }

    @Test func whoeverFillsAFolderIsToldAndDelaysNobodyElse() throws {
        guard try Requirement.isMet(geteuid() == 0, "only root can give files to another user") else {
            return
        }
        let folder = TemporaryDirectory()
        for number in 0..<300 {
            let path = try folder.write(Pictures.png(Pictures.payload(number)), to: "a\(number).png")
            #expect(chown(path, 4711, gid_t.max) == 0)
        }
        try folder.write(Pictures.png(Self.good), to: "z.png")
        let scanner = try RunningScanner(["--each", "--watch", folder.path])
        var (files, told): ([String], UInt32?) = ([], nil)
        while files.count < 4, let event = try scanner.next() {
            if case .waiting(let pictures) = event { told = pictures }
            if case .endOfFile(let name) = event { files.append(name) }
        }
        #expect(files.contains(folder.path + "/z.png") && files[0] == folder.path + "/a0.png")
        #expect((told ?? 0) > 200)
    }

    @Test func aPipeThatNeverEndsIsGivenUp() throws {
        let folder = TemporaryDirectory()
        let fifo = folder.path + "/fifo"
        #expect(mkfifo(fifo, 0o600) == 0)
        let last = try folder.write(Pictures.png(Self.good), to: "last.png")
        // Open, and nothing comes.
        let writer = open(fifo, O_RDWR)
        defer { close(writer) }
        let silent = try RunningScanner(["--patience", "1", fifo, last])
        let events = try silent.rest()
        #expect(events.compactMap(\.problem) == [.silent(seconds: 1)])
        #expect(events.compactMap(\.code) == [Self.good])
    }

    @Test func anEndlessFileIsGivenUpAtItsLimit() throws {
        let folder = TemporaryDirectory()
        let last = try folder.write(Pictures.png(Self.good), to: "last.png")
        let scanner = try RunningScanner(["/dev/zero", last])
        let events = try scanner.rest()
        #expect(events.compactMap(\.problem) == [.tooManyBytes(limit: 64 << 20)])
        #expect(events.compactMap(\.code) == [Self.good])
    }

    @Test func anEndlessVideoWithoutNewCodesIsGivenUp() throws {
        let scanner = try RunningScanner(["-"])
        let video = try Pictures.video([Self.good], layout: "mono")
        let header = try #require(video.firstIndex(of: UInt8(ascii: "\n"))) + 1
        scanner.feed(video, then: Array(video[header...]), times: 100_000)
        let events = try scanner.rest()
        #expect(events.compactMap(\.problem) == [.nothingNew(pictures: 9000)])
        #expect(events.last == .finished)
    }

    @Test func tenThousandFilesAreLookedAt() throws {
        let folder = TemporaryDirectory()
        for number in 0..<9_998 {
            try folder.write(
                [UInt8(ascii: "x"), UInt8(number & 255), UInt8(number >> 8)], to: "note\(number).txt")
        }
        try folder.write(Pictures.png(Self.good), to: "a.png")
        try folder.write(Pictures.png([1] + Self.good), to: "z.png")
        var codes: [[UInt8]] = []
        let report = try Scanner.client.scan(.init(inputs: [folder.path])) {
            codes.append($0)
            return .goOn
        }
        #expect(codes == [Self.good, [1] + Self.good])
        #expect(report.images == 10_000)
        #expect(report.problems.count == ScanReport.namedProblems && report.furtherProblems == 8_998)
    }

    @Test func aFileThatVanishesIsNamed() throws {
        let folder = TemporaryDirectory()
        try folder.write(Pictures.png(Self.good), to: "1.png")
        // A link whose target is gone is listed and cannot be opened, like a file that was removed in
        // between.
        #expect(symlink("/nowhere/at/all.png", folder.path + "/2.png") == 0)
        let events = try RunningScanner([folder.path]).rest()
        #expect(events.compactMap(\.problem) == [.vanished])
        #expect(events.compactMap(\.code) == [Self.good])
    }
}

@Suite struct ScanLimitLaws {
    private func limit(
        isCommand: Bool, _ pictures: [(seconds: Double, timedOut: Bool)], hasCode: Bool = true,
        isLive: Bool = false
    ) -> ScanLimit? {
        var account = ScanAccount(isCommand: isCommand)
        for picture in pictures {
            account.charge(
                seconds: picture.seconds, timedOut: picture.timedOut, hasCode: hasCode, isLive: isLive)
        }
        return account.exceeded
    }

    @Test func `the last allowed picture is allowed, and the next is not`() {
        func times(_ count: Int, _ seconds: Double, timedOut: Bool) -> [(Double, Bool)] {
            Array(repeating: (seconds, timedOut), count: count)
        }
        #expect(limit(isCommand: false, times(1, 10, timedOut: true)) == nil)
        #expect(limit(isCommand: false, times(2, 0.2, timedOut: true)) == .inputTimeouts)
        #expect(limit(isCommand: true, times(5, 10, timedOut: true)) == nil)
        #expect(limit(isCommand: true, times(6, 0.2, timedOut: true)) == .commandTimeouts)
        #expect(limit(isCommand: false, times(179, 1, timedOut: false)) == nil)
        #expect(limit(isCommand: false, times(180, 1, timedOut: false)) == .fileTime)
        #expect(limit(isCommand: true, times(899, 1, timedOut: false)) == nil)
        #expect(limit(isCommand: true, times(900, 1, timedOut: false)) == .commandTime)
        // A machine that was paused lost the rest of a video: a picture that did not work is not counted,
        // however long it took.
        for isCommand in [false, true] {
            #expect(limit(isCommand: isCommand, times(899, 0.199, timedOut: true)) == nil)
        }
        // Nor is one of a camera, which nobody could hold up for long otherwise.
        for isCommand in [false, true] {
            #expect(limit(isCommand: isCommand, times(1000, 10, timedOut: true), isLive: true) == nil)
        }
        // Without a code it ends much sooner.
        #expect(limit(isCommand: false, times(29, 1, timedOut: false), hasCode: false) == nil)
        #expect(limit(isCommand: false, times(30, 1, timedOut: false), hasCode: false) == .fileWithoutCode)
        #expect(limit(isCommand: true, times(179, 1, timedOut: false), hasCode: false) == nil)
        #expect(limit(isCommand: true, times(180, 1, timedOut: false), hasCode: false) == .commandWithoutCode)
        for isCommand in [false, true] {
            #expect(
                limit(isCommand: isCommand, times(1000, 10, timedOut: false), hasCode: false, isLive: true)
                    == nil)
        }
    }

    @Test func `a picture with a code starts the time without one again, and the time of all goes on`() {
        var account = ScanAccount()
        for picture in 1..<180 {
            account.charge(seconds: 1, timedOut: false, hasCode: picture % 30 == 0, isLive: false)
            #expect(account.exceeded == nil, "\(picture)")
        }
        account.charge(seconds: 1, timedOut: false, hasCode: true, isLive: false)
        #expect(account.exceeded == .fileTime)
    }

    /// Opening such a pipe waits for nobody, so that only the time tells.
    @Test
    func `a pipe that nobody writes to is told after five seconds, and one with a silent writer is awaited`()
        throws
    {
        let folder = TemporaryDirectory()
        let pipe = folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let begin = ContinuousClock.now
        let alone = try RunningScanner([pipe])
        #expect(try alone.rest().compactMap(\.problem) == [.unwritten(seconds: 5)])
        #expect(ContinuousClock.now - begin > .seconds(4))
        let writer = open(pipe, O_RDWR | O_CLOEXEC)
        let awaited = try RunningScanner([pipe])
        sleep(7)
        let picture = try Pictures.png(Pictures.payload(5))
        #expect(write(writer, picture, picture.count) == picture.count)
        close(writer)
        #expect(try awaited.rest().compactMap(\.code) == [Pictures.payload(5)])
    }
}
