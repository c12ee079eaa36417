/// The three squares in the corners of QR codes, counted quickly: whether a picture shows more codes than
/// were read.
///
/// A line through a square's middle crosses runs of 1, 1, 3, 1 and 1 modules. Source: ISO/IEC 18004, 5.3.2.
struct FinderPatterns {
    /// Squares of one code.
    static let ofOneCode = 3
    /// Rows from one look to the next: the middle of a square is three modules high, a module two pixels at
    /// least.
    private static let rowStep = 4
    /// Grey levels by which dark is darker than what lies around it: more than the grain of a camera.
    private static let contrast = 12

    private let image: GrayImage
    private let known: [PixelRectangle]
    private var centres: [(x: Int, y: Int, side: Int)] = []

    /// Whether `image` shows at least `count` squares outside `known`.
    static func areShown(in image: GrayImage, outside known: [PixelRectangle], atLeast count: Int) -> Bool {
        var search = FinderPatterns(image: image, known: known)
        for row in stride(from: 0, to: image.height, by: Self.rowStep) {
            let before = search.centres.count
            search.look(along: row)
            if search.centres.count > before, search.areAlike(count) { return true }
        }
        return false
    }

    private init(image: GrayImage, known: [PixelRectangle]) {
        self.image = image
        self.known = known
    }

    /// Whether `count` squares have about the same size. Those of a code do; other square shapes in a picture
    /// rarely do.
    private func areAlike(_ count: Int) -> Bool {
        centres.contains { first in
            centres.filter { first.side <= $0.side && 4 * $0.side <= 5 * first.side }.count >= count
        }
    }

    /// Cuts a row into dark and light runs, by the mean of what lies around each pixel.
    private mutating func look(along row: Int) {
        let width = image.width
        let reach = max(16, width / 16)
        var runs = Runs()
        var found: [(x: Int, threshold: Int, side: Int)] = []
        image.pixels.withUnsafeBufferPointer { pixels in
            let line = UnsafeBufferPointer(rebasing: pixels[(row * width)..<((row + 1) * width)])
            var count = min(reach, width)
            var sum = line.prefix(count).reduce(0) { $0 + Int($1) }
            for x in 0..<width {
                if x + reach < width { (sum, count) = (sum + Int(line[x + reach]), count + 1) }
                if x > reach { (sum, count) = (sum - Int(line[x - reach - 1]), count - 1) }
                guard runs.add(isDark: (Int(line[x]) + Self.contrast) * count < sum), let side = runs.side
                else { continue }
                found.append((x - runs.sinceMiddle, sum / count - Self.contrast, side))
            }
        }
        for (x, threshold, side) in found where isSquare(x, row, threshold, side) { note(x, row, side) }
    }

    /// Whether the column through a point shows the same pattern as its row. The middle run extends above and
    /// below the row.
    private func isSquare(_ x: Int, _ y: Int, _ threshold: Int, _ side: Int) -> Bool {
        let above = lengths(x, y, -1, threshold, side)
        let below = lengths(x, y, 1, threshold, side)
        let height = above.0 + above.1 + above.2 + 1 + below.0 + below.1 + below.2
        // Seen from the side, a code is up to half as wide as it is high.
        guard height <= 2 * side, side <= 2 * height else { return false }
        return Runs.areOfASquare(above.2, above.1, above.0 + 1 + below.0, below.1, below.2)
    }

    /// How far the colour at (x, y) goes on in a direction, and then the two runs behind it.
    private func lengths(_ x: Int, _ y: Int, _ step: Int, _ threshold: Int, _ limit: Int) -> (Int, Int, Int) {
        let colour = isDark(x, y, threshold)
        var row = y + step
        func run(_ colour: Bool) -> Int {
            var length = 0
            while row >= 0, row < image.height, length < limit, isDark(x, row, threshold) == colour {
                (length, row) = (length + 1, row + step)
            }
            return length
        }
        return (run(colour), run(!colour), run(colour))
    }

    private func isDark(_ x: Int, _ y: Int, _ threshold: Int) -> Bool {
        Int(image.pixels[y * image.width + x]) < threshold
    }

    private mutating func note(_ x: Int, _ y: Int, _ side: Int) {
        guard !known.contains(where: { $0.columns.contains(x) && $0.rows.contains(y) }),
            !centres.contains(where: { abs($0.x - x) <= $0.side / 2 && abs($0.y - y) <= $0.side / 2 })
        else { return }
        centres.append((x, y, side))
    }
}

/// The last runs of one colour along a row.
private struct Runs {
    /// The five that ended, the oldest first, and the one that goes on.
    private var (a, b, c, d, e, open) = (0, 0, 0, 0, 0, 0)
    private var isDark = false

    /// True when a run ended before this pixel.
    mutating func add(isDark: Bool) -> Bool {
        if isDark == self.isDark {
            open += 1
            return false
        }
        self.isDark = isDark
        (a, b, c, d, e, open) = (b, c, d, e, open, 1)
        return true
    }

    /// Pixels of the five runs that ended, when they are those of a square.
    var side: Int? { Self.areOfASquare(a, b, c, d, e) ? a + b + c + d + e : nil }

    /// From the pixel behind the five runs back to the middle of the third.
    var sinceMiddle: Int { e + d + (c + 1) / 2 }

    /// Pixels of seven modules: below two pixels a module, letters and gratings look like squares everywhere.
    private static let minimumSide = 14

    /// 1, 1, 3, 1 and 1 modules, each to within half of its length and half a pixel.
    static func areOfASquare(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int) -> Bool {
        let total = a + b + c + d + e
        guard total >= minimumSide else { return false }
        func isOne(_ length: Int) -> Bool { length > 0 && abs(14 * length - 2 * total) <= total + 7 }
        return isOne(a) && isOne(b) && isOne(d) && isOne(e) && abs(14 * c - 6 * total) <= 3 * total / 2 + 7
    }
}
