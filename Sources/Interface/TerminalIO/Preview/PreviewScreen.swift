import ScanProtocol

/// Text that draws a camera's picture at the cursor. The picture is mirrored, so that a code moves on the
/// screen in the direction in which the person moves it.
public struct PreviewScreen: Sendable {
    /// Cells of a picture at most: with the line of progress it fits 80 x 24.
    private static let most = (columns: 76, rows: 20)

    /// Lines that it takes.
    public let rows: Int
    /// Draws the picture from the first column of its first line, and ends in the first column of the line
    /// behind it.
    public let text: String

    /// nil if the window is too small, or the style draws nothing.
    /// - `columns`: of the window.
    /// - `lines`: of the window, two of which stay free.
    public init?(_ picture: PreviewPicture, style: PreviewStyle, columns: Int, lines: Int) {
        let (columns, lines) = (min(columns - 1, Self.most.columns), min(lines - 2, Self.most.rows))
        guard columns >= 8, lines >= 4 else { return nil }
        switch style {
        case .auto, .none: return nil
        case .blocks, .shades:
            let grid = Samples(picture, columns: columns, rows: 2 * lines)
            rows = grid.height / 2
            text = style == .blocks ? Self.blocks(grid) : Self.shades(grid)
        case .kitty:
            // A cell is about twice as high as it is wide.
            let grid = Samples(picture, columns: columns, rows: 2 * lines)
            rows = grid.height / 2
            text = KittyGraphics.draw(picture, columns: grid.width, rows: rows) + Self.down(rows)
        case .sixel:
            rows = min(lines, Self.most.rows - 1)
            text = "\u{1b}7" + SixelGraphics.draw(picture) + "\u{1b}8" + Self.down(rows)
        }
    }

    /// The sequence that removes the picture before other text is drawn. Only Kitty's graphics need one: text
    /// does not overwrite them.
    public static func removal(_ style: PreviewStyle) -> String {
        style == .kitty ? KittyGraphics.removal : ""
    }

    private static func down(_ rows: Int) -> String { "\r\u{1b}[\(rows)B" }

    /// The upper half in the character's colour, the lower one in its background's: colours 232 to 255 are a
    /// scale of greys.
    private static func blocks(_ grid: Samples) -> String {
        var text = ""
        for row in 0..<(grid.height / 2) {
            var last: (Int, Int)?
            for column in 0..<grid.width {
                let (upper, lower) = (
                    232 + grid[column, 2 * row] * 24 / 256, 232 + grid[column, 2 * row + 1] * 24 / 256
                )
                if last.map({ $0 != (upper, lower) }) ?? true {
                    text += "\u{1b}[38;5;\(upper);48;5;\(lower)m"
                }
                last = (upper, lower)
                text += "\u{2580}"
            }
            text += "\u{1b}[0m\u{1b}[K\r\n"
        }
        return text
    }

    /// Brighter is fuller: most such terminals are dark.
    private static func shades(_ grid: Samples) -> String {
        let shades: [Character] = [" ", "\u{2591}", "\u{2592}", "\u{2593}", "\u{2588}"]
        var text = ""
        for row in 0..<(grid.height / 2) {
            for column in 0..<grid.width {
                text.append(shades[(grid[column, 2 * row] + grid[column, 2 * row + 1]) * 5 / 512])
            }
            text += "\u{1b}[K\r\n"
        }
        return text
    }

    /// The picture at another size, mirrored.
    private struct Samples {
        let width: Int
        /// Even.
        let height: Int
        private let picture: PreviewPicture

        /// The largest size that fits, with the proportions of the picture.
        init(_ picture: PreviewPicture, columns: Int, rows: Int) {
            self.picture = picture
            let fitted = max(1, columns * picture.height / picture.width)
            if fitted <= rows {
                width = columns
                height = max(2, fitted / 2 * 2)
            } else {
                width = max(1, rows * picture.width / picture.height)
                height = rows
            }
        }

        /// The mean of what the sample covers.
        subscript(column: Int, row: Int) -> Int {
            let mirrored = width - 1 - column
            let columns = span(mirrored, of: width, over: picture.width)
            let rows = span(row, of: height, over: picture.height)
            var sum = 0
            for y in rows { for x in columns { sum += Int(picture.pixels[y * picture.width + x]) } }
            return sum / (columns.count * rows.count)
        }

        private func span(_ index: Int, of count: Int, over length: Int) -> Range<Int> {
            let start = min(index * length / count, length - 1)
            return start..<max(start + 1, min((index + 1) * length / count, length))
        }
    }
}
