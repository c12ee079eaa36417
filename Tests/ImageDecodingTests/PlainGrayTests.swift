import CPNG
import ImageDecoding
import QRCode
import TestSupport
import Testing

/// What is read without libpng reads the same with it, and the rest is left to it.
@Suite struct PlainGrayTests {
    private typealias Numbers = SeededGenerator

    /// Grey samples that filters are made for and those that they are not.
    private static func samples(_ kind: Int, width: Int, height: Int, _ numbers: inout SeededGenerator)
        -> [UInt8]
    {
        switch kind {
        case 0: return numbers.bytes(width * height)
        case 1:
            let side = Int.random(in: 1...5, using: &numbers)
            let columns = width / side + 1
            let modules = numbers.bytes(columns * (height / side + 1))
            return (0..<width * height).map {
                modules[$0 / width / side * columns + $0 % width / side] & 1 == 1 ? 255 : 0
            }
        case 2: return (0..<width * height).map { UInt8(truncatingIfNeeded: $0 % width * 3 + $0 / width * 7) }
        default: return [UInt8](repeating: numbers.bytes(1)[0], count: width * height)
        }
    }

    /// Rows of a PNG: each filter's number, and the row's bytes filtered. Source: PNG specification (third
    /// edition), 9.2.
    private static func rows(_ pixels: [UInt8], width: Int, filter: (_ row: Int) -> UInt8) -> [UInt8] {
        var result: [UInt8] = []
        for row in 0..<pixels.count / width {
            func at(_ x: Int, _ y: Int) -> Int { x < 0 || y < 0 ? 0 : Int(pixels[y * width + x]) }
            result.append(filter(row))
            for x in 0..<width {
                let (left, up, corner) = (at(x - 1, row), at(x, row - 1), at(x - 1, row - 1))
                let estimate = left + up - corner
                let nearest = [left, up, corner].min { abs(estimate - $0) < abs(estimate - $1) } ?? 0
                let prediction = [0, left, up, (left + up) / 2, nearest][Int(filter(row)) % 5]
                result.append(UInt8(truncatingIfNeeded: at(x, row) - prediction))
            }
        }
        return result
    }

    private static func file(
        width: Int, height: Int, data: [[UInt8]], before: [UInt8] = [], after: [UInt8] = []
    ) -> [UInt8] {
        PNGWriter.signature + PNGWriter(width: width, height: height).header + before
            + data.flatMap { PNGWriter.chunk("IDAT", $0) } + after + PNGWriter.chunk("IEND", [])
    }

    private static func library(_ bytes: [UInt8]) -> [UInt8]? { try? PNGImage.grayByLibrary(bytes).pixels }

    @Test(arguments: 0..<4) func everyFilterIsUndone(_ kind: Int) throws {
        var numbers = SeededGenerator.printed("every filter, kind \(kind)")
        for width in Array(1...40) + [468] {
            let height = width == 468 ? 60 : Int.random(in: 1...30, using: &numbers)
            let pixels = Self.samples(kind, width: width, height: height, &numbers)
            for filter: UInt8 in 0...5 {
                let filters = (0..<height).map { _ in
                    filter < 5 ? filter : UInt8.random(in: 0...4, using: &numbers)
                }
                let stream = PNGWriter.deflated(Self.rows(pixels, width: width) { filters[$0] })
                let cut = Int.random(in: 1..<stream.count, using: &numbers)
                for data in [[stream], [Array(stream[..<cut]), Array(stream[cut...])]] {
                    let bytes = Self.file(width: width, height: height, data: data)
                    #expect(
                        PlainGrayPNG.image(bytes) == GrayImage(width: width, height: height, pixels: pixels))
                    #expect(Self.library(bytes) == pixels)
                }
            }
        }
    }

    /// Whatever is broken under correct checksums of the chunks: libpng decides, and what it reads is not
    /// read otherwise here.
    @Test func brokenDataIsLeftToTheLibrary() throws {
        var numbers = SeededGenerator.printed("broken data")
        var read = 0
        for _ in 0..<400 {
            let (width, height) = (
                Int.random(in: 1...30, using: &numbers), Int.random(in: 1...20, using: &numbers)
            )
            let pixels = Self.samples(1, width: width, height: height, &numbers)
            var rows = Self.rows(pixels, width: width) { _ in 4 }
            var stream: [UInt8]
            switch Int.random(in: 0...6, using: &numbers) {
            case 0:
                rows[Int.random(in: 0..<height, using: &numbers) * (width + 1)] = UInt8.random(
                    in: 5...255, using: &numbers)
                stream = PNGWriter.deflated(rows)
            case 1: stream = PNGWriter.deflated(rows + numbers.bytes(1))
            case 2: stream = PNGWriter.deflated(Array(rows.dropLast()))
            case 3: stream = PNGWriter.deflated(rows) + numbers.bytes(3)
            case 4: stream = Array(PNGWriter.deflated(rows).dropLast(Int.random(in: 1...6, using: &numbers)))
            default:
                stream = PNGWriter.deflated(rows)
                stream[Int.random(in: stream.indices, using: &numbers)] ^=
                    1 << UInt8.random(in: 0...7, using: &numbers)
            }
            let bytes = Self.file(width: width, height: height, data: [stream])
            let library = Self.library(bytes)
            if let image = PlainGrayPNG.image(bytes) {
                read += 1
                #expect(image.pixels == library)
            }
        }
        // A flipped bit of the zlib header's level changes nothing.
        #expect(read < 40)
    }

    @Test func brokenAndOtherKindsAreLeftToTheLibrary() throws {
        let rows = PNGWriter(width: 9, height: 5).rows { x, y, _ in 20 * x + y }
        let stream = PNGWriter.deflated(rows)
        let good = Self.file(width: 9, height: 5, data: [stream])
        let pixels = (0..<45).map { UInt8(20 * ($0 % 9) + $0 / 9) }
        #expect(PlainGrayPNG.image(good)?.pixels == pixels)
        func isLeft(_ bytes: [UInt8], _ comment: Comment) {
            #expect(PlainGrayPNG.image(bytes) == nil, comment)
        }
        isLeft(
            Self.file(width: 9, height: 5, data: [PNGWriter.deflated([5] + rows.dropFirst())]),
            "unknown filter")
        isLeft(Self.file(width: 9, height: 5, data: [PNGWriter.deflated(rows + [0])]), "too much")
        isLeft(Self.file(width: 9, height: 5, data: [PNGWriter.deflated(rows.dropLast())]), "too little")
        isLeft(Self.file(width: 9, height: 5, data: [stream + [0]]), "bytes after the stream")
        isLeft(Self.file(width: 9, height: 5, data: [stream, [0]]), "a chunk after the stream")
        isLeft(
            Self.file(width: 9, height: 5, data: [Array(stream.dropLast(4)) + [0, 0, 0, 0]]),
            "wrong checksum of the stream")
        isLeft(Self.file(width: 9, height: 5, data: []), "no data")
        isLeft(Array(good.dropLast(12)), "no end")
        isLeft(Array(good[..<8]), "no header")
        let cut = [Array(stream[..<9]), Array(stream[9...])].map { PNGWriter.chunk("IDAT", $0) }
        let text = PNGWriter.chunk("tEXt", Array("a\0b".utf8))
        let header = PNGWriter.signature + PNGWriter(width: 9, height: 5).header
        #expect(
            PlainGrayPNG.image(header + text + cut[0] + cut[1] + text + PNGWriter.chunk("IEND", [])) != nil)
        isLeft(header + cut[0] + text + cut[1] + PNGWriter.chunk("IEND", []), "data in two places")
        let meaning: [(String, [UInt8])] = [
            ("tRNS", [0, 20]), ("gAMA", PNGWriter.word(100_000)), ("sRGB", [0]), ("zzZz", []),
            ("PLTE", [1, 2, 3]),
        ]
        for (type, data) in meaning {
            isLeft(
                Self.file(width: 9, height: 5, data: [stream], before: PNGWriter.chunk(type, data)), "\(type)"
            )
        }
        isLeft(Self.file(width: 0, height: 5, data: [PNGWriter.deflated([])]), "no width")
        isLeft(Self.file(width: 1 << 31, height: 5, data: [stream]), "a huge width")
        let long = PNGWriter.deflated([UInt8](repeating: 0, count: 1_000_002))
        isLeft(Self.file(width: 1_000_001, height: 1, data: [long]), "wider than libpng reads")
        for other in [
            PNGWriter(width: 9, height: 5, depth: 4), PNGWriter(width: 9, height: 5, depth: 16),
            PNGWriter(width: 9, height: 5, colour: 4),
            PNGWriter(width: 9, height: 5, isInterlaced: true),
        ] {
            isLeft(other.file { x, y, _ in x + y }, "\(other)")
        }
        for index in good.indices {
            var bytes = good
            bytes[index] ^= 1
            isLeft(bytes, "bit of byte \(index)")
        }
    }

    /// Frames of an animation take the same way, unless a chunk of the file changes what their samples mean.
    @Test func framesWithoutMeaningOfTheirOwnAreReadDirectly() throws {
        let file = Animation(width: 5, height: 3).file([.init(), .init()]) { frame, x, y, _ in
            40 * x + 10 * y + frame
        }
        let header = PNGWriter.signature.count + 25
        let transparent = Array(file[..<header]) + PNGWriter.chunk("tRNS", [0, 40]) + file[header...]
        var (plain, other) = (try PictureFile(file), try PictureFile(transparent))
        for frame in 0..<2 {
            let pixels = (0..<15).map { UInt8(40 * ($0 % 5) + 10 * ($0 / 5) + frame) }
            #expect(try plain.image(frame).pixels == pixels)
            // Grey 40 is transparent, and the ground is white.
            #expect(try other.image(frame).pixels == pixels.map { $0 == 40 ? 255 : $0 })
        }
    }
}
