import CPNG
import ScanProtocol

/// Still PNG pictures of every colour type and depth, by libpng's simplified API.
package enum PNGImage {
    /// Size of a PNG from its header, checked against ``PictureLimits``.
    static func gray(_ bytes: [UInt8]) throws(PictureProblem) -> GrayImage {
        if let image = PlainGrayPNG.image(bytes) { return image }
        return try grayByLibrary(bytes)
    }

    /// The grey image of any kind of PNG, decoded by libpng.
    package static func grayByLibrary(_ bytes: [UInt8]) throws(PictureProblem) -> GrayImage {
        let (width, height, pixels) = try read(bytes, format: HELIOGRAPH_PNG_GRAY, channels: 1, paper: 255)
        // Light parts on a transparent background would be invisible on white.
        if pixels.first == 255, mayBeTransparent(bytes), pixels.allSatisfy({ $0 == 255 }) {
            return GrayImage(
                width: width, height: height,
                pixels: try read(bytes, format: HELIOGRAPH_PNG_GRAY, channels: 1, paper: 0).2)
        }
        return GrayImage(width: width, height: height, pixels: pixels)
    }

    /// Grey and alpha in turn, two bytes a pixel, not premultiplied.
    static func grayAlpha(_ bytes: [UInt8]) throws(PictureProblem) -> (
        width: Int, height: Int, samples: [UInt8]
    ) {
        try read(bytes, format: HELIOGRAPH_PNG_GRAY_ALPHA, channels: 2, paper: 255)
    }

    private static func mayBeTransparent(_ bytes: [UInt8]) -> Bool {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        return bytes.withUnsafeBytes { png_image_begin_read_from_memory(&image, $0.baseAddress, $0.count) }
            != 0
            && image.format & png_uint_32(PNG_FORMAT_FLAG_ALPHA) != 0
    }

    /// - Parameter paper: the grey that shows behind transparent parts, where the format has no alpha.
    private static func read(
        _ bytes: [UInt8], format: png_uint_32, channels: Int, paper: UInt8
    ) throws(PictureProblem) -> (Int, Int, [UInt8]) {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        // libpng keeps the pointer between the two calls, so both happen inside the closure.
        let result: Result<(Int, Int, [UInt8]), PictureProblem> = bytes.withUnsafeBytes { input in
            guard png_image_begin_read_from_memory(&image, input.baseAddress, input.count) != 0 else {
                return .failure(problem(image))
            }
            let width = Int(image.width)
            let height = Int(image.height)
            do throws(PictureProblem) {
                try PictureLimits.check(width: width, height: height)
            } catch {
                return .failure(error)
            }
            image.format = format
            var failed = false
            let pixels = [UInt8](unsafeUninitializedCapacity: width * height * channels) { output, count in
                var behind = png_color(red: paper, green: paper, blue: paper)
                failed =
                    png_image_finish_read(
                        &image, &behind, output.baseAddress, png_int_32(width * channels), nil) == 0
                count = failed ? 0 : width * height * channels
            }
            return failed || heliograph_png_failed(&image) != 0
                ? .failure(problem(image)) : .success((width, height, pixels))
        }
        return try result.get()
    }

    /// libpng says why in English only.
    private static func problem(_ image: png_image) -> PictureProblem {
        let message = withUnsafeBytes(of: image.message) {
            String(decoding: $0.prefix(while: { $0 != 0 }), as: UTF8.self)
        }
        switch message {
        case let text where text.contains("read beyond end of data") || text.contains("Not enough"):
            return .truncated
        case let text where text.contains("out of memory") || text.contains("ut of memory"):
            return .outOfMemory
        default: return .corrupt
        }
    }
}
