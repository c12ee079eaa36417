import CTurboJPEG
import ScanProtocol

/// JPEG pictures by TurboJPEG, turned as their Exif orientation says.
enum JPEGImage {
    static let signature: [UInt8] = [0xff, 0xd8, 0xff]

    static func gray(_ bytes: [UInt8]) throws(PictureProblem) -> GrayImage {
        guard let decoder = tjInitDecompress() else { throw .outOfMemory }
        defer { tjDestroy(decoder) }
        var width: Int32 = 0
        var height: Int32 = 0
        var subsampling: Int32 = 0
        var colours: Int32 = 0
        guard
            tjDecompressHeader3(decoder, bytes, UInt(bytes.count), &width, &height, &subsampling, &colours)
                == 0
        else {
            throw problem(decoder)
        }
        try PictureLimits.check(width: Int(width), height: Int(height))
        let hasInks = colours == Int32(TJCS_CMYK.rawValue) || colours == Int32(TJCS_YCCK.rawValue)
        let (format, channels) = hasInks ? (TJPF_CMYK, 4) : (TJPF_GRAY, 1)
        // A very large picture is halved while it is unpacked, which is cheaper than afterwards.
        let half = Int(width) * Int(height) > PictureLimits.workingPixels ? 2 : 1
        let columns = (Int(width) + half - 1) / half
        let rows = (Int(height) + half - 1) / half
        var failure: PictureProblem?
        let samples = [UInt8](unsafeUninitializedCapacity: columns * rows * channels) { buffer, count in
            let result = tjDecompress2(
                decoder, bytes, UInt(bytes.count), buffer.baseAddress, Int32(columns),
                Int32(columns * channels), Int32(rows),
                Int32(format.rawValue), TJFLAG_LIMITSCANS)
            if result != 0, !isHarmless(decoder) { failure = problem(decoder) }
            count = failure == nil ? columns * rows * channels : 0
        }
        if let failure { throw failure }
        let pixels = hasInks ? gray(inks: samples) : samples
        return Orientation(jpeg: bytes).apply(GrayImage(width: columns, height: rows, pixels: pixels))
    }

    /// Cyan, magenta, yellow, black in turn. Every program in use stores how much of each is missing, as
    /// Adobe's did.
    private static func gray(inks: [UInt8]) -> [UInt8] {
        (0..<inks.count / 4).map { pixel in
            let (cyan, magenta, yellow) = (
                Int(inks[4 * pixel]), Int(inks[4 * pixel + 1]), Int(inks[4 * pixel + 2])
            )
            // The weights of red, green and blue in brightness, by ITU-R BT.601.
            let brightness: Int = (299 * cyan + 587 * magenta + 114 * yellow) / 1000
            return UInt8(brightness * Int(inks[4 * pixel + 3]) / 255)
        }
    }

    /// Some cameras leave bytes between two markers; the picture is whole all the same.
    private static func isHarmless(_ decoder: tjhandle) -> Bool {
        tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue)
            && message(decoder).contains("extraneous bytes before marker")
    }

    /// The library says why in English only.
    private static func problem(_ decoder: tjhandle) -> PictureProblem {
        switch message(decoder) {
        case let text where text.contains("Premature end") || text.contains("contains no image"): .truncated
        case let text where text.contains("Unsupported") || text.contains("not supported"): .unsupported
        case let text where text.contains("nsufficient memory"): .outOfMemory
        default: .corrupt
        }
    }

    private static func message(_ decoder: tjhandle) -> String { String(cString: tjGetErrorStr2(decoder)) }
}
