import CPNG
import CQREncode
import CTurboJPEG
import Glibc
import ImageDecoding
import QRCode
import TestSupport

extension QRCode {
    /// The code as a grey picture with a quiet zone of four modules.
    func picture(scale: Int = 4, dark: UInt8 = 0, light: UInt8 = 255) -> GrayImage {
        let width = (side + 8) * scale
        var pixels = [UInt8](repeating: light, count: width * width)
        for row in 0..<side {
            for column in 0..<side where modules[row * side + column] {
                for y in 0..<scale {
                    let start = ((row + 4) * scale + y) * width + (column + 4) * scale
                    for x in 0..<scale { pixels[start + x] = dark }
                }
            }
        }
        return GrayImage(width: width, height: width, pixels: pixels)
    }
}

extension GrayImage {
    /// With grey below it.
    func padded(to height: Int) -> GrayImage {
        GrayImage(
            width: width, height: height,
            pixels: pixels + [UInt8](repeating: 110, count: (height - self.height) * width))
    }

    /// Beside another one of the same height.
    func beside(_ other: GrayImage) -> GrayImage {
        var pixels: [UInt8] = []
        for row in 0..<height {
            pixels += self.pixels[(row * width)..<((row + 1) * width)]
            pixels += other.pixels[(row * other.width)..<((row + 1) * other.width)]
        }
        return GrayImage(width: width + other.width, height: height, pixels: pixels)
    }

    /// Seen by a camera: each pixel takes the value where the inverse of `place` leads, bilinear; grey
    /// outside.
    func warped(_ source: (_ x: Double, _ y: Double) -> (Double, Double)) -> GrayImage {
        var result = [UInt8](repeating: 110, count: width * height)
        for row in 0..<height {
            for column in 0..<width {
                let (x, y) = source(Double(column), Double(row))
                guard x >= 0, y >= 0, x < Double(width - 1), y < Double(height - 1) else { continue }
                let (left, top) = (Int(x), Int(y))
                let (a, b) = (x - Double(left), y - Double(top))
                func at(_ x: Int, _ y: Int) -> Double { Double(pixels[y * width + x]) }
                let upper = at(left, top) * (1 - a) + at(left + 1, top) * a
                let lower = at(left, top + 1) * (1 - a) + at(left + 1, top + 1) * a
                result[row * width + column] = UInt8(upper * (1 - b) + lower * b)
            }
        }
        return GrayImage(width: width, height: height, pixels: result)
    }

    /// The mean of `size` by `size` pixels, `times` in a row.
    func blurred(size: Int, times: Int) -> GrayImage {
        var image = self
        let reach = size / 2
        for _ in 0..<times {
            for vertical in [false, true] {
                let input = image.pixels
                for row in 0..<height {
                    for column in 0..<width {
                        var sum = 0
                        for step in -reach...reach {
                            let x = vertical ? column : min(max(column + step, 0), width - 1)
                            let y = vertical ? min(max(row + step, 0), height - 1) : row
                            sum += Int(input[y * width + x])
                        }
                        image.pixels[row * width + column] = UInt8(sum / (2 * reach + 1))
                    }
                }
            }
        }
        return image
    }

    func noisy(_ strength: Int, seed: UInt64) -> GrayImage {
        var numbers = SeededGenerator(seed: seed)
        var image = self
        for index in image.pixels.indices {
            let noise =
                (0..<4).reduce(0) { sum, _ in sum + Int.random(in: -strength...strength, using: &numbers) }
                / 2
            image.pixels[index] = UInt8(clamping: Int(image.pixels[index]) + noise)
        }
        return image
    }

    /// A raw PGM file.
    var pgm: [UInt8] { Array("P5\n\(width) \(height)\n255\n".utf8) + pixels }

    /// A baseline JPEG file of grey samples.
    func jpeg(quality: Int32 = 90) -> [UInt8] {
        Self.jpeg(pixels, width, height, (TJPF_GRAY, 1), TJSAMP_GRAY, quality)
    }

    /// A JPEG file of four inks a pixel.
    static func jpeg(inks: [UInt8], width: Int, height: Int) -> [UInt8] {
        jpeg(inks, width, height, (TJPF_CMYK, 4), TJSAMP_444, 90)
    }

    private static func jpeg(
        _ samples: [UInt8], _ width: Int, _ height: Int, _ format: (TJPF, channels: Int),
        _ subsampling: TJSAMP, _ quality: Int32
    ) -> [UInt8] {
        guard let encoder = tjInitCompress() else { return [] }
        defer { tjDestroy(encoder) }
        var file: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        let result = tjCompress2(
            encoder, samples, Int32(width), Int32(width * format.channels), Int32(height),
            Int32(format.0.rawValue), &file, &size,
            Int32(subsampling.rawValue), quality, 0)
        defer { tjFree(file) }
        return result == 0 ? Array(UnsafeBufferPointer(start: file, count: Int(size))) : []
    }
}

/// A QR code of several segments, with an ECI header before the bytes.
func codeWithECI(_ designator: UInt32, _ bytes: [UInt8]) -> GrayImage? {
    guard let input = QRinput_new2(0, QR_ECLEVEL_M) else { return nil }
    defer { QRinput_free(input) }
    guard QRinput_appendECIheader(input, designator) == 0,
        QRinput_append(input, QR_MODE_8, Int32(bytes.count), bytes) == 0,
        let code = QRcode_encodeInput(input)
    else { return nil }
    defer { QRcode_free(code) }
    let side = Int(code.pointee.width)
    let scale = 4
    let width = (side + 8) * scale
    var pixels = [UInt8](repeating: 255, count: width * width)
    for y in 0..<(side * scale) {
        for x in 0..<(side * scale) where code.pointee.data[y / scale * side + x / scale] & 1 == 1 {
            pixels[(y + 4 * scale) * width + x + 4 * scale] = 0
        }
    }
    return GrayImage(width: width, height: width, pixels: pixels)
}

/// Writes PNG files of any kind, with every row unfiltered.
struct PNGWriter {
    var width: Int
    var height: Int
    var depth: UInt8 = 8
    /// 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha.
    var colour: UInt8 = 0
    var isInterlaced = false

    static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    var channels: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colour] ?? 1 }

    static func word(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }

    static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let typed = Array(type.utf8) + data
        return word(data.count) + typed + word(Int(crc32(0, typed, uInt(typed.count))))
    }

    static func deflated(_ data: [UInt8]) -> [UInt8] {
        var size = compressBound(uLong(data.count))
        var output = [UInt8](repeating: 0, count: Int(size))
        compress(&output, &size, data, uLong(data.count))
        return Array(output[..<Int(size)])
    }

    var header: [UInt8] {
        Self.chunk(
            "IHDR", Self.word(width) + Self.word(height) + [depth, colour, 0, 0, isInterlaced ? 1 : 0])
    }

    /// - Parameter sample: value of a channel at column and row, `depth` bits.
    func rows(_ sample: (_ x: Int, _ y: Int, _ channel: Int) -> Int) -> [UInt8] {
        guard isInterlaced else { return pass((0, 0, 1, 1), sample) }
        let passes = [
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
        ]
        return passes.flatMap { pass($0, sample) }
    }

    private func pass(_ grid: (x: Int, y: Int, dx: Int, dy: Int), _ sample: (Int, Int, Int) -> Int) -> [UInt8]
    {
        var data: [UInt8] = []
        guard grid.x < width else { return data }
        for y in stride(from: grid.y, to: height, by: grid.dy) {
            data.append(0)
            var bits: [UInt8] = []
            for x in stride(from: grid.x, to: width, by: grid.dx) {
                for channel in 0..<channels {
                    let value = sample(x, y, channel)
                    for bit in (0..<Int(depth)).reversed() { bits.append(UInt8(value >> bit & 1)) }
                }
            }
            while bits.count % 8 != 0 { bits.append(0) }
            for start in stride(from: 0, to: bits.count, by: 8) {
                data.append(bits[start..<(start + 8)].reduce(0) { $0 << 1 | $1 })
            }
        }
        return data
    }

    func file(extra: [UInt8] = [], _ sample: (Int, Int, Int) -> Int) -> [UInt8] {
        Self.signature + header + extra + Self.chunk("IDAT", Self.deflated(rows(sample)))
            + Self.chunk("IEND", [])
    }
}
