import ImageDecoding
import QRCode
import ScanProtocol
import TestSupport
import Testing

@Suite struct QRDecoderTests {
    /// Parts of 0 … 255 in order, each as large as a code of the version holds at the lowest error
    /// correction.
    static let classes: [(version: Int, bytes: Int)] = [
        (5, 106), (9, 230), (10, 271), (20, 858), (26, 1367), (27, 1465), (40, 2953),
    ]

    @Test(arguments: classes, DecoderChoice.allCases)
    func everyByteValueSurvivesInEveryVersionClass(
        _ size: (version: Int, bytes: Int), _ choice: DecoderChoice
    ) throws {
        let decoder = try #require(QRDecoder(choice))
        var rest = (0..<max(256, size.bytes)).map { UInt8($0 & 255) }[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(size.bytes))
            rest = rest.dropFirst(size.bytes)
            let code = try QRCode(bytes: part, minimumVersion: size.version)
            #expect(code.version == size.version)
            let readings = decoder.read(code.picture(), budget: .seconds(5))
            #expect(readings.map(\.bytes) == [part])
        }
    }

    @Test func bytesBehindAnECIHeaderAreNotConverted() throws {
        let decoder = try #require(QRDecoder(.auto))
        let bytes = [0x53, 0x00] + (0x80...0xff).map { UInt8($0) } + [0x00]
        for designator: UInt32 in [3, 20, 26, 899] {
            let picture = try #require(codeWithECI(designator, bytes))
            #expect(decoder.read(picture, budget: .seconds(5)).map(\.bytes) == [bytes])
        }
    }

    @Test func severalCodesInOnePictureAreAllRead() throws {
        let decoder = try #require(QRDecoder(.auto))
        var numbers = SeededGenerator(seed: 1)
        let parts = (0..<3).map { _ in numbers.bytes(200) }
        let codes = try parts.map { try QRCode(bytes: $0).picture() }
        let picture = codes[0].beside(codes[1]).beside(codes[2])
        #expect(Set(decoder.read(picture, budget: .seconds(5)).map(\.bytes)) == Set(parts))
    }

    /// Each is one of many for the others, and none stands apart.
    @Test(arguments: [(3, 100), (3, 300), (4, 30)], [false, true])
    func aSheetOfCodesIsReadWhole(_ sheet: (side: Int, bytes: Int), _ isInverted: Bool) throws {
        let decoder = try #require(QRDecoder(.auto))
        var numbers = SeededGenerator(seed: 5)
        let parts = (0..<(sheet.side * sheet.side)).map { _ in numbers.bytes(sheet.bytes) }
        let codes = try parts.map { try QRCode(bytes: $0).picture(scale: 3) }
        let rows = (0..<sheet.side).map { row in
            codes[(row * sheet.side)..<((row + 1) * sheet.side)].dropFirst().reduce(codes[row * sheet.side]) {
                $0.beside($1)
            }
        }
        let picture = GrayImage(
            width: rows[0].width, height: rows.map(\.height).reduce(0, +),
            pixels: rows.flatMap(\.pixels).map { isInverted ? 255 - $0 : $0 })
        let read = decoder.read(picture, budget: .seconds(5)).map(\.bytes)
        #expect(Set(read) == Set(parts) && read.count == parts.count)
    }

    /// What finds the first does not see the second.
    @Test func aSecondCodeInOtherLightOrOfAnotherSizeIsReadToo() throws {
        let decoder = try #require(QRDecoder(.auto))
        var numbers = SeededGenerator(seed: 4)
        let parts = (0..<2).map { _ in numbers.bytes(200) }
        let bright = try QRCode(bytes: parts[0]).picture()
        for second in [
            try QRCode(bytes: parts[1]).picture(dark: 20, light: 110),
            try QRCode(bytes: parts[1]).picture(scale: 2),
            try QRCode(bytes: parts[1]).picture(scale: 14),
        ] {
            let height = max(bright.height, second.height)
            let shade = GrayImage(
                width: 48, height: height, pixels: [UInt8](repeating: 110, count: 48 * height))
            let (left, right) = (bright.padded(to: height), second.padded(to: height))
            for picture in [left.beside(shade).beside(right), right.beside(shade).beside(left)] {
                #expect(Set(decoder.read(picture, budget: .seconds(5)).map(\.bytes)) == Set(parts))
            }
        }
    }

    @Test func whereThereIsNothingToSeeNoStepIsTried() {
        let wall = GrayImage(width: 640, height: 400, pixels: (0..<256_000).map { UInt8(100 + $0 % 640 / 8) })
        #expect(wall.noisy(12, seed: 5).parts().inOrder.joined().isEmpty)
    }

    @Test(arguments: [10, 60, 200, 900]) func modulesOfOnePixelAreRead(_ count: Int) throws {
        let decoder = try #require(QRDecoder(.auto))
        var numbers = SeededGenerator(seed: 9)
        let bytes = numbers.bytes(count)
        #expect(
            decoder.read(try QRCode(bytes: bytes).picture(scale: 1), budget: .seconds(5)).map(\.bytes) == [
                bytes
            ])
    }

    /// Wherever it lies and however large its modules are; a straight edge and a lamp are no code.
    @Test(arguments: [2, 4, 8, 16]) func aCodeIsCutOutWhole(_ scale: Int) throws {
        let decoder = try #require(QRDecoder(.auto))
        var numbers = SeededGenerator(seed: 6)
        let bytes = numbers.bytes(100)
        let code = try QRCode(bytes: bytes).picture(scale: scale, dark: 40, light: 200)
        let size = (width: 2 * code.width + 200, height: code.height + 150)
        for corner in [(0, 0), (size.width - code.width, size.height - code.height), (100, 75)] {
            var picture = GrayImage(
                width: size.width, height: size.height,
                pixels: [UInt8](repeating: 90, count: size.width * size.height))
            for row in 0..<size.height {
                for column in 0..<size.width where column > size.width * 7 / 8 && row < 60 {
                    picture.pixels[row * size.width + column] = 230
                }
                guard row >= corner.1, row < corner.1 + code.height else { continue }
                let start = row * size.width + corner.0
                picture.pixels.replaceSubrange(
                    start..<start + code.width,
                    with: code.pixels[(row - corner.1) * code.width..<(row - corner.1 + 1) * code.width])
            }
            let parts = picture.parts().inOrder.joined().filter { $0.pixels.count < picture.pixels.count }
            #expect(
                parts.contains { part in decoder.read(part, only: .zxing).map(\.bytes) == [bytes] },
                "\(corner)")
        }
    }

    @Test func aLogoOverTheMiddleIsReadAround() throws {
        let decoder = try #require(QRDecoder(.auto))
        var numbers = SeededGenerator(seed: 2)
        let bytes = numbers.bytes(1080)
        var picture = try QRCode(bytes: bytes, errorCorrection: .low).picture()
        // A disc of a tenth of the side: about 0.8 percent of the modules, as senders draw it.
        let (middle, radius) = (picture.width / 2, picture.width / 20)
        for y in -radius...radius {
            for x in -radius...radius where x * x + y * y <= radius * radius {
                picture.pixels[(middle + y) * picture.width + middle + x] = 180
            }
        }
        #expect(decoder.read(picture, budget: .seconds(5)).map(\.bytes) == [bytes])
    }

    @Test func anEmptyPictureHoldsNoCode() throws {
        let decoder = try #require(QRDecoder(.auto))
        let blank = GrayImage(width: 320, height: 200, pixels: [UInt8](repeating: 128, count: 64000))
        #expect(decoder.read(blank, budget: .seconds(5)).isEmpty)
        #expect(decoder.read(blank.noisy(90, seed: 3), budget: .seconds(5)).isEmpty)
    }

    @Test(arguments: [1, 2, 3, 5, 9]) func aTinyPictureHoldsNoCode(_ side: Int) throws {
        let decoder = try #require(QRDecoder(.auto))
        let image = GrayImage(width: side, height: 1, pixels: [UInt8](repeating: 0, count: side))
        #expect(decoder.read(image, budget: .seconds(5)).isEmpty)
        let column = GrayImage(width: 1, height: side, pixels: [UInt8](repeating: 0, count: side))
        #expect(decoder.read(column, budget: .seconds(5)).isEmpty)
    }

    @Test func whatOnePictureHadNoTimeForTheNextOneGets() throws {
        let decoder = try #require(QRDecoder(.auto))
        var numbers = SeededGenerator(seed: 14)
        let bytes = numbers.bytes(500)
        let blurred = try QRCode(bytes: bytes).picture(scale: 3).blurred(size: 3, times: 6)
        let needed = try #require(
            QRDecoder.Rung.allCases.firstIndex { !decoder.read(blurred, only: $0).isEmpty })
        let tries = (0...QRDecoder.Rung.allCases.count).prefix { _ in
            decoder.read(blurred, budget: .zero).isEmpty
        }
        #expect(needed > 6 && !tries.isEmpty && tries.count < needed)
        #expect(decoder.read(blurred, budget: .zero).map(\.bytes) == [bytes])
    }

    @Test(arguments: [1, 2, 7, 8, 15, 16, 17, 18, 31, 33, 34, 35, 64, 129]) func everySizeIsTaken(
        _ width: Int
    ) throws {
        let decoder = try #require(QRDecoder(.auto))
        var numbers = SeededGenerator(seed: UInt64(width))
        for height in [1, 2, 8, 16, 17, 18, 19, 33, 34, 35, 36, 65, 131] {
            let noise = GrayImage(width: width, height: height, pixels: numbers.bytes(width * height))
            #expect(decoder.read(noise, budget: .seconds(5)).isEmpty)
        }
    }

    /// Each of these is out of reach of the first try alone.
    @Test(arguments: [11, 12, 13] as [UInt64]) func theLadderReadsWhatOneTryDoesNot(_ seed: UInt64) throws {
        let decoder = try #require(QRDecoder(.auto))
        var numbers = SeededGenerator(seed: seed)
        let bytes = numbers.bytes(500)
        let clean = try QRCode(bytes: bytes).picture(scale: 3)
        let degraded: [String: GrayImage] = [
            "blurred": clean.blurred(size: 3, times: 5),
            "faint": try QRCode(bytes: bytes).picture(scale: 3, dark: 112, light: 142),
            "noisy": clean.noisy(70, seed: seed),
            "tilted": clean.warped { x, y in
                let middle = Double(clean.width) / 2
                let depth = 1 + 0.0006 * (x - middle)
                return (middle + (x - middle) * depth, middle + (y - middle) * depth)
            },
            "inverted": GrayImage(
                width: clean.width, height: clean.height, pixels: clean.pixels.map { 255 - $0 }),
        ]
        for (name, picture) in degraded {
            #expect(decoder.read(picture, budget: .seconds(20)).map(\.bytes) == [bytes], "\(name)")
        }
    }
}
