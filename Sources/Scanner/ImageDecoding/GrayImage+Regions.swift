import Glibc

/// Where in a picture codes can be: areas with many edges in both directions, as modules have them.
package struct CodeParts {
    /// Areas of modules of up to 6 pixels.
    package let small: [GrayImage]
    /// The areas of `small` with fainter surroundings, if those make the area larger.
    package let wider: [GrayImage]
    /// Areas of larger modules, at a quarter of their size.
    package let large: [GrayImage]
    /// There are more areas than these.
    package let isCutShort: Bool

    /// The likeliest first. All are empty when there is nothing to see.
    package var inOrder: [[GrayImage]] {
        let isLarge = small.contains { !Self.mayBeSmall($0) }
        return isLarge ? [large, small, wider] : [small, wider, large]
    }

    /// No code with modules of 6 pixels is larger: 177 modules and the quiet zone.
    static func mayBeSmall(_ part: GrayImage) -> Bool { min(part.width, part.height) <= 6 * 185 }
}

extension GrayImage {
    /// Areas of one search that are looked at, the largest first.
    fileprivate static let regionLimit = 3

    /// - Parameter known: areas to skip.
    package func parts(outside known: [PixelRectangle] = []) -> CodeParts {
        // At least two cells of the halved picture are needed for a comparison.
        guard min(width, height) > 4 * EdgeGrid.cellSide + 1 else {
            return CodeParts(small: known.isEmpty ? [self] : [], wider: [], large: [], isCutShort: false)
        }
        let half = halved()
        let quarter = half.halved()
        let grid = EdgeGrid(half, outside: known.map { $0.divided(by: 2) })
        let areas = grid.areas(withSurroundings: false)
        let cores = regions(areas)
        let wider = regions(grid.areas(withSurroundings: true)).filter { !cores.contains($0) }
        let coarseGrid = EdgeGrid(quarter.halved(), outside: known.map { $0.divided(by: 8) })
        let large = quarter.regions(coarseGrid.areas(withSurroundings: true))
        return CodeParts(
            small: cores.map { cropped(to: $0) }, wider: wider.map { cropped(to: $0) },
            large: large.map { quarter.cropped(to: $0) },
            isCutShort: areas.count > Self.regionLimit)
    }

    /// Rectangles in this picture for the largest of `areas`, which are in the halved picture. Each gets a
    /// margin, because a code may extend beyond its area.
    private func regions(_ areas: [PixelRectangle]) -> [PixelRectangle] {
        // Room for the quiet zone, and for a corner of the code that only touches the next cells.
        let margin = 4 * EdgeGrid.cellSide
        return areas.sorted { $0.area > $1.area }.prefix(Self.regionLimit).map { area in
            PixelRectangle(
                columns: max(
                    0, area.columns.lowerBound * 2 - margin)..<min(
                        width, area.columns.upperBound * 2 + margin),
                rows: max(
                    0, area.rows.lowerBound * 2 - margin)..<min(height, area.rows.upperBound * 2 + margin))
        }
    }

    /// Whether everything beside `area` is of one grey: there is no second code, and no need to look for it.
    package func isUniform(outside area: PixelRectangle) -> Bool {
        let columns = area.columns.clamped(to: 0..<width)
        let rows = area.rows.clamped(to: 0..<height)
        return pixels.withUnsafeBytes { pixels in
            func isUniform(_ range: Range<Int>) -> Bool {
                let part = UnsafeRawBufferPointer(rebasing: pixels[range])
                guard let base = part.baseAddress, let first = part.first else { return true }
                // All bytes are alike when they equal themselves moved by one.
                return first == pixels[0] && memcmp(base, base + 1, part.count - 1) == 0
            }
            guard !columns.isEmpty, !rows.isEmpty else { return isUniform(0..<pixels.count) }
            // From the end of the area in one row to its beginning in the next one, nothing but ground.
            var start = 0
            for row in rows {
                guard isUniform(start..<row * width + columns.lowerBound) else { return false }
                start = row * width + columns.upperBound
            }
            return isUniform(start..<pixels.count)
        }
    }

    /// - Parameter region: within the picture, not empty.
    func cropped(to region: PixelRectangle) -> GrayImage {
        if region.columns.count == width, region.rows.count == height { return self }
        return GrayImage(width: region.columns.count, height: region.rows.count) { output in
            pixels.withUnsafeBufferPointer { input in
                for (index, row) in region.rows.enumerated() {
                    let line = row * width
                    let source = UnsafeBufferPointer(
                        rebasing: input[line + region.columns.lowerBound..<line + region.columns.upperBound])
                    _ = UnsafeMutableBufferPointer(rebasing: output[(index * source.count)...]).update(
                        from: source)
                }
            }
        }
    }
}

/// The cells of a picture in which neighbours differ much, both along rows and along columns.
private struct EdgeGrid {
    /// Pixels of a cell's side.
    static let cellSide = 8
    /// Grey levels by which neighbours differ on average, at least: more than the grain of a camera in
    /// daylight.
    private static let floor = 5
    /// Percent of the strongest cell's difference from which on a cell is the core of an area.
    private static let coreShare = 40
    /// Percent of the strongest cell's difference from which on a cell beside a core belongs to the area. It
    /// is lower because the shaded end of a code has less contrast than its bright end.
    private static let share = 15

    private let columns: Int
    private let rows: Int
    private var marks: [Mark] = []

    private enum Mark { case none, around, core }

    /// A picture without two cells next to each other has none.
    init(_ image: GrayImage, outside known: [PixelRectangle]) {
        let isLarge = min(image.width, image.height) > 2 * Self.cellSide
        columns = isLarge ? (image.width - 1) / Self.cellSide : 0
        rows = isLarge ? (image.height - 1) / Self.cellSide : 0
        let strengths = Self.strengths(image, columns: columns, rows: rows, outside: known)
        // Sums of nine cells: corners of other things stand alone, a code's cells do not.
        let sums = strengths.indices.map { index in
            let (row, column) = index.quotientAndRemainder(dividingBy: columns)
            var sum = 0
            for y in max(0, row - 1)...min(rows - 1, row + 1) {
                for x in max(0, column - 1)...min(columns - 1, column + 1) {
                    sum += strengths[y * columns + x]
                }
            }
            return sum
        }
        let floor = Self.floor * 9 * Self.cellSide * Self.cellSide
        let maximum = sums.max() ?? 0
        marks = sums.map {
            guard $0 >= max(floor, maximum * Self.share / 100) else { return .none }
            return $0 >= maximum * Self.coreShare / 100 ? .core : .around
        }
    }

    private static func strengths(
        _ image: GrayImage, columns: Int, rows: Int, outside known: [PixelRectangle]
    ) -> [Int] {
        var strengths = [Int](repeating: 0, count: columns * rows)
        image.pixels.withUnsafeBufferPointer { pixels in
            for row in 0..<rows {
                let hidden = known.filter { $0.rows.overlaps(row * cellSide..<(row + 1) * cellSide) }.map(
                    \.columns)
                for column in 0..<columns
                where !hidden.contains(where: { $0.overlaps(column * cellSide..<(column + 1) * cellSide) }) {
                    strengths[row * columns + column] = strength(
                        pixels, (row * image.width + column) * cellSide, image.width)
                }
            }
        }
        return strengths
    }

    /// The sum of differences between neighbours in a cell, in the direction in which there are fewer: a
    /// straight edge counts nothing.
    private static func strength(_ pixels: UnsafeBufferPointer<UInt8>, _ corner: Int, _ width: Int) -> Int {
        var (along, down): (UInt16, UInt16) = (0, 0)
        for y in 0..<cellSide {
            for index in corner + y * width..<corner + y * width + cellSide {
                let here = Int16(pixels[index])
                along &+= (here &- Int16(pixels[index + 1])).magnitude
                down &+= (here &- Int16(pixels[index + width])).magnitude
            }
        }
        return Int(min(along, down))
    }

    /// The upright rectangles, in pixels, around cores, with what touches them if wanted. Small ones and
    /// hardly filled ones are left out.
    func areas(withSurroundings: Bool) -> [PixelRectangle] {
        var rest = self
        if !withSurroundings { rest.marks = marks.map { $0 == .core ? .core : .none } }
        var areas: [PixelRectangle] = []
        for index in marks.indices where rest.marks[index] == .core {
            let (area, count) = rest.take(index)
            if area.columns.count > 1, area.rows.count > 1, count * 4 >= area.area {
                areas.append(area.scaled(by: Self.cellSide))
            }
        }
        return areas
    }

    /// Clears the area that a marked cell belongs to, and counts its cells.
    private mutating func take(_ index: Int) -> (PixelRectangle, Int) {
        let (row, column) = index.quotientAndRemainder(dividingBy: columns)
        var area = PixelRectangle(columns: column..<column + 1, rows: row..<row + 1)
        var open = [(row, column)]
        var count = 0
        marks[index] = .none
        while let (row, column) = open.popLast() {
            count += 1
            area.columns = min(area.columns.lowerBound, column)..<max(area.columns.upperBound, column + 1)
            area.rows = min(area.rows.lowerBound, row)..<max(area.rows.upperBound, row + 1)
            for y in max(0, row - 1)...min(rows - 1, row + 1) {
                for x in max(0, column - 1)...min(columns - 1, column + 1)
                where marks[y * columns + x] != .none {
                    marks[y * columns + x] = .none
                    open.append((y, x))
                }
            }
        }
        return (area, count)
    }
}
