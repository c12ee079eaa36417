extension GrayImage {
    /// Regions of one search that are looked at, the largest first.
    private static let regionLimit = 3
    /// Modules of a side of the largest code, with its quiet zone.
    private static let largestCode = 185
    /// Pixels of a module that is small.
    private static let smallModules = 6

    /// Parts of the picture in which codes can be: areas with many edges in both directions, as modules make them and
    /// furniture does not. In groups, the likeliest first: areas of modules of up to 6 pixels; the same with their fainter
    /// surroundings; areas of larger modules, at a quarter of their size. These come first when an area is larger than the
    /// largest code with small modules. All are empty when there is nothing to see.
    package func parts() -> [[GrayImage]] {
        let half = halved()
        let quarter = half.halved()
        let cores = regions(half.edgeAreas(withSurroundings: false))
        let wider = regions(half.edgeAreas(withSurroundings: true)).filter { !cores.contains($0) }
        let coarse = quarter.regions(quarter.halved().edgeAreas(withSurroundings: true))
        let large = coarse.map { quarter.cropped(to: $0) }
        let small = [cores.map { cropped(to: $0) }, wider.map { cropped(to: $0) }]
        let isLarge = cores.contains { min($0.columns.count, $0.rows.count) > Self.smallModules * Self.largestCode }
        return isLarge ? [large] + small : small + [large]
    }

    /// Rectangles of edges, in pixels.
    private func edgeAreas(withSurroundings: Bool) -> [PixelRectangle] {
        guard width > 2 * EdgeGrid.cellSide, height > 2 * EdgeGrid.cellSide else { return [] }
        return EdgeGrid(self).areas(withSurroundings)
    }

    /// The largest of the rectangles that `areas` of the halved picture are in this one, each with what may belong to the code around it.
    private func regions(_ areas: [PixelRectangle]) -> [PixelRectangle] {
        // The quiet zone, and a corner where little of the code lies in the cells.
        let margin = 4 * EdgeGrid.cellSide
        return areas.sorted { $0.area > $1.area }.prefix(Self.regionLimit).map { area in
            PixelRectangle(
                columns: max(0, area.columns.lowerBound * 2 - margin)..<min(width, area.columns.upperBound * 2 + margin),
                rows: max(0, area.rows.lowerBound * 2 - margin)..<min(height, area.rows.upperBound * 2 + margin))
        }
    }

    /// - Parameter region: within the picture, not empty.
    func cropped(to region: PixelRectangle) -> GrayImage {
        if region.columns.count == width, region.rows.count == height { return self }
        return GrayImage(width: region.columns.count, height: region.rows.count) { output in
            pixels.withUnsafeBufferPointer { input in
                for (index, row) in region.rows.enumerated() {
                    let line = row * width
                    let source = UnsafeBufferPointer(rebasing: input[line + region.columns.lowerBound..<line + region.columns.upperBound])
                    _ = UnsafeMutableBufferPointer(rebasing: output[(index * source.count)...]).update(from: source)
                }
            }
        }
    }
}

/// The cells of a picture in which neighbours differ much, both along rows and along columns.
private struct EdgeGrid {
    /// Pixels of a cell's side.
    static let cellSide = 8
    /// Grey levels by which neighbours differ on average, at least: more than the grain of a camera in daylight.
    private static let floor = 5
    /// Percent of the strongest cell's difference from which on a cell is the core of an area.
    private static let coreShare = 40
    /// The same for what lies around a core: a code's shaded end has less contrast than its bright one.
    private static let share = 15

    private let columns: Int
    private let rows: Int
    private var marks: [Mark] = []

    private enum Mark { case none, around, core }

    init(_ image: GrayImage) {
        columns = (image.width - 1) / Self.cellSide
        rows = (image.height - 1) / Self.cellSide
        var strengths: [Int] = []
        strengths.reserveCapacity(columns * rows)
        image.pixels.withUnsafeBufferPointer { pixels in
            for row in 0..<rows {
                for column in 0..<columns {
                    strengths.append(Self.strength(pixels, (row * image.width + column) * Self.cellSide, image.width))
                }
            }
        }
        // Sums of nine cells: corners of other things stand alone, a code's cells do not.
        let sums = strengths.indices.map { index in
            let (row, column) = index.quotientAndRemainder(dividingBy: columns)
            var sum = 0
            for y in max(0, row - 1)...min(rows - 1, row + 1) {
                for x in max(0, column - 1)...min(columns - 1, column + 1) { sum += strengths[y * columns + x] }
            }
            return sum
        }
        let floor = Self.floor * 9 * Self.cellSide * Self.cellSide
        let most = sums.max() ?? 0
        marks = sums.map {
            guard $0 >= max(floor, most * Self.share / 100) else { return .none }
            return $0 >= most * Self.coreShare / 100 ? .core : .around
        }
    }

    /// The sum of differences between neighbours in a cell, in the direction in which there are fewer: a straight edge counts nothing.
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

    /// The upright rectangles, in pixels, around cores, with what touches them if wanted. Small ones and hardly filled ones are left out.
    func areas(_ withSurroundings: Bool) -> [PixelRectangle] {
        var rest = self
        if !withSurroundings { rest.marks = marks.map { $0 == .core ? .core : .none } }
        var areas: [PixelRectangle] = []
        for index in marks.indices where rest.marks[index] == .core {
            let (area, count) = rest.take(index)
            if area.columns.count > 1, area.rows.count > 1, count * 4 >= area.area { areas.append(area.scaled(Self.cellSide)) }
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
                for x in max(0, column - 1)...min(columns - 1, column + 1) where marks[y * columns + x] != .none {
                    marks[y * columns + x] = .none
                    open.append((y, x))
                }
            }
        }
        return (area, count)
    }
}
