/// A code as a program draws it: upright, each module a square of the same whole number of pixels, nothing
/// else in the picture.
///
/// Where that is so, the modules are read off without a search, and zxing-cpp gets them as a picture of one
/// pixel a module. The corner patterns are checked here exactly: zxing-cpp takes a picture that is called
/// pure at its word, and Debian builds it with assertions, which end the process when a corner is damaged.
/// Anything else, a camera's picture above all, is left to the search.
package struct GeneratedCode {
    /// One pixel a module, black or white, with a quiet zone.
    package let modules: GrayImage
    private let side: Int
    private let left: Int
    private let top: Int
    private let scale: Int

    /// Modules of the quiet zone that `modules` gets. The standard has 4.
    private static let quietZone = 4
    /// The rows of a corner pattern, the highest bit first: a ring around a square of 3. Source: ISO/IEC
    /// 18004, 5.3.2.
    private static let corner = [
        0b111_1111, 0b100_0001, 0b101_1101, 0b101_1101, 0b101_1101, 0b100_0001, 0b111_1111,
    ]
    private static let cornerSide = 7

    /// Nil unless the dark pixels of `image` fill the square of such a code to its edges, with corner
    /// patterns in three corners.
    package init?(_ image: GrayImage) {
        guard let box = Self.darkBox(of: image), box.columns.count == box.rows.count else { return nil }
        (left, top) = (box.columns.lowerBound, box.rows.lowerBound)
        let (left, top, width) = (left, top, image.width)
        func isDark(_ x: Int, _ y: Int) -> Bool { Self.isDark(image.pixels[y * width + x]) }
        let run = box.columns.prefix { isDark($0, top) }.count
        let scale = run / Self.cornerSide
        guard scale > 0, run == scale * Self.cornerSide, box.columns.count.isMultiple(of: scale) else {
            return nil
        }
        // Versions 1 to 40.
        let side = box.columns.count / scale
        guard side % 4 == 1, (21...177).contains(side) else { return nil }
        let middle = scale / 2
        let first = (top + middle) * width + left + middle
        func module(_ column: Int, _ row: Int) -> Bool {
            Self.isDark(image.pixels[first + row * scale * width + column * scale])
        }
        func hasCorner(_ column: Int, _ row: Int) -> Bool {
            Self.corner.enumerated().allSatisfy { y, bits in
                (0..<Self.cornerSide).allSatisfy {
                    module(column + $0, row + y) == (bits >> (Self.cornerSide - 1 - $0) & 1 == 1)
                }
            }
        }
        let far = side - Self.cornerSide
        guard hasCorner(0, 0), hasCorner(far, 0), hasCorner(0, far) else { return nil }
        (self.side, self.scale) = (side, scale)
        let full = side + 2 * Self.quietZone
        var pixels = [UInt8](repeating: 255, count: full * full)
        for row in 0..<side {
            var source = first + row * scale * width
            let start = (row + Self.quietZone) * full + Self.quietZone
            for target in start..<start + side {
                if Self.isDark(image.pixels[source]) { pixels[target] = 0 }
                source += scale
            }
        }
        modules = GrayImage(width: full, height: full, pixels: pixels)
    }

    /// The code's corners in the picture, as ``QRReading/corners`` has them.
    var corners: [QRReading.Point] {
        let (right, bottom) = (left + side * scale - 1, top + side * scale - 1)
        return [(left, top), (right, top), (right, bottom), (left, bottom)].map {
            QRReading.Point(x: $0.0, y: $0.1)
        }
    }

    private static func isDark(_ pixel: UInt8) -> Bool { pixel < 128 }

    /// The smallest rectangle around all dark pixels. Of what it holds only its edges are looked at.
    private static func darkBox(of image: GrayImage) -> PixelRectangle? {
        let (pixels, width) = (image.pixels, image.width)
        func isEmpty(row: Int) -> Bool { !pixels[row * width..<(row + 1) * width].contains(where: isDark) }
        guard let top = (0..<image.height).first(where: { !isEmpty(row: $0) }),
            let bottom = (top..<image.height).last(where: { !isEmpty(row: $0) })
        else { return nil }
        func isEmpty(column: Int) -> Bool { !(top...bottom).contains { isDark(pixels[$0 * width + column]) } }
        guard let left = (0..<width).first(where: { !isEmpty(column: $0) }),
            let right = (left..<width).last(where: { !isEmpty(column: $0) })
        else { return nil }
        return PixelRectangle(columns: left..<right + 1, rows: top..<bottom + 1)
    }
}
