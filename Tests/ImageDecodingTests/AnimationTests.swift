import ImageDecoding
import QRCode
import ScanProtocol
import TestSupport
import Testing

/// Writes animated PNG files.
struct Animation {
    struct Frame {
        var x = 0
        var y = 0
        var width: Int?
        var height: Int?
        /// 0 none, 1 background, 2 previous.
        var disposal: UInt8 = 0
        /// 0 source, 1 over.
        var blending: UInt8 = 0
    }

    var width: Int
    var height: Int
    var colour: UInt8 = 0
    /// The picture for viewers that cannot animate is no frame.
    var hasSeparateStill = false

    func file(_ frames: [Frame], _ sample: (_ frame: Int, _ x: Int, _ y: Int, _ channel: Int) -> Int)
        -> [UInt8]
    {
        let canvas = PNGWriter(width: width, height: height, colour: colour)
        var file =
            PNGWriter.signature + canvas.header
            + PNGWriter.chunk("acTL", PNGWriter.word(frames.count) + PNGWriter.word(0))
        var sequence = 0
        if hasSeparateStill {
            file += PNGWriter.chunk("IDAT", PNGWriter.deflated(canvas.rows { _, _, _ in 77 }))
        }
        for (index, frame) in frames.enumerated() {
            let part = PNGWriter(width: frame.width ?? width, height: frame.height ?? height, colour: colour)
            let place = [part.width, part.height, frame.x, frame.y].flatMap(PNGWriter.word)
            file += PNGWriter.chunk(
                "fcTL", PNGWriter.word(sequence) + place + [0, 1, 0, 15, frame.disposal, frame.blending])
            sequence += 1
            let data = PNGWriter.deflated(part.rows { sample(index, $0, $1, $2) })
            if index == 0, !hasSeparateStill {
                file += PNGWriter.chunk("IDAT", data)
            } else {
                file += PNGWriter.chunk("fdAT", PNGWriter.word(sequence) + data)
                sequence += 1
            }
        }
        return file + PNGWriter.chunk("IEND", [])
    }
}

@Suite struct AnimationTests {
    /// All frames of a file, in the order in which `order` asks for them.
    private func frames(_ bytes: [UInt8], order: [Int]? = nil) throws -> [[UInt8]] {
        var file = try PictureFile(bytes)
        var result = [[UInt8]](repeating: [], count: file.count)
        for index in order ?? Array(0..<file.count) { result[index] = try file.image(index).pixels }
        return result
    }

    @Test func framesOfFullSizeStandAlone() throws {
        let animation = Animation(width: 3, height: 1)
        let file = animation.file([.init(), .init(), .init()]) { frame, x, _, _ in 10 * frame + x }
        #expect(try frames(file) == [[0, 1, 2], [10, 11, 12], [20, 21, 22]])
        #expect(try frames(file, order: [2, 0, 1]) == [[0, 1, 2], [10, 11, 12], [20, 21, 22]])
    }

    @Test func aStillForOtherViewersIsNoFrame() throws {
        let animation = Animation(width: 2, height: 1, hasSeparateStill: true)
        #expect(
            try frames(animation.file([.init(), .init()]) { frame, _, _, _ in 5 + frame }) == [
                [5, 5], [6, 6],
            ])
    }

    /// Frames of 4 x 1 grey and alpha. The first is opaque 1, 2, 3, 4; the second covers the two in the
    /// middle with 9 (opaque) and 9 (transparent); the third covers the last with 7 (opaque).
    private func three(disposal: UInt8, blending: UInt8) -> [UInt8] {
        let second = Animation.Frame(x: 1, width: 2, height: 1, disposal: disposal, blending: blending)
        let third = Animation.Frame(x: 3, width: 1, height: 1, blending: blending)
        return Animation(width: 4, height: 1, colour: 4).file([.init(), second, third]) {
            frame, x, _, channel in
            switch (frame, channel) {
            case (0, 0): x + 1
            case (1, 0): 9
            case (1, 1): x == 0 ? 255 : 0
            case (2, 0): 7
            default: 255
            }
        }
    }

    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]]) func everyDisposalAndBlendIsShownAsAViewerShowsIt(
        _ order: [Int]
    ) throws {
        let first: [UInt8] = [1, 2, 3, 4]
        let expected: [(UInt8, UInt8, [UInt8], [UInt8])] = [
            // disposal, blending, second, third; white is what shows through
            (0, 0, [1, 9, 255, 4], [1, 9, 255, 7]),
            (0, 1, [1, 9, 3, 4], [1, 9, 3, 7]),
            (1, 0, [1, 9, 255, 4], [1, 255, 255, 7]),
            (1, 1, [1, 9, 3, 4], [1, 255, 255, 7]),
            (2, 0, [1, 9, 255, 4], [1, 2, 3, 7]),
            (2, 1, [1, 9, 3, 4], [1, 2, 3, 7]),
        ]
        for (disposal, blending, second, third) in expected {
            let shown = try frames(three(disposal: disposal, blending: blending), order: order)
            #expect(shown == [first, second, third], "disposal \(disposal), blending \(blending)")
        }
    }

    @Test func halfTransparentPixelsMixWithWhatLiesBehind() throws {
        let file = Animation(width: 1, height: 1, colour: 4).file([.init(), .init(blending: 1)]) {
            frame, _, _, channel in
            channel == 0 ? frame * 200 : frame == 0 ? 255 : 128
        }
        let shown = try frames(file)
        #expect(shown[0] == [0])
        #expect(abs(Int(shown[1][0]) - 100) <= 1)
    }

    @Test func aFrameOutsideTheCanvasEndsTheFile() throws {
        let file = Animation(width: 2, height: 2).file([.init(), .init(x: 1, width: 2, height: 1)]) {
            _, _, _, _ in 0
        }
        let opened = try PictureFile(file)
        #expect(opened.count == 1 && opened.endProblem == .corrupt)
    }

    @Test func aCutAnimationStillShowsItsWholeFrames() throws {
        var numbers = SeededGenerator(seed: 9)
        let codes = try QRCode.frames((0..<5).map { _ in numbers.bytes(300) })
        let whole = try APNG.encode(frames: codes)
        var cut = try PictureFile(Array(whole[..<(whole.count * 7 / 10)]))
        #expect(cut.endProblem == .truncated && 2...4 ~= cut.count)
        let second = try cut.image(1)
        #expect(second == codes[1].picture())
    }
}
