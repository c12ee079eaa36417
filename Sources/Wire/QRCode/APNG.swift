/// Animated PNG: stills from libpng, joined by the chunks acTL, fcTL and fdAT.
///
/// Source: W3C, Portable Network Graphics (Third Edition), 4.9 and 11.3.6.
public enum APNG {
    /// An animation that loops for ever and shows every frame whole.
    /// - `fps`: frames a second, 1…1000.
    /// - `scale`: pixels a module.
    /// - `border`: modules of the quiet zone.
    public static func encode(
        frames: [QRCode], fps: Int = 15, scale: Int = QRCode.standardScale,
        border: Int = QRCode.standardBorder,
        foreground: RGB = .black
    ) throws(PictureFailure) -> [UInt8] {
        precondition((1...1000).contains(fps), "a frame lasts between a millisecond and a second")
        guard let first = frames.first else { throw .noFrames }
        guard frames.allSatisfy({ $0.side == first.side }) else { throw .framesDiffer }
        var file = signature
        var sequence: UInt32 = 0
        for (index, frame) in frames.enumerated() {
            let picture = frame.picture(scale: scale, border: border, foreground: foreground)
            let still = chunks(of: try picture.png())
            if index == 0 {
                append("IHDR", body("IHDR", in: still), to: &file)
                append("acTL", bigEndian(UInt32(frames.count)) + bigEndian(0), to: &file)
                append("PLTE", body("PLTE", in: still), to: &file)
            }
            append("fcTL", frameControl(sequence, side: picture.side, fps: fps), to: &file)
            sequence += 1
            let rows = body("IDAT", in: still)
            if index == 0 {
                append("IDAT", rows, to: &file)
            } else {
                append("fdAT", bigEndian(sequence) + rows, to: &file)
                sequence += 1
            }
        }
        append("IEND", [], to: &file)
        return file
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    /// Sequence number, width, height, x and y offset, delay as a fraction of a second, dispose and blend
    /// operation.
    private static func frameControl(_ sequence: UInt32, side: Int, fps: Int) -> [UInt8] {
        var body =
            bigEndian(sequence) + bigEndian(UInt32(side)) + bigEndian(UInt32(side)) + bigEndian(0)
            + bigEndian(0)
        body += [0, 1, UInt8(fps >> 8), UInt8(fps & 0xff)]
        body += [0, 0]
        return body
    }

    /// Type and body of each chunk of a file that libpng wrote.
    private static func chunks(of png: [UInt8]) -> [(type: ArraySlice<UInt8>, body: ArraySlice<UInt8>)] {
        var out: [(ArraySlice<UInt8>, ArraySlice<UInt8>)] = []
        var offset = signature.count
        while offset + 12 <= png.count {
            let length = png[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
            out.append((png[(offset + 4)..<(offset + 8)], png[(offset + 8)..<(offset + 8 + length)]))
            offset += 12 + length
        }
        return out
    }

    /// The bodies of all chunks of one type, joined: libpng may cut the rows into several.
    private static func body(_ type: String, in chunks: [(type: ArraySlice<UInt8>, body: ArraySlice<UInt8>)])
        -> [UInt8]
    {
        chunks.filter { $0.type.elementsEqual(type.utf8) }.flatMap(\.body)
    }

    private static func append(_ type: String, _ body: [UInt8], to file: inout [UInt8]) {
        let checked = Array(type.utf8) + body
        file += bigEndian(UInt32(body.count))
        file += checked
        file += bigEndian(ChunkChecksum.of(checked))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 0xff), UInt8(value >> 8 & 0xff), UInt8(value & 0xff)]
    }
}
