/// The binary rows of the constraint matrix: S LDPC rows, then one LT row for each symbol at hand.
///
/// A row lists its columns, those below W first. Source: RFC 6330, sections 5.3.3.3 (LDPC) and 5.3.3.4.2
/// (G_LT).
struct SparseRows: ~Copyable {
    let count: Int
    /// Where a row's columns start; one entry more than rows.
    let starts: FixedArray<Int32>
    /// Where a row's columns below W end.
    let ltEnds: FixedArray<Int32>
    let columns: FixedArray<Int32>

    /// - Parameter symbols: internal symbol ids of the LT rows
    init(_ parameters: BlockParameters, symbols: [UInt32]) {
        let generator = TupleGenerator(parameters)
        let tuples = symbols.map { generator.tuple($0) }
        let ldpc = parameters.ldpcSymbols
        let identityStart = parameters.ltSymbols - ldpc
        let count = ldpc + symbols.count
        let starts = FixedArray<Int32>(repeating: 0, count: count + 1)

        for column in 0..<identityStart {
            Self.forEachLDPCRow(of: column, ldpcSymbols: ldpc) { starts[$0 + 1] += 1 }
        }
        for row in 0..<ldpc { starts[row + 1] += starts[row] + 3 }
        for (index, tuple) in tuples.enumerated() {
            starts[ldpc + index + 1] =
                starts[ldpc + index] + Int32(truncatingIfNeeded: tuple.degree + tuple.piDegree)
        }

        columns = FixedArray(repeating: 0, count: Int(starts[count]))
        ltEnds = FixedArray(repeating: 0, count: count)
        self.count = count
        self.starts = starts
        fillLDPC(parameters, identityStart: identityStart)
        for (index, tuple) in tuples.enumerated() {
            let start = self.starts[ldpc + index]
            generator.writeColumns(of: tuple, to: columns.base + Int(start))
            ltEnds[ldpc + index] = start + Int32(truncatingIfNeeded: tuple.degree)
        }
    }

    private static func forEachLDPCRow(of column: Int, ldpcSymbols: Int, _ visit: (Int) -> Void) {
        let step = 1 + column / ldpcSymbols
        var row = column % ldpcSymbols
        for _ in 0..<3 {
            visit(row)
            row += step
            if row >= ldpcSymbols { row -= ldpcSymbols }
        }
    }

    private func fillLDPC(_ parameters: BlockParameters, identityStart: Int) {
        let ldpc = parameters.ldpcSymbols
        for row in 0..<ldpc { ltEnds[row] = starts[row] }
        for column in 0..<identityStart {
            Self.forEachLDPCRow(of: column, ldpcSymbols: ldpc) { append(column, to: $0) }
        }
        for row in 0..<ldpc {
            append(identityStart + row, to: row)
            columns[ltEnds[row]] = Int32(
                truncatingIfNeeded: parameters.ltSymbols + row % parameters.piSymbols)
            columns[ltEnds[row] + 1] = Int32(
                truncatingIfNeeded: parameters.ltSymbols + (row + 1) % parameters.piSymbols)
        }
    }

    @inline(__always)
    private func append(_ column: Int, to row: Int) {
        columns[ltEnds[row]] = Int32(truncatingIfNeeded: column)
        ltEnds[row] += 1
    }
}
