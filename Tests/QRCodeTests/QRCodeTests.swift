import CPNG
import QRCode
import Testing

@Suite struct QRCodeLaws {
    @Test func aCodeIsAsSmallAsItsContentAllows() throws {
        #expect(try QRCode(bytes: [0]).version == 1)
        #expect(try QRCode(bytes: [UInt8](repeating: 0, count: 17)).version == 1)
        #expect(try QRCode(bytes: [UInt8](repeating: 0, count: 18)).version == 2)
        #expect(try QRCode(bytes: [UInt8](repeating: 1, count: 17), minimumVersion: 5).version == 5)
    }

    /// ISO/IEC 18004, table 7, byte mode of version 40.
    @Test(arguments: QRCode.ErrorCorrection.allCases)
    func theCapacityIsReachedAndNotPassed(level: QRCode.ErrorCorrection) throws {
        let full = [UInt8](repeating: 0xa5, count: level.capacity)
        #expect(try QRCode(bytes: full, errorCorrection: level).version == 40)
        #expect(throws: QRCode.Failure.tooLong(bytes: level.capacity + 1, capacity: level.capacity)) {
            try QRCode(bytes: full + [0], errorCorrection: level)
        }
    }

    @Test func nothingIsNotACode() {
        #expect(throws: QRCode.Failure.empty) { try QRCode(bytes: [UInt8]()) }
    }

    @Test func framesOfUnlikeLengthHaveOneSize() throws {
        let codes = try QRCode.frames([[UInt8](repeating: 3, count: 500), [1, 2, 3]])
        #expect(codes[0].side == codes[1].side)
    }

    /// The finder patterns of ISO/IEC 18004, 6.3.3 stand in three corners.
    @Test func finderPatternsStandInThreeCorners() throws {
        let code = try QRCode(text: "heliograph")
        func ring(_ column: Int, _ row: Int) -> [Bool] {
            (0..<7).map { code.modules[(row + $0) * code.side + column + $0] }
        }
        let diagonal = [true, false, true, true, true, false, true]
        #expect(ring(0, 0) == diagonal)
        #expect(ring(code.side - 7, 0) == diagonal)
        #expect(ring(0, code.side - 7) == diagonal)
    }
}

@Suite struct PNGLaws {
    /// Pixels as RGB, decoded by libpng.
    private func decode(_ file: [UInt8]) throws -> (width: Int, height: Int, pixels: [UInt8]) {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        try #require(png_image_begin_read_from_memory(&image, file, file.count) != 0)
        image.format = UInt32(PNG_FORMAT_FLAG_COLOR)
        var pixels = [UInt8](repeating: 0, count: Int(image.width) * Int(image.height) * 3)
        try #require(png_image_finish_read(&image, nil, &pixels, 0, nil) != 0)
        return (Int(image.width), Int(image.height), pixels)
    }

    @Test func everyModuleIsASquareOfItsColour() throws {
        let code = try QRCode(bytes: [0, 255, 0, 1, 2, 3])
        let picture = try decode(try code.png(scale: 3, border: 2, foreground: .secret))
        #expect(picture.width == (code.side + 4) * 3 && picture.height == picture.width)
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let (column, row) = (x / 3 - 2, y / 3 - 2)
                let inside = (0..<code.side).contains(column) && (0..<code.side).contains(row)
                let dark = inside && code.modules[row * code.side + column]
                let pixel = Array(
                    picture.pixels[(y * picture.width + x) * 3..<(y * picture.width + x) * 3 + 3])
                #expect(pixel == (dark ? [0xe6, 0x00, 0x7a] : [255, 255, 255]))
            }
        }
    }

    @Test func aPixelTakesOneBit() throws {
        let file = try QRCode(text: "heliograph").png()
        // IHDR: bit depth 1, colour type 3 (palette).
        #expect(Array(file[24...25]) == [1, 3])
    }
}

@Suite struct APNGLaws {
    private struct Chunk {
        let type: String
        let body: [UInt8]
    }

    private func chunks(_ file: [UInt8]) -> [Chunk] {
        var out: [Chunk] = []
        var place = 8
        while place < file.count {
            let length = file[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
            out.append(
                Chunk(
                    type: String(decoding: file[(place + 4)..<(place + 8)], as: UTF8.self),
                    body: Array(file[(place + 8)..<(place + 8 + length)])))
            place += 12 + length
        }
        return out
    }

    @Test func framesAreNumberedWithoutAGap() throws {
        let codes = try QRCode.frames([[1], [2], [3]])
        let parts = chunks(try APNG.encode(frames: codes, fps: 15))
        #expect(
            parts.map(\.type) == [
                "IHDR", "acTL", "PLTE", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "IEND",
            ])
        #expect(parts[1].body == [0, 0, 0, 3, 0, 0, 0, 0])
        let numbers = parts.filter { $0.type == "fcTL" || $0.type == "fdAT" }.map { Array($0.body.prefix(4)) }
        #expect(numbers == (0..<5).map { [0, 0, 0, UInt8($0)] })
        // One fifteenth of a second, as a fraction.
        for control in parts where control.type == "fcTL" {
            #expect(Array(control.body[20..<24]) == [0, 1, 0, 15])
        }
    }

    @Test func theFirstFrameIsTheStill() throws {
        let codes = try QRCode.frames([[1], [2]])
        let animation = chunks(try APNG.encode(frames: codes))
        let stills = try codes.map { chunks(try $0.png()) }
        #expect(
            animation.first { $0.type == "IDAT" }?.body
                == stills[0].filter { $0.type == "IDAT" }.flatMap(\.body))
        #expect(
            animation.first { $0.type == "fdAT" }.map { Array($0.body.dropFirst(4)) }
                == stills[1].filter { $0.type == "IDAT" }.flatMap(\.body))
    }

    @Test func framesOfUnlikeSizeAreRefused() throws {
        let codes = [try QRCode(bytes: [1]), try QRCode(bytes: [UInt8](repeating: 1, count: 400))]
        #expect(throws: PictureFailure.framesDiffer) { try APNG.encode(frames: codes) }
        #expect(throws: PictureFailure.noFrames) { try APNG.encode(frames: []) }
    }
}
