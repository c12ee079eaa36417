import CPNG
import ImageDecoding
import QRCode
import ScanProtocol
import Testing

@Suite struct PictureFileTests {
    /// A picture of every format, small enough to be cut at every byte.
    static let samples: [(name: String, bytes: [UInt8])] = {
        let image = GrayImage(width: 9, height: 7, pixels: (0..<63).map { UInt8($0 * 4) })
        return [
            ("png", PNGWriter(width: 9, height: 7).file { x, y, _ in x * y }),
            (
                "apng",
                Animation(width: 9, height: 7).file([.init(), .init()]) { index, x, y, _ in index * x * y }
            ),
            ("jpeg", image.jpeg()),
            ("pgm", image.pgm),
            ("plain pgm", Array("P2 # comment\n3 2 15\n0 1 2\n13 14 15".utf8)),
        ]
    }()

    @Test(arguments: samples.map(\.name)) func everyProperPrefixIsRefusedOrEndsEarly(_ name: String) throws {
        let bytes = try #require(Self.samples.first { $0.name == name }?.bytes)
        func read(_ bytes: [UInt8]) throws -> [GrayImage] {
            var file = try PictureFile(bytes)
            let images = try (0..<file.count).map { try file.image($0) }
            if let problem = file.endProblem { throw problem }
            return images
        }
        let whole = try read(bytes)
        // The last bytes of PNG (its end chunk) and of JPEG (its end marker) hold no samples; netpbm's plain
        // numbers may be cut.
        for end in 0..<(bytes.count - 1) {
            if let images = try? read(Array(bytes[..<end])) {
                #expect(images == whole || name == "plain pgm", "\(name) cut at \(end)")
            }
        }
        #expect(throws: PictureProblem.self) { try read(Array(bytes[..<(bytes.count / 2)])) }
    }

    @Test(arguments: ["png", "apng"]) func aFlippedBitInTheDataIsNoticed(_ name: String) throws {
        let bytes = try #require(Self.samples.first { $0.name == name }?.bytes)
        for index in 8..<(bytes.count - 12) {
            var damaged = bytes
            damaged[index] ^= 0x10
            var file = try? PictureFile(damaged)
            let images = (0..<(file?.count ?? 0)).compactMap { try? file?.image($0) }
            let problem = file.map { $0.endProblem != nil || images.count < 1 } ?? true
            // A chunk whose name became unknown is skipped; what is left is another file, not a wrong
            // picture.
            #expect(problem || images.count < 2 || name == "png", "byte \(index)")
        }
    }

    @Test func anUnknownFormatIsNamed() {
        #expect(throws: PictureProblem.notAPicture) { try PictureFile(Array("hello".utf8)) }
        #expect(throws: PictureProblem.empty) { try PictureFile([]) }
    }

    @Test func aHugeHeaderIsRefusedBeforeAnythingIsAllocated() throws {
        let png = PNGWriter(width: 60_000, height: 60_000)
        let bomb =
            PNGWriter.signature + png.header + PNGWriter.chunk("IDAT", PNGWriter.deflated([0, 0]))
            + PNGWriter.chunk("IEND", [])
        #expect(throws: PictureProblem.tooManyPixels(width: 60_000, height: 60_000)) {
            var file = try PictureFile(bomb)
            _ = try file.image(0)
        }
        #expect(throws: PictureProblem.tooManyPixels(width: 60_000, height: 60_000)) {
            try PictureFile(Array("P5 60000 60000 255\n".utf8))
        }
        #expect(throws: PictureProblem.tooManyPixels(width: 60_000, height: 60_000)) {
            var jpeg = GrayImage(width: 8, height: 8, pixels: [UInt8](repeating: 9, count: 64)).jpeg()
            let frame = try #require(
                jpeg.indices.dropLast().first { jpeg[$0] == 0xff && jpeg[$0 + 1] == 0xc0 })
            jpeg.replaceSubrange((frame + 5)..<(frame + 9), with: [0xea, 0x60, 0xea, 0x60])
            var file = try PictureFile(jpeg)
            _ = try file.image(0)
        }
    }

    @Test func zlibDataThatGoesOnForEverIsNotUnpacked() throws {
        let writer = PNGWriter(width: 16, height: 16)
        let endless = PNGWriter.deflated([UInt8](repeating: 0, count: 64 << 20))
        let bytes =
            PNGWriter.signature + writer.header + PNGWriter.chunk("IDAT", endless)
            + PNGWriter.chunk("IEND", [])
        var file = try PictureFile(bytes)
        let image = try? file.image(0)
        #expect(image == nil || image?.pixels == [UInt8](repeating: 0, count: 256))
    }

    // MARK: PNG

    static let kinds: [(colour: UInt8, depths: [UInt8])] = [
        (0, [1, 2, 4, 8, 16]), (2, [8, 16]), (3, [1, 2, 4, 8]), (4, [8, 16]), (6, [8, 16]),
    ]

    @Test(arguments: kinds, [false, true])
    func everyColourTypeAndDepthShowsTheCode(_ kind: (colour: UInt8, depths: [UInt8]), _ isInterlaced: Bool)
        throws
    {
        let bytes: [UInt8] = [0x53, 0xff, 0x00, 0x80]
        let picture = try QRCode(bytes: bytes).picture()
        for depth in kind.depths {
            let writer = PNGWriter(
                width: picture.width, height: picture.height, depth: depth, colour: kind.colour,
                isInterlaced: isInterlaced)
            let white = 1 << Int(depth) - 1
            let palette =
                kind.colour == 3
                ? PNGWriter.chunk("PLTE", [0, 0, 40] + [UInt8](repeating: 250, count: 3)) : []
            let file = writer.file(extra: palette) { x, y, channel in
                let isLight = picture.pixels[y * picture.width + x] > 0
                if kind.colour == 3 { return isLight ? 1 : 0 }
                // Light modules are transparent: the paper behind them is white.
                let isAlpha = kind.colour >= 4 && channel == writer.channels - 1
                return isAlpha ? (isLight ? 0 : white) : isLight && kind.colour < 4 ? white : 0
            }
            var opened = try PictureFile(file)
            let image = try opened.image(0)
            let read = QRDecoder(.auto)?.read(image, budget: .seconds(5)).map(\.bytes)
            #expect(read == [bytes], "depth \(depth)")
        }
    }

    @Test(arguments: [false, true]) func aLightCodeOnATransparentGroundIsRead(_ isPalette: Bool) throws {
        let bytes: [UInt8] = [0x53, 0xff, 0x00, 0x80]
        let picture = try QRCode(bytes: bytes).picture()
        let writer = PNGWriter(width: picture.width, height: picture.height, colour: isPalette ? 3 : 4)
        let palette =
            PNGWriter.chunk("PLTE", [255, 255, 255, 255, 255, 255]) + PNGWriter.chunk("tRNS", [0, 255])
        let file = writer.file(extra: isPalette ? palette : []) { x, y, channel in
            let isLight = picture.pixels[y * picture.width + x] > 0
            if isPalette { return isLight ? 1 : 0 }
            return channel == 0 || isLight ? 255 : 0
        }
        var opened = try PictureFile(file)
        #expect(QRDecoder(.auto)?.read(try opened.image(0), budget: .seconds(5)).map(\.bytes) == [bytes])
    }

    // MARK: JPEG

    /// Stored as how much of each ink is missing: white is four times 255.
    @Test(arguments: [false, true]) func aJPEGForPrintShowsTheCode(_ isBlackInk: Bool) throws {
        let bytes: [UInt8] = [0x53, 0xff, 0x00, 0x80]
        let picture = try QRCode(bytes: bytes).picture()
        let inks = picture.pixels.flatMap { gray -> [UInt8] in
            isBlackInk ? [255, 255, 255, gray] : [gray, gray, gray, 255]
        }
        var file = try PictureFile(GrayImage.jpeg(inks: inks, width: picture.width, height: picture.height))
        let image = try file.image(0)
        #expect(zip(image.pixels, picture.pixels).allSatisfy { abs(Int($0) - Int($1)) < 40 })
        #expect(QRDecoder(.auto)?.read(image, budget: .seconds(5)).map(\.bytes) == [bytes])
    }

    @Test(arguments: 1...8, [true, false]) func aJPEGIsTurnedAsItsCameraSays(
        _ orientation: Int, _ isLittleEndian: Bool
    ) throws {
        // Upright: dark top left corner, light right half, wide.
        func upright(_ x: Int, _ y: Int) -> UInt8 { x < 16 && y < 8 ? 0 : x >= 32 ? 255 : 128 }
        let (width, height) = (64, 32)
        /// Where the camera put the pixel (x, y) of the upright scene, by the definition of the tag: its row
        /// 0 and column 0 are the scene's top and left (1), top and right (2), bottom and right (3), bottom
        /// and left (4), left and top (5), right and top (6), right and bottom (7), left and bottom (8).
        func stored(_ x: Int, _ y: Int) -> (Int, Int) {
            switch orientation {
            case 1: (x, y)
            case 2: (width - 1 - x, y)
            case 3: (width - 1 - x, height - 1 - y)
            case 4: (x, height - 1 - y)
            case 5: (y, x)
            case 6: (y, width - 1 - x)
            case 7: (height - 1 - y, width - 1 - x)
            default: (height - 1 - y, x)
            }
        }
        let (columns, rows) = orientation >= 5 ? (height, width) : (width, height)
        var pixels = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let (column, row) = stored(x, y)
                pixels[row * columns + column] = upright(x, y)
            }
        }
        var jpeg = GrayImage(width: columns, height: rows, pixels: pixels).jpeg(quality: 100)
        let number: [UInt8] = isLittleEndian ? [UInt8(orientation), 0, 0, 0] : [0, UInt8(orientation), 0, 0]
        let tiff: [UInt8] =
            isLittleEndian
            ? [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0] + number
            : [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1] + number
        let exif = Array("Exif\0\0".utf8) + tiff + [0, 0, 0, 0]
        jpeg.insert(contentsOf: [0xff, 0xe1, 0, UInt8(exif.count + 2)] + exif, at: 2)
        var file = try PictureFile(jpeg)
        let image = try file.image(0)
        #expect(image.width == width && image.height == height)
        for y in 0..<height {
            for x in 0..<width {
                #expect(abs(Int(image.pixels[y * width + x]) - Int(upright(x, y))) < 8, "\(x), \(y)")
            }
        }
    }

    // MARK: PNM

    @Test func everyKindOfNetpbmPictureIsRead() throws {
        let cases: [(String, [UInt8], [UInt8])] = [
            ("P1\n# comment\n4 2\n0110\n1 0 0 1\n", [], [255, 0, 0, 255, 0, 255, 255, 0]),
            ("P2 2 1 15\n0 15\n", [], [0, 255]),
            ("P3 2 1 255 255 255 255 0 0 0\n", [], [255, 0]),
            ("P4\n10 1\n", [0b0101_0101, 0b0100_0000], [255, 0, 255, 0, 255, 0, 255, 0, 255, 0]),
            ("P5 2 1 255\n", [7, 200], [7, 200]),
            ("P5 2 1 65535\n", [0x80, 0x80, 0xff, 0xff], [128, 255]),
            ("P6 1 1 255\n", [255, 255, 255], [255]),
        ]
        for (header, samples, expected) in cases {
            var file = try PictureFile(Array(header.utf8) + samples)
            #expect(file.count == 1 && file.endProblem == nil)
            let image = try file.image(0)
            #expect(image.pixels == expected, "\(header)")
        }
    }

    @Test func rawNetpbmPicturesMayFollowEachOther() throws {
        let image = GrayImage(width: 2, height: 2, pixels: [1, 2, 3, 4])
        var file = try PictureFile(image.pgm + image.pgm + Array("P5 9".utf8))
        #expect(file.count == 2)
        let second = try file.image(1)
        #expect(second == image)
        #expect(file.endProblem != nil)
    }

    // MARK: Y4M

    @Test func aVideosFirstLineGivesTheSizesOfItsPlanes() throws {
        func format(_ text: String) throws -> VideoFormat {
            try VideoFormat(header: Array("YUV4MPEG2 \(text)".utf8))
        }
        #expect(try format("W5 H3 F30:1 Ip A1:1 C420jpeg").chromaBytes == 2 * 3 * 2)
        #expect(try format("W5 H3").lumaBytes == 15)
        #expect(try format("W4 H4 C444").chromaBytes == 32)
        #expect(try format("W4 H4 Cmono XSOMETHING").chromaBytes == 0)
        let deep = try format("W2 H1 C420p10")
        #expect(deep.lumaBytes == 4 && deep.depth == 10)
        #expect(
            try deep.image((Array("FRAME\n".utf8) + [0xff, 0x03, 0x00, 0x02])[...]).pixels == [255, 128])
        #expect(throws: PictureProblem.corrupt) { try format("W5 F30:1") }
        #expect(throws: PictureProblem.corrupt) { try format("W0 H3") }
        #expect(throws: PictureProblem.unsupported) { try format("W5 H3 C999") }
        #expect(throws: PictureProblem.tooManyPixels(width: 60_000, height: 60_000)) {
            try format("W60000 H60000")
        }
        #expect(throws: PictureProblem.corrupt) { try deep.image(Array("WRONG\n1234".utf8)[...]) }
        #expect(throws: PictureProblem.truncated) { try deep.image(Array("FRAME\n123".utf8)[...]) }
    }

    @Test func knownBytesAreNoticed() {
        var hashes = PixelHashes()
        var bytes = [UInt8](repeating: 1, count: 1003)
        let first = hashes.insert(bytes)
        let second = hashes.insert(bytes)
        bytes[1002] = 2
        let third = hashes.insert(bytes)
        let fourth = hashes.insert(bytes.dropLast())
        #expect([first, second, third, fourth] == [true, false, true, true])
    }
}
