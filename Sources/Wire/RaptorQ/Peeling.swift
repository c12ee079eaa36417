/// The first phase: chooses which row determines which column, and which columns are set aside as inactive.
///
/// Only the shape of the matrix is read here. A row with exactly one open column (neither determined nor
/// inactive) determines that column; the order of such rows does not matter. If there is no such row, one
/// column is made inactive. It is taken from the largest component of the graph whose edges are the rows with
/// two open columns, because that component then opens completely. Source: RFC 6330, section 5.4.2.2.
struct Peeling: ~Copyable {
    // Each array is a `var`: Swift 6.2 lets `init` call no mutating method where a part that cannot be
    // copied is a `let`.

    /// Rows and columns of the pivots, in the order in which they were chosen.
    private(set) var pivotRows: FixedArray<Int32>
    private(set) var pivotColumns: FixedArray<Int32>
    private(set) var pivotCount = 0
    /// For each column below W: its place among the pivots, or ``inactive``.
    private(set) var pivotOfColumn: FixedArray<Int32>
    /// Columns below W that were set aside, in order.
    private(set) var inactiveColumns: [Int32] = []
    /// Whether every column was determined or set aside; false if more columns would have to be set aside
    /// than allowed. Then nothing else here means anything.
    private(set) var isWhole = true
    /// Whether a row became a pivot.
    private(set) var isPivotRow: FixedArray<Bool>

    static let open: Int32 = -1
    static let inactive: Int32 = -2

    /// Open columns of each row, and the XOR of their numbers: with one open column that is the column.
    private var openCounts: FixedArray<Int32>
    private var openXors: FixedArray<Int32>
    /// Rows of each column, a transposed copy of the matrix.
    private var rowStarts: FixedArray<Int32>
    private var rowsOfColumns: FixedArray<Int32>
    /// Rows with one open column, some of them stale.
    private var ready: FixedArray<Int32>
    private var readyCount = 0
    private var components: Components

    /// - Parameter maximumInactive: how many columns are set aside before it gives up.
    init(_ rows: borrowing SparseRows, columns: Int, maximumInactive: Int) {
        pivotRows = FixedArray(repeating: 0, count: columns)
        pivotColumns = FixedArray(repeating: 0, count: columns)
        pivotOfColumn = FixedArray(repeating: Self.open, count: columns)
        isPivotRow = FixedArray(repeating: false, count: rows.count)
        openCounts = FixedArray(repeating: 0, count: rows.count)
        openXors = FixedArray(repeating: 0, count: rows.count)
        rowStarts = FixedArray(repeating: 0, count: columns + 1)
        rowsOfColumns = FixedArray(repeating: 0, count: Int(rows.starts[rows.count]))
        ready = FixedArray(repeating: 0, count: rows.count)
        components = Components(count: columns)
        transpose(rows, columns: columns)
        for row in 0..<rows.count { noteOpenCount(of: Int32(truncatingIfNeeded: row), in: rows) }
        run(rows, columns: columns, maximumInactive: maximumInactive)
    }

    private func transpose(_ rows: borrowing SparseRows, columns: Int) {
        for row in 0..<rows.count {
            var xor: Int32 = 0
            for index in rows.starts[row]..<rows.ltEnds[row] {
                let column = rows.columns[index]
                rowStarts[column] += 1
                xor ^= column
            }
            openCounts[row] = rows.ltEnds[row] - rows.starts[row]
            openXors[row] = xor
        }
        var end: Int32 = 0
        for column in 0...columns {
            end += rowStarts[column]
            rowStarts[column] = end
        }
        // Filling from the back leaves each start where it belongs.
        for row in 0..<rows.count {
            for index in rows.starts[row]..<rows.ltEnds[row] {
                let column = rows.columns[index]
                rowStarts[column] -= 1
                rowsOfColumns[rowStarts[column]] = Int32(truncatingIfNeeded: row)
            }
        }
    }

    private mutating func run(_ rows: borrowing SparseRows, columns: Int, maximumInactive: Int) {
        var closed = 0
        while closed < columns {
            if readyCount > 0 {
                readyCount -= 1
                let row = ready[readyCount]
                guard openCounts[row] == 1 else { continue }
                let column = openXors[row]
                pivotRows[pivotCount] = row
                pivotColumns[pivotCount] = column
                isPivotRow[Int(row)] = true
                close(column, as: Int32(truncatingIfNeeded: pivotCount), in: rows)
                pivotCount += 1
                closed += 1
            } else {
                guard inactiveColumns.count < maximumInactive else {
                    isWhole = false
                    return
                }
                let column = columnToSetAside(rows, columns: columns)
                close(column, as: Self.inactive, in: rows)
                inactiveColumns.append(column)
                closed += 1
            }
        }
    }

    private mutating func close(_ column: Int32, as pivot: Int32, in rows: borrowing SparseRows) {
        pivotOfColumn[column] = pivot
        for index in rowStarts[column]..<rowStarts[Int(column) + 1] {
            let row = rowsOfColumns[index]
            openCounts[row] -= 1
            openXors[row] ^= column
            if openCounts[row] <= 2 { noteOpenCount(of: row, in: rows) }
        }
    }

    @inline(__always)
    private mutating func noteOpenCount(of row: Int32, in rows: borrowing SparseRows) {
        if openCounts[row] == 1 {
            ready[readyCount] = row
            readyCount += 1
        } else if openCounts[row] == 2 {
            var index = rows.starts[row]
            while pivotOfColumn[rows.columns[index]] != Self.open { index += 1 }
            let column = rows.columns[index]
            components.join(column, openXors[row] ^ column)
        }
    }

    private mutating func columnToSetAside(_ rows: borrowing SparseRows, columns: Int) -> Int32 {
        while let root = components.popLargest() {
            if pivotOfColumn[root] == Self.open { return root }
        }
        var best: Int32 = -1
        for row in 0..<rows.count where openCounts[row] > 0 {
            if best < 0 || openCounts[row] < openCounts[best] { best = Int32(truncatingIfNeeded: row) }
        }
        if best >= 0 {
            for index in rows.starts[best]..<rows.ltEnds[best]
            where pivotOfColumn[rows.columns[index]] == Self.open {
                return rows.columns[index]
            }
        }
        for column in 0..<columns where pivotOfColumn[column] == Self.open {
            return Int32(truncatingIfNeeded: column)
        }
        preconditionFailure("an open column exists while fewer columns are closed than there are")
    }
}
