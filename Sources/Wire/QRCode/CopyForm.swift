/// What all QR codes of one size have in common, for a form that a person fills in by hand.
///
/// Source: ISO/IEC 18004, 6.3: finder patterns, timing patterns and alignment pattern.
public struct CopyForm: Sendable, Equatable {
    /// 1…6: larger codes have more alignment patterns, and nobody copies them.
    public let version: Int
    /// Modules across the code.
    public let side: Int
    /// Modules across a zone, as in ``CopyGrid``.
    public let zoneSide: Int

    /// - Parameter version: 1…6
    public init(version: Int) {
        precondition((1...6).contains(version), "a code that a person copies")
        self.version = version
        side = 17 + 4 * version
        zoneSide = CopyGrid.zoneSide(ofVersion: version)
    }

    /// Whether the module is dark in every code of this size.
    public func isDark(row: Int, column: Int) -> Bool {
        if let (row, column) = inFinder(row: row, column: column) {
            return Self.isRing(row, column, side: 7) || (2...4).contains(row) && (2...4).contains(column)
        }
        if let (row, column) = inAlignment(row: row, column: column) {
            return Self.isRing(row, column, side: 5) || row == 2 && column == 2
        }
        if row == 6 || column == 6 { return (row + column).isMultiple(of: 2) && isTiming(row, column) }
        return column == 8 && row == side - 8
    }

    private static func isRing(_ row: Int, _ column: Int, side: Int) -> Bool {
        [0, side - 1].contains(row) || [0, side - 1].contains(column)
    }

    /// The timing patterns run between the finder patterns.
    private func isTiming(_ row: Int, _ column: Int) -> Bool {
        let along = row == 6 ? column : row
        return (8..<(side - 8)).contains(along)
    }

    private func inFinder(row: Int, column: Int) -> (Int, Int)? {
        for (top, left) in [(0, 0), (0, side - 7), (side - 7, 0)]
        where (top..<(top + 7)).contains(row) && (left..<(left + 7)).contains(column) {
            return (row - top, column - left)
        }
        return nil
    }

    private func inAlignment(row: Int, column: Int) -> (Int, Int)? {
        let start = side - 9
        guard version > 1, (start..<(start + 5)).contains(row), (start..<(start + 5)).contains(column) else {
            return nil
        }
        return (row - start, column - start)
    }
}
