import ScanProtocol

/// A picture of 8-bit grey samples (0 black, 255 white), row by row from the top left, no padding.
public struct GrayImage: Equatable, Sendable {
    public let width: Int
    public let height: Int
    public var pixels: [UInt8]

    /// - `pixels`: `width * height` samples.
    public init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(
            width > 0 && height > 0 && pixels.count == width * height,
            "a picture's samples must fill it exactly")
        self.width = width
        self.height = height
        self.pixels = pixels
    }
}

/// What a picture may cost. Numbers are chosen for phones and document cameras with room to spare.
public enum PictureLimits {
    /// Width times height: the largest common phone cameras make 48 to 50 megapixels.
    public static let pixels = 50_000_000
    /// Pictures with more pixels are halved before codes are looked for: a code of 177 modules still has 8
    /// pixels a module when it fills half the height of what remains.
    static let workingPixels = 16_000_000
    /// Bytes of one picture file: many times the published update animation.
    public static let fileBytes = 64 << 20
    /// Frames of one animation: fifteen times the largest published update.
    public static let frames = 10_000

    /// Refuses an announced size before anything of that size is allocated.
    static func check(width: Int, height: Int) throws(PictureProblem) {
        guard width > 0, height > 0 else { throw .corrupt }
        let (area, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, area <= pixels else {
            throw .tooManyPixels(width: UInt32(clamping: width), height: UInt32(clamping: height))
        }
    }
}

/// Pictures as seen from another angle: a tilted code as a camera straight in front of it would see it.
extension GrayImage {
    /// The corrections that are tried, as directions of x and y.
    static let keystoneDirections: [(x: Float, y: Float)] = [
        (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1),
    ]

    /// The picture enlarged by `factor`, with one side drawn nearer and the other farther.
    ///
    /// - Parameters:
    ///   - x: change of scale across the whole width, -1 ..< 1; positive shrinks the right side.
    ///   - y: the same down the height.
    package func keystoned(x: Float, y: Float, factor: Int) -> GrayImage {
        let (columns, rows) = (width * factor, height * factor)
        let scale = Float(factor)
        // About the middle the target is p / (1 + a px + b py); solved for p, the source is q / (1 - a qx - b
        // qy).
        let (a, b) = (x / Float(width), y / Float(height))
        let (middleX, middleY) = (Float(width - 1) / 2, Float(height - 1) / 2)
        return GrayImage(width: columns, height: rows) { output in
            pixels.withUnsafeBufferPointer { input in
                for row in 0..<rows {
                    let qy = (Float(row) + 0.5) / scale - 0.5 - middleY
                    for column in 0..<columns {
                        let qx = (Float(column) + 0.5) / scale - 0.5 - middleX
                        let inverse = 1 / (1 - a * qx - b * qy)
                        let value = sample(input, middleX + qx * inverse, middleY + qy * inverse)
                        output[row * columns + column] = value
                    }
                }
            }
        }
    }

    /// The value between four pixels; grey outside, so that no edge looks like a module.
    @inline(__always)
    private func sample(_ input: UnsafeBufferPointer<UInt8>, _ x: Float, _ y: Float) -> UInt8 {
        guard x >= 0, y >= 0, x < Float(width - 1), y < Float(height - 1) else { return 110 }
        let (left, top) = (Int(x), Int(y))
        // Weights in 256ths.
        let across = Int32((x - Float(left)) * 256)
        let down = Int32((y - Float(top)) * 256)
        let index = top &* width &+ left
        let upper = Int32(input[index]) &* (256 &- across) &+ Int32(input[index &+ 1]) &* across
        let lower =
            Int32(input[index &+ width]) &* (256 &- across) &+ Int32(input[index &+ width &+ 1]) &* across
        return UInt8(truncatingIfNeeded: (upper &* (256 &- down) &+ lower &* down) >> 16)
    }
}
