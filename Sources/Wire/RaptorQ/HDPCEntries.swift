import CRaptorQOctets

/// Where the HDPC rows have their entries: MT · GAMMA, column by column.
///
/// GAMMA times a column of values is a running sum: T(0) = C(0), T(j) = alpha · T(j − 1) + C(j). Column j of
/// MT then adds T(j) to two rows, and its last column adds alpha^i · T to every row i. That takes three row
/// operations a column, not H of them. Source: RFC 6330, section 5.3.3.3.
struct HDPCEntries {
    /// H
    let rowCount: Int
    /// K′ + S
    let columnCount: Int
    /// The two rows of each column but the last, two entries a column.
    private let rows: [UInt8]

    init(_ parameters: BlockParameters) {
        let generator = TupleGenerator(parameters)
        let height = parameters.hdpcSymbols
        rowCount = height
        columnCount = parameters.extendedSymbols + parameters.ldpcSymbols
        rows = [UInt8](unsafeUninitializedCapacity: 2 * (columnCount - 1)) { [columnCount] buffer, count in
            for column in 0..<(columnCount - 1) {
                let y = UInt32(truncatingIfNeeded: column + 1)
                let first = generator.random(y, 6, below: height)
                var second = first + generator.random(y, 7, below: height - 1) + 1
                if second >= height { second -= height }
                buffer[2 * column] = UInt8(truncatingIfNeeded: first)
                buffer[2 * column + 1] = UInt8(truncatingIfNeeded: second)
            }
            count = 2 * (columnCount - 1)
        }
    }

    /// Adds up the HDPC rows over all columns but the H of the identity.
    /// - Parameters:
    ///   - sums: H rows of `length` bytes, `stride` apart; the products are added to them
    ///   - step: makes T(j) from T(j − 1) in its first argument for column j, and adds it to the two rows
    ///     that follow
    func accumulate(
        into sums: UnsafeMutablePointer<UInt8>, stride: Int, length: Int,
        step: (
            _ accumulator: UnsafeMutablePointer<UInt8>, _ column: Int, _ first: UnsafeMutablePointer<UInt8>,
            _ second: UnsafeMutablePointer<UInt8>
        )
            -> Void
    ) {
        let accumulator = FixedArray<UInt8>(repeating: 0, count: length)
        let last = FixedArray<UInt8>(repeating: 0, count: 2 * length)
        rows.withUnsafeBufferPointer { rows in
            for column in 0..<(columnCount - 1) {
                let first = sums + Int(rows[2 * column]) * stride
                let second = sums + Int(rows[2 * column + 1]) * stride
                step(accumulator.base, column, first, second)
            }
        }
        step(accumulator.base, columnCount - 1, last.base, last.base + length)
        for row in 0..<rowCount {
            raptorq_add_multiple(sums + row * stride, accumulator.base, OctetArithmetic.power(row), length)
        }
    }
}
