/// A small linear system over GF(256), brought to reduced echelon form row by row. It records each operation
/// on the rows.
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

/// Single octets of GF(256). Source: RFC 6330, sections 5.7.2 to 5.7.4; the field polynomial is x^8 + x^4 +
/// x^3 + x^2 + 1.
enum OctetArithmetic {
    /// OCT_EXP, twice over so that a sum of two logarithms needs no reduction: alpha^i at i, alpha = 2.
    private static let exponentials: [UInt8] = {
        var values: [UInt8] = []
        var power = 1
        for _ in 0..<510 {
            values.append(UInt8(power))
            power <<= 1
            if power > 0xff { power ^= 0x11d }
        }
        return values
    }()

    /// OCT_LOG; the entry of 0 is never read.
    private static let logarithms: [UInt8] = {
        var values = [UInt8](repeating: 0, count: 256)
        for exponent in 0..<255 { values[Int(exponentials[exponent])] = UInt8(exponent) }
        return values
    }()

    static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        a == 0 || b == 0 ? 0 : exponentials[Int(logarithms[Int(a)]) + Int(logarithms[Int(b)])]
    }

    /// - Parameter a: not zero
    static func inverse(_ a: UInt8) -> UInt8 { exponentials[255 - Int(logarithms[Int(a)])] }

    /// alpha^exponent, exponent 0…254
    static func power(_ exponent: Int) -> UInt8 { exponentials[exponent] }
}
