import ScanProtocol
import Testing

/// What a scanner that was taken over may write about a camera.
@Suite struct CameraRecordTests {
    @Test func aFormatOutOfItsBoundsIsNone() {
        func format(_ encoding: CameraFormat.Encoding, _ width: Int, _ height: Int, _ stride: Int)
            -> CameraFormat?
        {
            CameraFormat(encoding: encoding, width: width, height: height, stride: stride)
        }
        for (width, height, stride) in [
            (0, 1, 2), (1, 0, 2), (-1, 1, 2), (8193, 1, 16386), (1, 8193, 2), (8192, 8192, 16384),
            (640, 480, 1279), (1, 1, 65_537),
            (.max, .max, .max),
        ] {
            #expect(format(.yuyv, width, height, stride) == nil, "\(width) x \(height), \(stride)")
        }
        #expect(format(.mjpeg, 640, 480, 1280) == nil)
        #expect(format(.yuyv, 640, 480, 1300)?.shortestPicture == 1300 * 479 + 1280)
        #expect(format(.mjpeg, 4000, 4000, 0)?.shortestPicture == 1)
        #expect(format(.yuyv, 4000, 4001, 8000) == nil)
    }

    @Test func aFormatHasOneForm() throws {
        let format = try #require(CameraFormat(encoding: .mjpeg, width: 1280, height: 720, stride: 0))
        #expect(CameraFormat(format.encoded) == format && format.encoded.count == CameraFormat.encodedLength)
        #expect(
            CameraFormat(format.encoded + [0]) == nil && CameraFormat(format.encoded.dropLast()) == nil
                && CameraFormat([]) == nil)
        #expect(CameraFormat([2] + format.encoded.dropFirst()) == nil)
    }

    @Test func aPreviewThatItsSamplesDoNotFillIsNone() {
        #expect(PreviewPicture(width: 257, height: 1, pixels: [UInt8](repeating: 0, count: 257)) == nil)
        #expect(PreviewPicture(width: 1, height: 145, pixels: [UInt8](repeating: 0, count: 145)) == nil)
        #expect(PreviewPicture(width: 0, height: 1, pixels: []) == nil)
        #expect(PreviewPicture(width: 2, height: 2, pixels: [1, 2, 3]) == nil)
        for body in [[], [0, 1, 0, 1], [0, 1, 0, 1, 5, 6], [1, 1, 0, 0], [255, 255, 255, 255, 1]] as [[UInt8]]
        {
            #expect(PreviewPicture(body) == nil, "\(body)")
            #expect(throws: ScanEventError.self) { try ScanEvent(tag: UInt8(ascii: "v"), body: body[...]) }
        }
    }

    @Test func aCameraWithoutItsPathOrFormatIsNone() {
        for body in [[], [0], [0, 65], [13, 0], [13] + [UInt8](repeating: 0, count: 14), [14, 0]] as [[UInt8]]
        {
            #expect(throws: ScanEventError.self, "\(body)") {
                try ScanEvent(tag: UInt8(ascii: "k"), body: body[...])
            }
        }
    }

    @Test func anUnknownProblemIsRefused() {
        for (kind, first, second) in [
            (17, 7, 0), (17, 256, 0), (18, 10, 0), (18, 1 << 33, 0), (19, 1 << 33, 0), (20, 9, 0), (24, 0, 0),
        ]
            as [(UInt8, UInt64, UInt64)]
        {
            #expect(PictureProblem(kind: kind, first: first, second: second) == nil, "\(kind) \(first)")
        }
    }

    @Test(arguments: [
        ("\0\0\0\u{20}ftypisom", VideoContainer.mp4), ("\0\0\0\u{20}ftypmp42", .mp4),
        ("\0\0\0\u{14}ftypqt  ", .quickTime),
        ("\0\0\0\u{8}moov\0\0\0\0", .quickTime), ("RIFF\0\0\0\0AVI ", .avi), ("OggS\0\0\0\0\0\0\0\0", .ogg),
        ("\0\0\u{1}\u{33}", nil), ("RIFF\0\0\0\0WEBP", nil), ("\0\0\0\u{20}ftypheic", nil),
        ("\0\0\0\u{20}ftypavif", nil),
        ("ftypisom\0\0\0\0", nil), ("", nil),
    ]) func aVideoIsToldByItsFirstBytes(_ text: String, _ container: VideoContainer?) {
        #expect(VideoContainer(prefix: Array(text.utf8)) == container)
    }

    @Test func aVideoIsToldByItsFirstBytesWhereTheyAreNoText() {
        #expect(VideoContainer(prefix: [0x1a, 0x45, 0xdf, 0xa3, 0x9f]) == .matroska)
        #expect(
            VideoContainer(prefix: [0, 0, 1, 0xba, 0x44]) == .mpeg
                && VideoContainer(prefix: [0, 0, 1, 0xb3]) == .mpeg)
        #expect(
            VideoContainer(prefix: [0x46, 0x4c, 0x56, 1, 5]) == .flash
                && VideoContainer(prefix: [0x46, 0x4c, 0x56, 2]) == nil)
    }
}
