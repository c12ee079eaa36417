import ScanProtocol

/// The first line of a YUV4MPEG2 stream: size and layout of its frames. Source: the `yuv4mpeg(5)` manual page
/// of mjpegtools.
public struct VideoFormat: Equatable, Sendable {
    /// Every stream starts with these bytes.
    public static let signature = Array("YUV4MPEG2 ".utf8)
    /// Bytes of the first line and of the line before each frame, at most.
    public static let lineLimit = 1024

    public let width: Int
    public let height: Int
    /// Bits of one sample: 8, or 9 to 16 in two bytes, least significant first.
    public let depth: Int
    /// Bytes of the brightness plane, which comes first in each frame.
    public let lumaBytes: Int
    /// Bytes of the colour planes after it.
    public let chromaBytes: Int

    /// - Parameter header: the line without its newline.
    public init(header: some Collection<UInt8>) throws(PictureProblem) {
        guard header.count <= Self.lineLimit, header.starts(with: Self.signature) else { throw .corrupt }
        var numbers: [UInt8: Int] = [:]
        var layout = "420"
        for field in header.split(separator: UInt8(ascii: " ")).dropFirst() {
            guard let tag = field.first else { continue }
            let value = String(decoding: field.dropFirst(), as: UTF8.self)
            if tag == UInt8(ascii: "C") { layout = value }
            if tag == UInt8(ascii: "W") || tag == UInt8(ascii: "H") {
                guard let number = Int(value), number > 0 else { throw .corrupt }
                numbers[tag] = number
            }
        }
        guard let width = numbers[UInt8(ascii: "W")], let height = numbers[UInt8(ascii: "H")] else {
            throw .corrupt
        }
        try PictureLimits.check(width: width, height: height)
        self.width = width
        self.height = height
        (depth, lumaBytes, chromaBytes) = try Self.planes(layout, width: width, height: height)
    }

    private static func planes(_ layout: String, width: Int, height: Int) throws(PictureProblem) -> (
        Int, Int, Int
    ) {
        let (name, depth) = try split(layout)
        let half = ((width + 1) / 2, (height + 1) / 2)
        let chroma =
            switch name {
            case "mono": 0
            case "420", "420jpeg", "420mpeg2", "420paldv": 2 * half.0 * half.1
            case "411": 2 * ((width + 3) / 4) * height
            case "422": 2 * half.0 * height
            case "444": 2 * width * height
            case "444alpha": 3 * width * height
            default: -1
            }
        guard chroma >= 0 else { throw .unsupported }
        let size = depth > 8 ? 2 : 1
        return (depth, width * height * size, chroma * size)
    }

    /// `420p10` is 420 with 10 bits, `mono16` grey with 16.
    private static func split(_ layout: String) throws(PictureProblem) -> (String, Int) {
        let bits: Substring
        let name: Substring
        if layout.hasPrefix("mono"), layout.count > 4 {
            (name, bits) = (layout.prefix(4), layout.dropFirst(4))
        } else if layout.count > 4, layout.dropFirst(3).first == "p",
            layout.dropFirst(4).allSatisfy(\.isNumber)
        {
            (name, bits) = (layout.prefix(3), layout.dropFirst(4))
        } else {
            return (layout, 8)
        }
        guard let depth = Int(bits), 8...16 ~= depth else { throw .unsupported }
        return (String(name), depth)
    }

    /// One frame as a picture.
    /// - Parameter data: the line before the frame, a newline, then ``lumaBytes`` bytes.
    public func image(_ data: ArraySlice<UInt8>) throws(PictureProblem) -> GrayImage {
        guard let newline = data.prefix(Self.lineLimit + 1).firstIndex(of: UInt8(ascii: "\n")),
            data.starts(with: Array("FRAME".utf8))
        else {
            throw .corrupt
        }
        let luma = data[(newline + 1)...]
        guard luma.count == lumaBytes else { throw .truncated }
        if depth == 8 { return GrayImage(width: width, height: height, pixels: Array(luma)) }
        let start = luma.startIndex
        let pixels = (0..<(width * height)).map { index in
            let sample = UInt16(luma[start + 2 * index]) | UInt16(luma[start + 2 * index + 1]) << 8
            return UInt8(truncatingIfNeeded: min(sample >> UInt16(depth - 8), 255))
        }
        return GrayImage(width: width, height: height, pixels: pixels)
    }
}
