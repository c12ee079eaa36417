/// Pictures that undo some of a lens's blur. The low-pass is a triangle of 9 pixels both ways: two means of 5
/// in a row.
extension GrayImage {
    /// The picture plus `gain` times what the low-pass removes.
    package func sharpened(gain: Int) -> GrayImage {
        var filter = LowPass(width: width, height: height)
        return GrayImage(width: width, height: height) { output in
            pixels.withUnsafeBufferPointer { input in
                filter.run(input) { row, low in
                    let start = row * width
                    for column in 0..<width {
                        let here = Int32(input[start + column])
                        output[start + column] = UInt8(
                            truncatingIfNeeded: clamp(here &+ Int32(gain) &* (here &- Int32(low[column]))))
                    }
                }
            }
        }
    }

    /// Deconvolved by Van Cittert's iteration with the low-pass as the lens: each round adds what the
    /// low-pass of the estimate misses of the picture. It reads codes that are blurred far beyond what one
    /// sharpening brings back.
    package func deblurred(rounds: Int) -> GrayImage {
        var filter = LowPass(width: width, height: height)
        var estimate = self
        for _ in 0..<rounds {
            let next = GrayImage(width: width, height: height) { output in
                pixels.withUnsafeBufferPointer { original in
                    estimate.pixels.withUnsafeBufferPointer { input in
                        filter.run(input) { row, low in
                            let start = row * width
                            for column in 0..<width {
                                let sum =
                                    Int32(input[start + column]) &+ Int32(original[start + column])
                                    &- Int32(low[column])
                                output[start + column] = UInt8(truncatingIfNeeded: clamp(sum))
                            }
                        }
                    }
                }
            }
            estimate = next
        }
        return estimate
    }
}

@inline(__always)
private func clamp(_ value: Int32) -> Int32 { max(0, min(255, value)) }

/// The triangle 1 2 3 4 5 4 3 2 1, down the columns and then along the row.
private struct LowPass {
    private static let reach = 4
    private static let weights: [UInt16] = [1, 2, 3, 4, 5, 4, 3, 2, 1]

    private let width: Int
    private let height: Int
    /// Sums down the columns, the first and the last repeated on both sides; at most 255 * 25.
    private var columns: [UInt16]
    private var sums: [UInt32]
    private var low: [UInt8]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        columns = [UInt16](repeating: 0, count: width + 2 * Self.reach)
        sums = [UInt32](repeating: 0, count: width)
        low = [UInt8](repeating: 0, count: width)
    }

    /// Calls `body` with each row's number and its low-pass, `width` values.
    mutating func run(
        _ input: UnsafeBufferPointer<UInt8>, _ body: (Int, UnsafeMutableBufferPointer<UInt8>) -> Void
    ) {
        let (width, height, reach) = (width, height, Self.reach)
        columns.withUnsafeMutableBufferPointer { columns in
            sums.withUnsafeMutableBufferPointer { sums in
                low.withUnsafeMutableBufferPointer { low in
                    for row in 0..<height {
                        Self.sumColumns(input, row, width, height, columns)
                        for index in 0..<reach {
                            columns[index] = columns[reach]
                            columns[reach + width + index] = columns[reach + width - 1]
                        }
                        // half of 625, so that the division rounds
                        for column in 0..<width { sums[column] = 312 }
                        for (offset, weight) in Self.weights.enumerated() {
                            for column in 0..<width {
                                sums[column] &+= UInt32(columns[column + offset]) &* UInt32(weight)
                            }
                        }
                        // 6711 / 2^22 is 1 / 625 for all sums that occur.
                        for column in 0..<width {
                            low[column] = UInt8(truncatingIfNeeded: (UInt64(sums[column]) &* 6711) >> 22)
                        }
                        body(row, low)
                    }
                }
            }
        }
    }

    private static func sumColumns(
        _ input: UnsafeBufferPointer<UInt8>, _ row: Int, _ width: Int, _ height: Int,
        _ columns: UnsafeMutableBufferPointer<UInt16>
    ) {
        for column in 0..<width { columns[reach + column] = 0 }
        for (offset, weight) in weights.enumerated() {
            let start = max(0, min(height - 1, row + offset - reach)) * width
            for column in 0..<width { columns[reach + column] &+= UInt16(input[start + column]) &* weight }
        }
    }
}
