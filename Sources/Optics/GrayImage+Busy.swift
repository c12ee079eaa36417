extension GrayImage {
    /// Every how manieth row is looked at: the smallest code that can be read is crossed five times.
    private static let rowStep = 8
    /// Grey levels between two pixels, two apart, that count as an edge: more than the grain of a camera in daylight.
    private static let edge: Int16 = 32
    /// Edges in the rows that are looked at. The smallest code has twice as many; a picture without another code has few.
    private static let edges = 24

    /// Whether there may be another code outside `known`. A guess that errs towards yes.
    func isBusy(outside known: [PixelRectangle]) -> Bool {
        var count = 0
        for row in stride(from: Self.rowStep / 2, to: height, by: Self.rowStep) {
            var column = 2
            let hiding = known.filter { $0.rows.contains(row) }.map(\.columns).sorted { $0.lowerBound < $1.lowerBound }
            for columns in hiding {
                count += edges(row, column..<max(column, min(columns.lowerBound, width)))
                column = max(column, columns.upperBound + 2)
            }
            count += edges(row, min(column, width)..<width)
            if count >= Self.edges { return true }
        }
        return false
    }

    private func edges(_ row: Int, _ columns: Range<Int>) -> Int {
        pixels.withUnsafeBufferPointer { pixels in
            let line = row * width
            var count = 0
            for index in line + columns.lowerBound..<line + columns.upperBound {
                let step = Int16(pixels[index]) - Int16(pixels[index - 2])
                count &+= step.magnitude > UInt16(Self.edge) ? 1 : 0
            }
            return count
        }
    }
}
