import ScanProtocol

/// PBM, PGM and PPM pictures, plain and raw; raw ones may follow each other in one file. Source: the
/// `pbm(5)`, `pgm(5)` and `ppm(5)` manual pages of netpbm.
struct PortableAnymap {
    struct Header {
        /// 1 to 6, the digit behind the `P`.
        let kind: Int
        let width: Int
        let height: Int
        /// White; 1 for bitmaps, in which 1 is black.
        let maximum: Int
        /// Where the samples start.
        let start: Int

        var isPlain: Bool { kind <= 3 }
        var channels: Int { kind == 3 || kind == 6 ? 3 : 1 }
        /// Bytes of a raw picture's samples.
        var rawBytes: Int {
            kind == 4 ? (width + 7) / 8 * height : width * height * channels * (maximum > 255 ? 2 : 1)
        }
    }

    private let bytes: [UInt8]
    private(set) var headers: [Header] = []
    /// What is wrong behind the last picture.
    private(set) var endProblem: PictureProblem?

    static func matches(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 3 && bytes[0] == UInt8(ascii: "P") && UInt8(ascii: "1")...UInt8(ascii: "6") ~= bytes[1]
            && (isSpace(bytes[2]) || bytes[2] == UInt8(ascii: "#"))
    }

    init(_ bytes: [UInt8]) throws(PictureProblem) {
        self.bytes = bytes
        var reader = Reader(bytes: bytes, offset: 0)
        headers.append(try reader.header())
        while let last = headers.last, !last.isPlain {
            reader.offset = last.start + min(last.rawBytes, bytes.count - last.start)
            while reader.offset < bytes.count, Self.isSpace(bytes[reader.offset]) { reader.offset += 1 }
            guard reader.offset < bytes.count else { break }
            do throws(PictureProblem) {
                guard headers.count < PictureLimits.frames else {
                    throw .tooManyFrames(limit: UInt32(PictureLimits.frames))
                }
                headers.append(try reader.header())
            } catch {
                endProblem = error
                break
            }
        }
    }

    func image(_ index: Int) throws(PictureProblem) -> GrayImage {
        let header = headers[index]
        let pixels = header.isPlain ? try plain(header) : try raw(header)
        return GrayImage(width: header.width, height: header.height, pixels: pixels)
    }

    private func raw(_ header: Header) throws(PictureProblem) -> [UInt8] {
        guard header.rawBytes <= bytes.count - header.start else { throw .truncated }
        let samples = bytes[header.start..<(header.start + header.rawBytes)]
        let area = header.width * header.height
        if header.kind == 5, header.maximum == 255 { return Array(samples) }
        if header.kind == 4 {
            let stride = (header.width + 7) / 8
            return (0..<area).map { index in
                let byte = samples[header.start + index / header.width * stride + index % header.width / 8]
                return byte >> UInt8(7 - index % header.width % 8) & 1 == 1 ? 0 : 255
            }
        }
        let isWide = header.maximum > 255
        func sample(_ index: Int) -> Int {
            let at = header.start + index * (isWide ? 2 : 1)
            return min(
                isWide ? Int(samples[at]) << 8 | Int(samples[at + 1]) : Int(samples[at]), header.maximum)
                * 255 / header.maximum
        }
        if header.channels == 1 { return (0..<area).map { UInt8(sample($0)) } }
        return (0..<area).map { Self.luma(sample(3 * $0), sample(3 * $0 + 1), sample(3 * $0 + 2)) }
    }

    private func plain(_ header: Header) throws(PictureProblem) -> [UInt8] {
        var reader = Reader(bytes: bytes, offset: header.start)
        var pixels: [UInt8] = []
        // Each sample takes at least one byte, so a small file cannot ask for a large picture.
        guard header.width * header.height <= bytes.count - header.start else { throw .truncated }
        pixels.reserveCapacity(header.width * header.height)
        for _ in 0..<(header.width * header.height) {
            if header.kind == 1 {
                pixels.append(try reader.bit() ? 0 : 255)
            } else if header.channels == 1 {
                pixels.append(UInt8(try reader.sample(header.maximum)))
            } else {
                pixels.append(
                    Self.luma(
                        try reader.sample(header.maximum), try reader.sample(header.maximum),
                        try reader.sample(header.maximum)))
            }
        }
        return pixels
    }

    /// Brightness by ITU-R BT.601.
    private static func luma(_ red: Int, _ green: Int, _ blue: Int) -> UInt8 {
        UInt8((299 * red + 587 * green + 114 * blue + 500) / 1000)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0d ~= byte }

    private struct Reader {
        let bytes: [UInt8]
        var offset: Int

        mutating func header() throws(PictureProblem) -> Header {
            guard offset + 2 < bytes.count else { throw .truncated }
            guard PortableAnymap.matches(Array(bytes[offset..<(offset + 3)])) else { throw .corrupt }
            let kind = Int(bytes[offset + 1] - UInt8(ascii: "0"))
            offset += 2
            let width = try number(limit: PictureLimits.pixels * 10)
            let height = try number(limit: PictureLimits.pixels * 10)
            try PictureLimits.check(width: width, height: height)
            let maximum = kind == 1 || kind == 4 ? 1 : try number(limit: 65535)
            guard maximum > 0 else { throw .corrupt }
            guard offset < bytes.count else { throw .truncated }
            guard PortableAnymap.isSpace(bytes[offset]) else { throw .corrupt }
            offset += 1
            return Header(kind: kind, width: width, height: height, maximum: maximum, start: offset)
        }

        /// A decimal number behind white space and comments.
        mutating func number(limit: Int) throws(PictureProblem) -> Int {
            try skipSpace()
            var value: Int?
            while offset < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[offset] {
                let next = (value ?? 0) * 10 + Int(bytes[offset] - UInt8(ascii: "0"))
                guard next <= limit else { throw .corrupt }
                value = next
                offset += 1
            }
            guard let value else { throw .corrupt }
            return value
        }

        /// A sample of a plain picture, stretched to 0 … 255.
        mutating func sample(_ maximum: Int) throws(PictureProblem) -> Int {
            try number(limit: maximum) * 255 / maximum
        }

        /// Bits of plain bitmaps need no space between them.
        mutating func bit() throws(PictureProblem) -> Bool {
            try skipSpace()
            let byte = bytes[offset]
            guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { throw .corrupt }
            offset += 1
            return byte == UInt8(ascii: "1")
        }

        private mutating func skipSpace() throws(PictureProblem) {
            var inComment = false
            while offset < bytes.count {
                if bytes[offset] == UInt8(ascii: "\n") {
                    inComment = false
                } else if bytes[offset] == UInt8(ascii: "#") {
                    inComment = true
                } else if !inComment, !PortableAnymap.isSpace(bytes[offset]) {
                    return
                }
                offset += 1
            }
            throw .truncated
        }
    }
}
