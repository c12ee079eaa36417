import CTurboJPEG
import ImageDecoding
import ScanProtocol
import Testing

/// A camera's bytes as pictures.
@Suite struct CameraPictureTests {
    private func message(_ format: CameraFormat, _ bytes: [UInt8], wantsPreview: Bool = false) -> [UInt8] {
        var message = [UInt8](repeating: 0, count: CameraPicture.headLength) + bytes
        CameraPicture.putHead(format, wantsPreview: wantsPreview, into: &message)
        return message
    }

    private func format(_ encoding: CameraFormat.Encoding, _ width: Int, _ height: Int, _ stride: Int) throws
        -> CameraFormat
    {
        try #require(CameraFormat(encoding: encoding, width: width, height: height, stride: stride))
    }

    @Test func everyOtherByteIsBrightness() throws {
        // Three pixels in rows of eight bytes; the last row ends with its pixels.
        let rows: [UInt8] = [1, 0, 2, 0, 3, 0, 99, 99, 4, 0, 5, 0, 6, 0]
        let picture = try CameraPicture(message(format(.yuyv, 3, 2, 8), rows))
        #expect(try picture.image() == GrayImage(width: 3, height: 2, pixels: [1, 2, 3, 4, 5, 6]))
        #expect(!picture.wantsPreview)
        #expect(
            try CameraPicture(message(format(.yuyv, 3, 2, 8), rows + [7, 7], wantsPreview: true)).wantsPreview
        )
    }

    @Test func aShortPictureIsTruncated() throws {
        let format = try format(.yuyv, 3, 2, 8)
        for count in [0, 1, 13] {
            #expect(throws: PictureProblem.truncated) {
                try CameraPicture(message(format, [UInt8](repeating: 1, count: count))).image()
            }
        }
    }

    @Test func aHeadThatIsNoneIsCorrupt() throws {
        let whole = message(try format(.yuyv, 3, 2, 8), [UInt8](repeating: 1, count: 14))
        for count in 0..<CameraPicture.headLength {
            #expect(throws: PictureProblem.corrupt) { try CameraPicture(Array(whole[..<count])) }
        }
        #expect(throws: PictureProblem.corrupt) { try CameraPicture([9] + whole.dropFirst()) }
    }

    @Test func aJPEGIsReadAndNothingElse() throws {
        let format = try format(.mjpeg, 16, 8, 0)
        let jpeg = try JPEG.gray(width: 16, height: 8, value: 200)
        let image = try CameraPicture(message(format, jpeg)).image()
        #expect(image.width == 16 && image.height == 8 && image.pixels.allSatisfy { 198...202 ~= $0 })
        // Some drivers fill the rest of the buffer, and some cameras leave out the tables that every decoder
        // knows.
        #expect(try CameraPicture(message(format, jpeg + [0, 0, 0])).image() == image)
        #expect(try CameraPicture(message(format, JPEG.withoutTables(jpeg))).image() == image)
        #expect(throws: PictureProblem.notAPicture) {
            try CameraPicture(message(format, [0x89, 0x50, 0x4e, 0x47])).image()
        }
        #expect(throws: PictureProblem.corrupt) {
            try CameraPicture(message(format, Array(jpeg[..<30]))).image()
        }
    }

    @Test func aPreviewIsTheMeanOfWhatItCovers() {
        let pixels = (0..<512 * 288).map { index -> UInt8 in
            let (column, row) = (index % 512, index / 512)
            return UInt8(column / 2 % 2 * 100 + row % 2 * 10)
        }
        let image = GrayImage(width: 512, height: 288, pixels: pixels)
        let preview = PreviewPicture(image)
        #expect(preview.width == 256 && preview.height == 144)
        #expect(Array(preview.pixels[..<4]) == [5, 105, 5, 105])
    }

    @Test(arguments: [
        (1, 1), (1280, 720), (640, 480), (257, 1), (1, 8000), (8000, 1), (255, 144), (256, 145),
    ])
    func aPreviewHasItsBounds(_ width: Int, _ height: Int) {
        let preview = PreviewPicture(
            GrayImage(width: width, height: height, pixels: [UInt8](repeating: 7, count: width * height)))
        #expect(preview.pixels.allSatisfy { $0 == 7 })
    }
}

enum JPEG {
    static func gray(width: Int32, height: Int32, value: UInt8) throws -> [UInt8] {
        let encoder = try #require(tjInitCompress())
        defer { tjDestroy(encoder) }
        let pixels = [UInt8](repeating: value, count: Int(width * height))
        var target: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        let result = tjCompress2(
            encoder, pixels, width, 0, height, Int32(TJPF_GRAY.rawValue), &target, &count,
            Int32(TJSAMP_GRAY.rawValue), 90, 0)
        try #require(result == 0)
        defer { tjFree(target) }
        return Array(UnsafeBufferPointer(start: target, count: Int(count)))
    }

    static func withoutTables(_ jpeg: [UInt8]) -> [UInt8] {
        var kept = Array(jpeg[..<2])
        var place = 2
        while jpeg[place + 1] != 0xda {
            let length = Int(jpeg[place + 2]) * 256 + Int(jpeg[place + 3])
            let end = place + 2 + length
            if jpeg[place + 1] != 0xc4 { kept += jpeg[place..<end] }
            place = end
        }
        return kept + jpeg[place...]
    }
}
