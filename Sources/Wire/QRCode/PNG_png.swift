import CPNG
import Diagnostics

/// Why a picture could not be made.
public enum PictureFailure: Error, Equatable, Sendable {
    /// libpng refused; its own words.
    case library(String)
    /// An animation has at least one frame, and all its frames have one size.
    case framesDiffer
    case noFrames
    /// There is no terminal to draw a code on.
    case noTerminal
    /// A code does not fit in a terminal's window; `needed` is the smallest that has room for it.
    case windowTooSmall(needed: TerminalWindow, window: TerminalWindow)
}

/// A picture of two colours, one byte a pixel: 0 is the background, 1 the foreground.
struct TwoColourPicture {
    let side: Int
    let pixels: [UInt8]
    let foreground: RGB

    /// A palette PNG of one bit a pixel.
    func png() throws(PictureFailure) -> [UInt8] {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        image.width = UInt32(side)
        image.height = UInt32(side)
        image.format = UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_COLORMAP)
        image.flags = UInt32(PNG_IMAGE_FLAG_FAST)
        image.colormap_entries = 2
        let palette: [UInt8] = [255, 255, 255, foreground.red, foreground.green, foreground.blue]
        // Zlib never doubles its input, and the chunks around it take a few hundred bytes.
        var file = [UInt8](repeating: 0, count: 2 * pixels.count + 1024)
        var size = file.count
        let done = png_image_write_to_memory(&image, &file, &size, 0, pixels, 0, palette)
        guard done != 0, image.warning_or_error & UInt32(PNG_IMAGE_ERROR) == 0 else {
            throw .library(Self.message(of: image))
        }
        return Array(file.prefix(size))
    }

    private static func message(of image: png_image) -> String {
        withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// The checksum of PNG chunks (CRC-32), through zlib.
enum ChunkChecksum {
    static func of(_ bytes: [UInt8]) -> UInt32 {
        UInt32(truncatingIfNeeded: crc32(0, bytes, uInt(bytes.count)))
    }
}

extension PictureFailure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .library(let reason): .inputOutput("drawing-failed", "the picture cannot be drawn: \(reason)")
        case .framesDiffer:
            .inputOutput("drawing-failed", "the animation cannot be drawn: its frames differ in size")
        case .noFrames: .inputOutput("drawing-failed", "the animation cannot be drawn: it has no frames")
        case .noTerminal:
            .usage(
                "no-terminal", "there is no terminal to draw the QR code on",
                hint: "--out FILE.png writes a picture instead")
        case .windowTooSmall(let needed, let window):
            .refused(
                "window-too-small",
                "the QR code needs a window of \(needed.columns) x \(needed.rows) "
                    + "characters, and this one has \(window.columns) x \(window.rows)",
                hint: "--out FILE.png writes a picture instead")
        }
    }

    public static var examples: [PictureFailure] {
        [
            .library("out of memory"), .framesDiffer, .noFrames, .noTerminal,
            .windowTooSmall(
                needed: TerminalWindow(columns: 47, rows: 24), window: TerminalWindow(columns: 80, rows: 20)),
        ]
    }
}

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
