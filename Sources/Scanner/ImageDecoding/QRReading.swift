/// A QR code that was read.
public struct QRReading: Equatable, Sendable {
    /// The code's data as the code has it: no text conversion, NULs and bytes above 0x7f kept.
    public let bytes: [UInt8]
    /// Top left, top right, bottom right, bottom left of the symbol in pixels.
    public let corners: [Point]

    /// A place in the picture, in pixels from its top left corner.
    public struct Point: Equatable, Sendable {
        public let x: Int
        public let y: Int
    }

    /// The upright rectangle around the symbol, a little wider than it: corners are found to within a module.
    var bounds: PixelRectangle {
        let x = corners.map(\.x)
        let y = corners.map(\.y)
        guard let left = x.min(), let right = x.max(), let top = y.min(), let bottom = y.max() else {
            return PixelRectangle()
        }
        let margin = 4 + max(right - left, bottom - top) / 16
        return PixelRectangle(
            columns: max(0, left - margin)..<max(0, right + margin),
            rows: max(0, top - margin)..<max(0, bottom + margin))
    }
}

/// Columns and rows of a picture; it may reach beyond the picture's edges.
package struct PixelRectangle: Equatable, Sendable {
    package var columns = 0..<0
    package var rows = 0..<0

    package init(columns: Range<Int> = 0..<0, rows: Range<Int> = 0..<0) {
        self.columns = columns
        self.rows = rows
    }

    var area: Int { columns.count * rows.count }

    func scaled(by factor: Int) -> PixelRectangle {
        PixelRectangle(
            columns: columns.lowerBound * factor..<columns.upperBound * factor,
            rows: rows.lowerBound * factor..<rows.upperBound * factor)
    }

    /// The rectangle in a picture that is `divisor` times smaller, to the whole pixels that it touches.
    func divided(by divisor: Int) -> PixelRectangle {
        let rounding = divisor - 1
        return PixelRectangle(
            columns: columns.lowerBound / divisor..<(columns.upperBound + rounding) / divisor,
            rows: rows.lowerBound / divisor..<(rows.upperBound + rounding) / divisor)
    }
}
