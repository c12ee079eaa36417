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
