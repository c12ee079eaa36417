import CQREncode
import ImageDecoding
import QRCode
import TestSupport
import Testing

/// The first attempt reads generated pictures only, and what it reads is what the search reads.
@Suite struct PureCodeTests {
    private let decoder: QRDecoder

    init() throws { decoder = try #require(QRDecoder(.auto)) }

    private func pure(_ picture: GrayImage) -> [[UInt8]] {
        decoder.read(picture, only: .zxingPure).map(\.bytes)
    }
    private func searched(_ picture: GrayImage) -> [[UInt8]] {
        decoder.read(picture, only: .zxingFixed).map(\.bytes)
    }

    @Test(arguments: QRDecoderTests.classes, [1, 2, 3, 4, 7])
    func generatedCodesAreReadAtOnce(_ size: (version: Int, bytes: Int), _ scale: Int) throws {
        var numbers = SeededGenerator(seed: UInt64(size.version))
        let bytes = numbers.bytes(size.bytes)
        let picture = try QRCode(bytes: bytes, minimumVersion: size.version).picture(scale: scale)
        #expect(pure(picture) == [bytes])
        // Where it stands tells where not to look for a second one.
        let corners = try #require(decoder.read(picture, only: .zxingPure).first?.corners)
        #expect(corners.map(\.x).min() == 4 * scale && corners.map(\.y).min() == 4 * scale)
        #expect(
            corners.map(\.x).max() == picture.width - 4 * scale - 1
                && corners.map(\.y).max() == picture.width - 4 * scale - 1)
    }

    /// Part of a series of codes, its header included, and bytes behind an ECI header.
    @Test func partsOfASeriesAndOtherCharacterSetsReadAsTheSearchReadsThem() throws {
        let bytes = (0..<900).map { UInt8(truncatingIfNeeded: 31 * $0) }
        let input = try #require(QRinput_new2(10, QR_ECLEVEL_M))
        defer { QRinput_free(input) }
        #expect(QRinput_append(input, QR_MODE_8, Int32(bytes.count), bytes) == 0)
        let parts = try #require(QRinput_splitQRinputToStruct(input))
        defer { QRinput_Struct_free(parts) }
        let series = try #require(QRcode_encodeInputStructured(parts))
        defer { QRcode_List_free(series) }
        var next: UnsafeMutablePointer<QRcode_List>? = series
        var count = 0
        while let part = next {
            let picture = Self.picture(part.pointee.code.pointee)
            #expect(pure(picture).count == 1 && pure(picture) == searched(picture))
            (next, count) = (part.pointee.next, count + 1)
        }
        #expect(count > 3)
        let converted = try #require(codeWithECI(26, [0xc3, 0xa4, 0, 0xff]))
        #expect(pure(converted) == [[0xc3, 0xa4, 0, 0xff]])
    }

    private static func picture(_ code: CQREncode.QRcode) -> GrayImage {
        let (side, scale) = (Int(code.width), 3)
        let width = (side + 8) * scale
        var pixels = [UInt8](repeating: 255, count: width * width)
        for y in 0..<side * scale {
            for x in 0..<side * scale where code.data[y / scale * side + x / scale] & 1 == 1 {
                pixels[(y + 4 * scale) * width + x + 4 * scale] = 0
            }
        }
        return GrayImage(width: width, height: width, pixels: pixels)
    }

    /// Two codes, a code on its side, light on dark, and what a camera sees: the search has its turn, and the
    /// whole ladder reads as before.
    @Test func everythingElseIsLeftToTheSearch() throws {
        var numbers = SeededGenerator(seed: 21)
        let bytes = (0..<2).map { _ in numbers.bytes(300) }
        let codes = try bytes.map { try QRCode(bytes: $0).picture() }
        let one = codes[0]
        let side = one.width
        let turned = (0..<side * side).map { one.pixels[(side - 1 - $0 % side) * side + $0 / side] }
        let angle = 0.1
        let tilted = one.warped { x, y in
            let (u, v) = (x - Double(side) / 2, y - Double(side) / 2)
            return (Double(side) / 2 + u - angle * v, Double(side) / 2 + v + angle * u)
        }
        let others: [(String, GrayImage, [[UInt8]])] = [
            ("two codes", one.beside(codes[1]), bytes),
            ("turned", GrayImage(width: side, height: side, pixels: turned), [bytes[0]]),
            ("tilted", tilted, [bytes[0]]),
            (
                "inverted", GrayImage(width: side, height: side, pixels: one.pixels.map { 255 - $0 }),
                [bytes[0]]
            ),
            (
                "on dark ground",
                GrayImage(width: side, height: 40, pixels: [UInt8](repeating: 60, count: 40 * side)).above(
                    one), [bytes[0]]
            ),
        ]
        for (name, picture, expected) in others {
            #expect(pure(picture).isEmpty, "\(name)")
            #expect(Set(decoder.read(picture, budget: .seconds(20)).map(\.bytes)) == Set(expected), "\(name)")
        }
    }

    /// A code that is read off blindly must still prove itself by its error correction: damage gives the same
    /// bytes or none.
    @Test func damageNeverGivesOtherBytes() throws {
        var numbers = SeededGenerator.printed("damaged generated codes")
        var (whole, none) = (0, 0)
        for _ in 0..<300 {
            let bytes = numbers.bytes(Int.random(in: 1...200, using: &numbers))
            let scale = Int.random(in: 1...3, using: &numbers)
            let code = try QRCode(bytes: bytes, errorCorrection: .low)
            var picture = code.picture(scale: scale)
            for _ in 0..<Int.random(in: 0...60, using: &numbers) {
                let (column, row) = (
                    Int.random(in: 0..<code.side, using: &numbers),
                    Int.random(in: 0..<code.side, using: &numbers)
                )
                for y in 0..<scale {
                    for x in 0..<scale {
                        picture.pixels[((row + 4) * scale + y) * picture.width + (column + 4) * scale + x] ^=
                            255
                    }
                }
            }
            let readings = pure(picture)
            #expect(readings.isEmpty || readings == [bytes])
            if readings.isEmpty { none += 1 } else { whole += 1 }
        }
        #expect(whole > 20 && none > 20)
    }

    /// Nothing behind intact corner patterns ends the process that reads it, or gives bytes that no code has.
    @Test func anyModulesBehindIntactCornersAreRefusedCalmly() throws {
        var numbers = SeededGenerator.printed("modules behind intact corners")
        for version in 1...40 {
            let code = try QRCode(bytes: [1, 2, 3], minimumVersion: version)
            for share in [2, 3, 200] {
                var picture = code.picture(scale: 1)
                for row in 0..<code.side {
                    for column in 0..<code.side where Int.random(in: 0..<share, using: &numbers) == 0 {
                        let isCorner =
                            (row < 7 || row >= code.side - 7) && (column < 7 || column >= code.side - 7)
                        if !isCorner || (row > 7 && column > 7) {
                            picture.pixels[(row + 4) * picture.width + column + 4] ^= 255
                        }
                    }
                }
                #expect(pure(picture).isEmpty || pure(picture) == [[1, 2, 3]])
            }
        }
    }

    /// One pixel too much or too little at any corner pattern, and the search decides.
    @Test(arguments: [1, 3]) func damagedCornersAreLeftToTheSearch(_ scale: Int) throws {
        let code = try QRCode(bytes: [UInt8](repeating: 7, count: 60))
        let whole = code.picture(scale: scale)
        #expect(GeneratedCode(whole)?.modules == code.picture(scale: 1))
        let far = code.side - 7
        for (left, top) in [(0, 0), (far, 0), (0, far)] {
            for index in 0..<49 {
                var picture = whole
                for y in 0..<scale {
                    for x in 0..<scale {
                        let (column, row) = (
                            (left + index % 7 + 4) * scale + x, (top + index / 7 + 4) * scale + y
                        )
                        picture.pixels[row * picture.width + column] ^= 255
                    }
                }
                #expect(GeneratedCode(picture) == nil)
            }
        }
        for (x, y) in [(0, 0), (whole.width - 1, 9), (9, whole.height - 1), (4 * scale - 1, 9)] {
            var picture = whole
            picture.pixels[y * picture.width + x] = 127
            #expect(GeneratedCode(picture) == nil)
            picture.pixels[y * picture.width + x] = 128
            #expect(GeneratedCode(picture) != nil)
        }
    }

    @Test func aPictureOfOneGreyBesideTheCodeNeedsNoSecondLook() {
        var picture = GrayImage(width: 9, height: 7, pixels: [UInt8](repeating: 200, count: 63))
        let area = PixelRectangle(columns: 3..<6, rows: 2..<5)
        for row in area.rows {
            for column in area.columns {
                picture.pixels[row * 9 + column] = UInt8(exactly: row + column) ?? 0
            }
        }
        #expect(picture.isUniform(outside: area))
        for index in picture.pixels.indices {
            var changed = picture
            changed.pixels[index] = 199
            let isInside = area.rows.contains(index / 9) && area.columns.contains(index % 9)
            #expect(changed.isUniform(outside: area) == isInside, "\(index)")
        }
        // Areas that reach to the edges, over them, or nowhere.
        #expect(picture.isUniform(outside: PixelRectangle(columns: 0..<9, rows: 0..<7)))
        #expect(picture.isUniform(outside: PixelRectangle(columns: 2..<40, rows: 1..<40)))
        #expect(!picture.isUniform(outside: PixelRectangle(columns: 20..<40, rows: 0..<7)))
        #expect(!picture.isUniform(outside: PixelRectangle()))
        #expect(GrayImage(width: 1, height: 1, pixels: [4]).isUniform(outside: PixelRectangle()))
    }
}

extension GrayImage {
    /// On top of another one of the same width.
    fileprivate func above(_ other: GrayImage) -> GrayImage {
        GrayImage(width: width, height: height + other.height, pixels: pixels + other.pixels)
    }
}
