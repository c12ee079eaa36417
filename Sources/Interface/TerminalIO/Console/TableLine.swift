import Lines

/// A line of a list. In a narrow window its parts are left out by rank, and an address is never cut.
package struct TableLine {
    /// A part of the line, safe for a terminal.
    package struct Cell {
        let text: String
        /// 0 for what is always whole. Of the others the one of the lowest rank stays longest.
        let rank: Int

        package init(_ text: String, rank: Int = 0) {
            self.text = text
            self.rank = rank
        }
    }

    let indent: Int
    let cells: [Cell]

    package init(indent: Int = 0, _ cells: [Cell]) {
        self.indent = indent
        self.cells = cells
    }

    /// The whole line.
    package var text: String { joined(cells.map(\.text)) }

    /// The parts that fit a window of this width, by their rank, the last of them shortened.
    /// - Returns: nil where all of it fits.
    func shortened(to columns: Int) -> String? {
        guard Self.width(text) > columns else { return nil }
        var shown: [String?] = cells.map { $0.rank == 0 ? $0.text : nil }
        for index in cells.indices.filter({ cells[$0].rank > 0 }).sorted(by: {
            cells[$0].rank < cells[$1].rank
        }) {
            let room = columns - Self.width(joined(shown.compactMap { $0 })) - Self.gap.utf8.count
            if Self.width(cells[index].text) <= room {
                shown[index] = cells[index].text
            } else if room >= Self.leastRoom {
                shown[index] = Self.cut(cells[index].text, to: room - Self.sign.utf8.count) + Self.sign
                break
            }
        }
        return joined(shown.compactMap { $0 })
    }

    private static let gap = "  "
    private static let sign = "..."
    /// Columns that the start of a part is worth.
    private static let leastRoom = 8

    private func joined(_ parts: [String]) -> String {
        String(repeating: " ", count: indent) + parts.joined(separator: Self.gap)
    }

    private static func width(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + StyledLine.columns($1) }
    }

    private static func cut(_ text: String, to columns: Int) -> String {
        var (kept, used) = (String.UnicodeScalarView(), 0)
        for scalar in text.unicodeScalars {
            used += StyledLine.columns(scalar)
            if used > columns { break }
            kept.append(scalar)
        }
        while kept.last == " " { kept.removeLast() }
        return String(kept)
    }
}
