import ScanProtocol
import Testing

@Suite struct ScanEventTests {
    static let problems: [PictureProblem] =
        [
            .cannotOpen(errno: 13), .vanished, .notAFile, .empty, .emptyFolder, .notAPicture, .json,
            .truncated, .corrupt,
            .unsupported,
            .tooManyPixels(width: 60_000, height: .max), .tooManyBytes(limit: .max), .tooManyFrames(limit: 7),
            .tooManyFiles(limit: 8), .folderMoved,
            .outOfMemory, .tookTooLong(milliseconds: 10_000), .crashed(signal: 11), .silent(seconds: 60),
            .nothingNew(pictures: 9000),
        ] + VideoContainer.allCases.map(PictureProblem.video)
        + CameraProblem.examples.map(PictureProblem.camera)
    static let format = CameraFormat(encoding: .yuyv, width: 640, height: 480, stride: 1300)!
    static let events: [ScanEvent] =
        [
            .code([]), .code([0, 1, 0xff, 0x0a]), .finished, .endOfFile(name: "a/ü\n.png"),
            .waiting(pictures: .max),
            .sandboxFailed(step: "seccomp", errno: 1), .raw([], isLast: true),
            .raw([UInt8](repeating: 7, count: ScanEvent.maximumPartLength), isLast: false),
        ]
        + [
            .camera(.init(path: "/dev/video0", name: "")),
            .camera(.init(path: "", name: "a\0ü\n", format: format)),
            .preview(PreviewPicture(width: 3, height: 2, pixels: [1, 2, 3, 4, 5, 6])!),
            .preview(
                PreviewPicture(width: 256, height: 144, pixels: [UInt8](repeating: 9, count: 256 * 144))!),
        ]
        + [PictureOutcome.codes(3), .noCode, .known].map {
            .picture(name: "a/ü\n.png", frame: nil, outcome: $0)
        }
        + problems.map { .picture(name: "-", frame: 4_294_967_295, outcome: .problem($0)) }

    @Test(arguments: events) func anEventSurvivesItsRecord(_ event: ScanEvent) throws {
        let record = event.encoded
        #expect(
            try ScanEvent.bodyLength(record.prefix(ScanEvent.headerLength)) == record.count
                - ScanEvent.headerLength)
        #expect(try ScanEvent(tag: record[0], body: record[ScanEvent.headerLength...]) == event)
    }

    @Test(arguments: [0, 1, 65534, 65535, 65536, 131_070, 200_000])
    func `a raw picture comes in parts that a record holds, and the last one says so`(count: Int) {
        let picture = (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0) }
        var joined: [UInt8] = []
        var ends: [Bool] = []
        for part in ScanEvent.parts(ofRaw: picture) {
            guard case .raw(let bytes, let isLast) = part else {
                Issue.record("\(part)")
                return
            }
            #expect(part.encoded.count <= ScanEvent.headerLength + ScanEvent.maximumBodyLength)
            joined += bytes
            ends.append(isLast)
        }
        #expect(joined == picture && ends.last == true && ends.dropLast().allSatisfy { !$0 })
        #expect(throws: ScanEventError.self) { try ScanEvent(tag: UInt8(ascii: "r"), body: []) }
        #expect(throws: ScanEventError.self) { try ScanEvent(tag: UInt8(ascii: "r"), body: [2]) }
    }

    @Test func aRecordOfUnknownKindIsRefused() {
        #expect(throws: ScanEventError.self) { try ScanEvent(tag: UInt8(ascii: "x"), body: []) }
    }

    @Test func aCutPictureRecordIsRefusedOrNamesAnotherPicture() throws {
        let record = ScanEvent.picture(name: "name", frame: 1, outcome: .noCode).encoded
        for end in ScanEvent.headerLength..<record.count {
            let event = try? ScanEvent(tag: record[0], body: record[ScanEvent.headerLength..<end])
            #expect(event != .picture(name: "name", frame: 1, outcome: .noCode))
        }
    }

    @Test func aRecordThatAnnouncesTooMuchIsRefused() {
        #expect(throws: ScanEventError.self) {
            try ScanEvent.bodyLength([UInt8(ascii: "c"), 0xff, 0xff, 0xff, 0xff])
        }
    }
}
