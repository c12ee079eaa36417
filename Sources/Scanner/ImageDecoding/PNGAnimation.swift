import ScanProtocol

/// The frames of an APNG, each shown as a viewer shows it. Source: PNG specification (third edition), 11.3.4
/// and 13.8.
struct PNGAnimation {
    struct Frame {
        var width = 0
        var height = 0
        var x = 0
        var y = 0
        var disposal = Disposal.none
        var blending = Blending.source
        /// Where the compressed data is in the file.
        var data: [Range<Int>] = []
    }

    enum Disposal: UInt8 { case none, background, previous }
    enum Blending: UInt8 { case source, over }

    let width: Int
    let height: Int
    private(set) var frames: [Frame] = []
    /// Why the file ends early; the frames before that are good.
    private(set) var endProblem: PictureProblem?

    private let bytes: [UInt8]
    private let header: Range<Int>
    private var palette: [PNGChunks.Chunk] = []
    private var hasAlpha: Bool
    /// Grey and alpha of the picture before `composed` is drawn.
    private var canvas: [UInt8] = []
    private var composed = 0

    /// Nil for a PNG that is not animated.
    init?(_ bytes: [UInt8]) throws(PictureProblem) {
        var chunks = PNGChunks(bytes)
        guard let first = try chunks.next() else { throw .truncated }
        guard first.type == "IHDR", first.data.count == 13 else { throw .corrupt }
        self.bytes = bytes
        header = first.data
        width = Int(chunks.u32(header.lowerBound))
        height = Int(chunks.u32(header.lowerBound + 4))
        hasAlpha = bytes[header.lowerBound + 9] & 4 != 0
        var announced: UInt32?
        do throws(PictureProblem) {
            while let chunk = try chunks.next(), chunk.type != "IEND" {
                if chunk.type == "acTL" {
                    guard chunk.data.count == 8 else { throw .corrupt }
                    announced = chunks.u32(chunk.data.lowerBound)
                } else if chunk.type == "IDAT", announced == nil {
                    return nil
                } else {
                    try take(chunk, chunks)
                }
            }
        } catch {
            endProblem = error
        }
        guard let announced, announced > 0 else { return nil }
        guard !frames.isEmpty else { throw endProblem ?? .corrupt }
        try PictureLimits.check(width: width, height: height)
        if endProblem == nil, frames.count < Int(announced) { endProblem = .truncated }
        if endProblem != nil, frames[frames.count - 1].data.isEmpty { frames.removeLast() }
    }

    private mutating func take(_ chunk: PNGChunks.Chunk, _ chunks: PNGChunks) throws(PictureProblem) {
        switch chunk.type {
        case "PLTE", "tRNS", "gAMA", "sRGB":
            palette.append(chunk)
            if chunk.type == "tRNS" { hasAlpha = true }
        case "fcTL":
            guard frames.count < PictureLimits.frames else {
                throw .tooManyFrames(limit: UInt32(PictureLimits.frames))
            }
            frames.append(try control(chunk, chunks))
        case "IDAT":
            // Without a frame control before it, this is the picture for viewers that cannot animate: no part
            // of the animation.
            if !frames.isEmpty { frames[frames.count - 1].data.append(chunk.data) }
        case "fdAT":
            guard !frames.isEmpty, chunk.data.count >= 4 else { throw .corrupt }
            frames[frames.count - 1].data.append(chunk.data.dropFirst(4))
        default:
            break
        }
    }

    private func control(_ chunk: PNGChunks.Chunk, _ chunks: PNGChunks) throws(PictureProblem) -> Frame {
        guard chunk.data.count == 26 else { throw .corrupt }
        let start = chunk.data.lowerBound
        guard let disposal = Disposal(rawValue: bytes[start + 24]),
            let blending = Blending(rawValue: bytes[start + 25])
        else {
            throw .corrupt
        }
        let frame = Frame(
            width: Int(chunks.u32(start + 4)), height: Int(chunks.u32(start + 8)),
            x: Int(chunks.u32(start + 12)),
            y: Int(chunks.u32(start + 16)), disposal: disposal, blending: blending)
        guard frame.width > 0, frame.height > 0, frame.x <= width, frame.y <= height,
            frame.width <= width - frame.x,
            frame.height <= height - frame.y
        else { throw .corrupt }
        return frame
    }

    /// What a viewer shows while frame `index` lasts, on white.
    mutating func image(_ index: Int) throws(PictureProblem) -> GrayImage {
        let frame = frames[index]
        if isIndependent(frame) {
            if palette.isEmpty,
                let image = PlainGrayPNG.image(
                    header: header, width: width, height: height, data: frame.data, in: bytes)
            {
                return image
            }
            return try PNGImage.gray(still(frame))
        }
        try compose(before: index)
        let before = canvas
        defer { canvas = before }
        try draw(frame)
        return flattened()
    }

    /// Whether the frame covers all earlier ones.
    private func isIndependent(_ frame: Frame) -> Bool {
        frame.width == width && frame.height == height && (frame.blending == .source || !hasAlpha)
    }

    /// Prepares `canvas` for frame `index`. A frame that cannot be read changes nothing.
    private mutating func compose(before index: Int) throws(PictureProblem) {
        let start = (0..<index).last { isIndependent(frames[$0]) && frames[$0].disposal != .previous } ?? 0
        if canvas.isEmpty || composed > index || composed < start {
            canvas = [UInt8](repeating: 0, count: width * height * 2)
            composed = start
        }
        while composed < index {
            let frame = frames[composed]
            let before = frame.disposal == .previous ? canvas : []
            composed += 1
            do { try draw(frame) } catch { continue }
            switch frame.disposal {
            case .none: break
            case .background: clear(frame)
            case .previous: canvas = before
            }
        }
    }

    private mutating func draw(_ frame: Frame) throws(PictureProblem) {
        let (_, _, samples) = try PNGImage.grayAlpha(still(frame))
        for row in 0..<frame.height {
            var source = row * frame.width * 2
            var target = ((frame.y + row) * width + frame.x) * 2
            for _ in 0..<frame.width {
                let alpha = Int(samples[source + 1])
                if frame.blending == .source || alpha == 255 {
                    canvas[target] = samples[source]
                    canvas[target + 1] = samples[source + 1]
                } else if alpha > 0 {
                    let behind = Int(canvas[target + 1]) * (255 - alpha) / 255
                    let sum = alpha + behind
                    canvas[target] = UInt8(
                        (Int(samples[source]) * alpha + Int(canvas[target]) * behind) / sum)
                    canvas[target + 1] = UInt8(sum)
                }
                source += 2
                target += 2
            }
        }
    }

    private mutating func clear(_ frame: Frame) {
        for row in frame.y..<(frame.y + frame.height) {
            let start = (row * width + frame.x) * 2
            for index in start..<(start + frame.width * 2) { canvas[index] = 0 }
        }
    }

    private func flattened() -> GrayImage {
        var pixels = [UInt8](repeating: 0, count: width * height)
        for index in pixels.indices {
            let alpha = Int(canvas[2 * index + 1])
            pixels[index] = UInt8((Int(canvas[2 * index]) * alpha + 255 * (255 - alpha)) / 255)
        }
        return GrayImage(width: width, height: height, pixels: pixels)
    }

    /// The frame alone as a PNG file.
    private func still(_ frame: Frame) -> [UInt8] {
        var file = PNGChunks.signature
        let size = PNGChunks.bigEndian(UInt32(frame.width)) + PNGChunks.bigEndian(UInt32(frame.height))
        file += PNGChunks.encode(type: "IHDR", (size + bytes[header].dropFirst(8))[...])
        for chunk in palette { file += PNGChunks.encode(type: chunk.type, bytes[chunk.data]) }
        for data in frame.data { file += PNGChunks.encode(type: "IDAT", bytes[data]) }
        return file + PNGChunks.encode(type: "IEND", [])
    }
}
