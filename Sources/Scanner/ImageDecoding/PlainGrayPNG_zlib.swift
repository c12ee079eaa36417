import CPNG

/// Decodes the usual PNG of a generated code, 8-bit grey and not interlaced, without libpng, which spends
/// more time on undoing the filter of such a picture than reading the code takes.
///
/// nil means only that libpng must decode the picture: it is of another kind, or something is unusual or
/// broken. So only libpng's decoder says what is wrong with a picture, and both decoders give the same result
/// for every picture that is read here (`PlainGrayTests`).
///
/// No number of the file decides where memory is written: the sizes come from the header, the samples must
/// fill them exactly, and zlib checks its own output's bounds.
package enum PlainGrayPNG {
    /// libpng's own limit for each side.
    private static let longestSide = 1_000_000
    /// Chunks that change no sample.
    private static let ignored: Set<String> = ["tEXt", "zTXt", "iTXt", "tIME", "pHYs"]

    /// A whole file.
    package static func image(_ bytes: [UInt8]) -> GrayImage? {
        var chunks = PNGChunks(bytes)
        var data: [Range<Int>] = []
        var last = ""
        guard bytes.starts(with: PNGChunks.signature), let first = try? chunks.next(), first.type == "IHDR",
            first.data.count == 13
        else {
            return nil
        }
        let header = first.data
        guard isPlain(header, in: bytes) else { return nil }
        while let chunk = try? chunks.next() {
            switch chunk.type {
            case "IDAT":
                guard data.isEmpty || last == "IDAT" else { return nil }
                data.append(chunk.data)
            case "IEND":
                return image(
                    header: header, width: Int(chunks.u32(header.lowerBound)),
                    height: Int(chunks.u32(header.lowerBound + 4)), data: data,
                    in: bytes)
            default:
                guard ignored.contains(chunk.type) else { return nil }
            }
            last = chunk.type
        }
        return nil
    }

    /// - Parameters:
    ///   - header: where the 13 bytes of IHDR are in `bytes`.
    ///   - data: where the parts of the compressed samples are, their checksums verified.
    static func image(header: Range<Int>, width: Int, height: Int, data: [Range<Int>], in bytes: [UInt8])
        -> GrayImage?
    {
        guard isPlain(header, in: bytes), width <= longestSide, height <= longestSide,
            (try? PictureLimits.check(width: width, height: height)) != nil,
            let rows = inflate(data, in: bytes, to: (width + 1) * height)
        else { return nil }
        var isKnown = true
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height) { output, count in
            isKnown = unfilter(rows, width: width, height: height, to: output)
            count = isKnown ? width * height : 0
        }
        return isKnown ? GrayImage(width: width, height: height, pixels: pixels) : nil
    }

    /// Depth 8, colour type 0, compression 0, filter method 0, no interlacing.
    private static func isPlain(_ header: Range<Int>, in bytes: [UInt8]) -> Bool {
        bytes[header].dropFirst(8).elementsEqual([8, 0, 0, 0, 0])
    }

    /// The expanded parts, if they are one zlib stream of exactly `length` bytes.
    private static func inflate(_ parts: [Range<Int>], in bytes: [UInt8], to length: Int) -> [UInt8]? {
        var stream = z_stream()
        guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var isWhole = false
        let result = [UInt8](unsafeUninitializedCapacity: length) { output, count in
            stream.next_out = output.baseAddress
            stream.avail_out = uInt(length)
            bytes.withUnsafeBufferPointer { input in
                for (index, part) in parts.enumerated() {
                    let isLast = index == parts.count - 1
                    // zlib reads from here only, though its field is not a pointer to constants.
                    stream.next_in = UnsafeMutablePointer(
                        mutating: UnsafeBufferPointer(rebasing: input[part]).baseAddress)
                    stream.avail_in = uInt(part.count)
                    let status = CPNG.inflate(&stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                    isWhole =
                        isLast && status == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 0
                    guard !isLast, status == Z_OK, stream.avail_in == 0 else { return }
                }
            }
            count = isWhole ? length : 0
        }
        return isWhole ? result : nil
    }

    // MARK: filters

    /// Source: PNG specification (third edition), 9.2. False for an unknown filter.
    /// - Parameters:
    ///   - rows: a filter's number and `width` bytes for each of `height` rows.
    ///   - output: has room for `width * height` bytes.
    private static func unfilter(
        _ rows: [UInt8], width: Int, height: Int, to output: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        precondition(
            rows.count == (width + 1) * height && output.count >= width * height,
            "a row is a filter and a byte for each pixel")
        let ground = [UInt8](repeating: 0, count: width)
        return rows.withUnsafeBufferPointer { rows in
            ground.withUnsafeBufferPointer { ground in
                var above = ground
                for row in 0..<height {
                    let start = row * (width + 1)
                    let line = Line(
                        width: width,
                        input: UnsafeBufferPointer(rebasing: rows[start + 1..<start + 1 + width]),
                        above: above,
                        output: UnsafeMutableBufferPointer(rebasing: output[row * width..<(row + 1) * width]))
                    switch rows[start] {
                    case 0: line.copy()
                    case 1: line.addLeft()
                    case 2: line.addAbove()
                    case 3: line.addAverage()
                    case 4: line.addPaeth()
                    default: return false
                    }
                    above = UnsafeBufferPointer(line.output)
                }
                return true
            }
        }
    }

    /// One row of `width` bytes as it is in the file, the row above it, and where it goes.
    private struct Line {
        let width: Int
        let input: UnsafeBufferPointer<UInt8>
        let above: UnsafeBufferPointer<UInt8>
        let output: UnsafeMutableBufferPointer<UInt8>

        func copy() { _ = output.update(fromContentsOf: input) }

        func addLeft() {
            var left: UInt8 = 0
            for x in 0..<width {
                left &+= input[x]
                output[x] = left
            }
        }

        func addAbove() {
            for x in 0..<width { output[x] = input[x] &+ above[x] }
        }

        func addAverage() {
            var left: UInt8 = 0
            for x in 0..<width {
                left = input[x] &+ UInt8((UInt16(left) + UInt16(above[x])) / 2)
                output[x] = left
            }
        }

        /// Modules are several pixels wide and high, so most bytes are 0, and eight of them are settled at
        /// once: where left and upper left are alike, the prediction is the pixel above; where above and
        /// upper left are alike, it is the pixel to the left.
        func addPaeth() {
            var (left, corner): (UInt8, UInt8) = (0, 0)
            var x = 0
            while x < width {
                if x + 8 <= width, word(input, x) == 0 {
                    let upper = word(above, x)
                    if left == corner {
                        store(upper, x)
                        (left, corner, x) = (above[x + 7], above[x + 7], x + 8)
                        continue
                    }
                    if upper == Self.eight(corner) {
                        store(Self.eight(left), x)
                        x += 8
                        continue
                    }
                }
                let up = above[x]
                left = input[x] &+ Self.paeth(left, up, corner)
                output[x] = left
                corner = up
                x += 1
            }
        }

        private func word(_ bytes: UnsafeBufferPointer<UInt8>, _ x: Int) -> UInt64 {
            UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: x, as: UInt64.self)
        }

        private func store(_ word: UInt64, _ x: Int) {
            UnsafeMutableRawBufferPointer(output).storeBytes(of: word, toByteOffset: x, as: UInt64.self)
        }

        private static func eight(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

        /// The Paeth predictor: whichever of left, above and upper left is nearest to left + above - upper
        /// left, and the first of them if two are equally near.
        private static func paeth(_ left: UInt8, _ up: UInt8, _ corner: UInt8) -> UInt8 {
            let toLeft = abs(Int32(up) - Int32(corner))
            let toUp = abs(Int32(left) - Int32(corner))
            let toCorner = abs(Int32(left) + Int32(up) - 2 * Int32(corner))
            return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
        }
    }
}
