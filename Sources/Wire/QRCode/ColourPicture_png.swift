import CPNG

/// A picture of full colours, four bytes a pixel: red, green, blue, alpha (not premultiplied), row by row
/// from the top.
public struct ColourPicture: Sendable, Equatable {
    public let side: Int
    public let pixels: [UInt8]

    /// - `pixels`: `4 * side * side` bytes.
    public init(side: Int, pixels: [UInt8]) {
        precondition(side > 0 && pixels.count == 4 * side * side, "four bytes a pixel")
        self.side = side
        self.pixels = pixels
    }

    public func png() throws(PictureFailure) -> [UInt8] {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        image.width = UInt32(side)
        image.height = UInt32(side)
        image.format = UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
        // Zlib never doubles its input, and the chunks around it take a few hundred bytes.
        var file = [UInt8](repeating: 0, count: 2 * pixels.count + 1024)
        var size = file.count
        let done = png_image_write_to_memory(&image, &file, &size, 0, pixels, 0, nil)
        guard done != 0, image.warning_or_error & UInt32(PNG_IMAGE_ERROR) == 0 else {
            throw .library(
                withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return Array(file.prefix(size))
    }
}
