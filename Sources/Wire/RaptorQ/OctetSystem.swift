/// A small linear system over GF(256), brought to reduced echelon form row by row, with a record of what was
/// done to the rows.
struct OctetSystem {
    /// One row operation, to be repeated on the symbols.
    struct Operation {
        /// The row that changes.
        let target: Int32
        /// The row whose multiple is added, or -1: the target itself is multiplied.
        let source: Int32
        let factor: UInt8
    }

    private struct Pivot {
        let row: Int32
        let column: Int
        var values: [UInt8]
    }

    let columnCount: Int
    private(set) var operations: [Operation] = []
    private var pivots: [Pivot] = []

    init(columnCount: Int) { self.columnCount = columnCount }

    var isComplete: Bool { pivots.count == columnCount }

    /// Row and column of each pivot; in a complete system that row's symbol is that column's value.
    var solution: [(row: Int32, column: Int)] { pivots.map { ($0.row, $0.column) } }

    mutating func record(_ operation: Operation) { operations.append(operation) }

    /// Adds a row that is known as `name` in the record.
    /// - Returns: false if the row follows from those before; the recorded operations then leave zeros in it.
    mutating func insert(_ values: [UInt8], name: Int32) -> Bool {
        var values = values
        for pivot in pivots where values[pivot.column] != 0 {
            let factor = values[pivot.column]
            Self.add(factor, times: pivot.values, to: &values)
            operations.append(Operation(target: name, source: pivot.row, factor: factor))
        }
        guard let column = values.firstIndex(where: { $0 != 0 }) else { return false }
        let inverse = OctetArithmetic.inverse(values[column])
        for index in values.indices { values[index] = OctetArithmetic.product(inverse, values[index]) }
        operations.append(Operation(target: name, source: -1, factor: inverse))
        for index in pivots.indices where pivots[index].values[column] != 0 {
            let factor = pivots[index].values[column]
            Self.add(factor, times: values, to: &pivots[index].values)
            operations.append(Operation(target: pivots[index].row, source: name, factor: factor))
        }
        pivots.append(Pivot(row: name, column: column, values: values))
        return true
    }

    private static func add(_ factor: UInt8, times source: [UInt8], to target: inout [UInt8]) {
        for index in target.indices { target[index] ^= OctetArithmetic.product(factor, source[index]) }
    }
}
