/// A code as a grid that a person copies by hand: zones of a few modules, their rows lettered and their
/// columns numbered.
///
/// Zones as SeedSigner's transcription screens have them, so that its printed templates fit: 7 x 7 modules in
/// a code of 21 x 21, else 5 x 5, in which the last zones of a row or column may be smaller.
public struct CopyGrid {
    private let code: QRCode
    /// The zones of a row, and of a column.
    public let zones: Int
    /// The modules across a zone.
    public let zoneSide: Int

    /// How a module is drawn.
    public enum Ink: Sendable {
        /// Black and white by ANSI sequences, whatever the terminal's own colours are.
        case coloured
        /// `##` for a dark module and ` .` for a light one, which every font has and no background turns
        /// around.
        case plain
    }

    public init(_ code: QRCode) {
        self.code = code
        zoneSide = Self.zoneSide(ofVersion: code.version)
        zones = (code.side + zoneSide - 1) / zoneSide
    }

    /// Modules across a zone of a code of some version.
    static func zoneSide(ofVersion version: Int) -> Int { version == 1 ? 7 : 5 }

    /// `A-1`: the letter of the row, the number of the column, both counted from 0 here.
    public static func name(row: Int, column: Int) -> String {
        precondition((0..<26).contains(row), "a lettered row")
        return "\(Unicode.Scalar(UInt8(ascii: "A") + UInt8(row)))-\(column + 1)"
    }

    /// Columns of the whole grid.
    public var columns: Int { Self.margin + code.side * Self.moduleColumns + zones - 1 }
    /// Lines of the whole grid.
    public var rows: Int { 1 + code.side + zones - 1 }

    /// The letters of the rows and the space beside them.
    private static let margin = 3
    /// A character is about twice as high as it is wide.
    private static let moduleColumns = 2

    /// The whole code: a line of column numbers, then the zones, an empty line and an empty column between
    /// two of them.
    public func whole(_ ink: Ink) -> [String] {
        // The number of a column of zones stands over its middle.
        let heading = (0..<zones).map { column in
            let width = extent(column).count * Self.moduleColumns
            return Self.padded(column + 1, to: (width + 1) / 2) + String(repeating: " ", count: width / 2)
        }
        var lines = [String(repeating: " ", count: Self.margin) + heading.joined(separator: " ")]
        for zoneRow in 0..<zones {
            if zoneRow > 0 { lines.append("") }
            let rows = extent(zoneRow)
            for row in rows {
                let label = row == rows.lowerBound + rows.count / 2 ? Self.letter(zoneRow) : " "
                let parts = (0..<zones).map { column in
                    extent(column).map { draw(column: $0, row: row, ink) }.joined()
                }
                lines.append(" \(label) " + parts.joined(separator: " "))
            }
        }
        return lines
    }

    /// One zone, each module two lines high and four columns wide, with the numbers of its modules in the
    /// whole code, counted from 1.
    public func zone(row: Int, column: Int, _ ink: Ink) -> [String] {
        let columns = extent(column)
        var lines = ["    " + columns.map { Self.padded($0 + 1, to: 4) }.joined()]
        for module in extent(row) {
            let line = columns.map { column in
                let part = draw(column: column, row: module, ink)
                return part + part
            }.joined()
            lines.append(Self.padded(module + 1, to: 3) + " " + line)
            lines.append("    " + line)
        }
        return lines
    }

    /// The modules across the zones of a column.
    public func columns(ofZone column: Int) -> Int { extent(column).count }

    /// Where a zone lies in the whole: a line for each row of zones, the zone itself in brackets.
    public func map(row: Int, column: Int) -> [String] {
        (0..<zones).map { zoneRow in
            (0..<zones).map { zoneColumn in
                let name = Self.name(row: zoneRow, column: zoneColumn)
                return zoneRow == row && zoneColumn == column ? "[\(name)]" : " \(name) "
            }.joined()
        }
    }

    /// The modules of a row or column of zones.
    private func extent(_ zone: Int) -> Range<Int> { zone * zoneSide..<min((zone + 1) * zoneSide, code.side) }

    private func draw(column: Int, row: Int, _ ink: Ink) -> String {
        switch (ink, code.isDark(column: column, row: row)) {
        // The marks show dark modules on a dark terminal, whose own ground is as black.
        case (.coloured, true): "\u{1b}[38;5;246;48;5;16m##\u{1b}[0m"
        case (.coloured, false): "\u{1b}[38;5;246;48;5;231m .\u{1b}[0m"
        case (.plain, true): "##"
        case (.plain, false): " ."
        }
    }

    private static func letter(_ row: Int) -> String {
        String(Unicode.Scalar(UInt8(ascii: "A") + UInt8(row)))
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let text = String(number)
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
