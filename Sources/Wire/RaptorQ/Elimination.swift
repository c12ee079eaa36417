import CRaptorQOctets

/// The elimination of the constraint matrix, without the symbols.
///
/// Whether a set of symbols determines a block depends only on their ids, so the whole elimination is done on
/// the shape of the matrix first and repeated on the symbols (``solve(_:)``) once it is known to succeed.
/// Further symbols are added to a matrix that was not enough, one row each; nothing is repeated.
///
/// The phases of RFC 6330, section 5.4.2: the first is ``Peeling``. It leaves every column determined by its
/// pivot row as a sum of inactive columns (`pivotBits`) and a symbol. The second solves for the inactive
/// columns: binary rows first, as bits; then the HDPC rows over the few columns that are still free, as
/// octets. The third to fifth come down to one pass over the original sparse rows, see ``solve(_:)``.
final class Elimination {
    /// A row that takes part in the second phase: what its symbol is the sum of.
    struct HeldRow {
        /// Index of the received symbol, or -1: none
        let symbol: Int32
        /// Determined columns, a range of ``heldColumns``
        let columns: Range<Int>
        /// Held rows by number, HDPC rows included; a range of ``heldSources``
        let sources: Range<Int>
    }

    let parameters: BlockParameters
    let rows: SparseRows
    let peeling: Peeling
    let hdpc: HDPCEntries
    /// Index of the symbol of each LT row, or -1 for a padding symbol.
    let symbols: [Int32]

    /// u: the inactive columns, the P permanent ones first.
    let inactiveColumns: [Int32]
    /// 64-bit words that hold one bit for each inactive column.
    let words: Int
    /// For each pivot, the inactive columns that its column depends on.
    let pivotBits: FixedArray<UInt64>
    /// For each pivot row: its own column comes first, then determined columns up to here, then inactive
    /// ones.
    let pivotColumnEnds: FixedArray<Int32>
    private let inactiveIndex: FixedArray<Int32>

    /// Rows of the second phase in echelon form: the lowest set bit of a row leads it. Row k has number H + k
    /// as a held row.
    private(set) var heldRows: [HeldRow] = []
    private(set) var heldBits: [UInt64] = []
    private(set) var heldColumns: [Int32] = []
    private(set) var heldSources: [Int32] = []
    /// The held row that an inactive column leads, or -1.
    private(set) var leaders: [Int32]
    /// Inactive columns that no binary row leads.
    private(set) var freeColumns: [Int] = []
    private(set) var octets = OctetSystem(columnCount: 0)
    /// Held rows by number that follow from others: their symbols must be zeros.
    private(set) var zeroRows: [Int32] = []

    /// The elimination of a matrix; nil if the first phase sets aside more columns than
    /// ``BlockParameters/maximumInactive``, before anything dense is made.
    /// - Parameters:
    ///   - identifiers: internal symbol ids, K′ or more, no two alike
    ///   - symbols: for each of them the index of its symbol, or -1 for a padding symbol
    static func run(_ parameters: BlockParameters, identifiers: [UInt32], symbols: [Int32]) -> Elimination? {
        let rows = SparseRows(parameters, symbols: identifiers)
        let peeling = Peeling(
            rows, columns: parameters.ltSymbols, maximumInactive: parameters.maximumInactive)
        guard peeling.isWhole else { return nil }
        return Elimination(parameters, rows, peeling, symbols: symbols)
    }

    private init(
        _ parameters: BlockParameters, _ rows: consuming SparseRows, _ peeling: consuming Peeling,
        symbols: [Int32]
    ) {
        self.parameters = parameters
        self.symbols = symbols
        self.rows = rows
        self.peeling = peeling
        hdpc = HDPCEntries(parameters)
        let firstPI = Int32(parameters.ltSymbols)
        inactiveColumns =
            (firstPI..<Int32(parameters.intermediateSymbols)).map { $0 } + self.peeling.inactiveColumns
        words = (inactiveColumns.count + 63) / 64
        leaders = [Int32](repeating: -1, count: inactiveColumns.count)
        inactiveIndex = FixedArray(repeating: -1, count: parameters.intermediateSymbols)
        for (index, column) in inactiveColumns.enumerated() { inactiveIndex[column] = Int32(index) }
        pivotBits = FixedArray(repeating: 0, count: self.peeling.pivotCount * words)
        pivotColumnEnds = FixedArray(repeating: 0, count: self.peeling.pivotCount)
        for pivot in 0..<self.peeling.pivotCount { expressPivot(pivot) }
        holdBinaryRows()
        freeColumns = leaders.indices.filter { leaders[$0] < 0 }
        octets = OctetSystem(columnCount: freeColumns.count)
        holdHDPCRows()
    }

    /// Whether the rows at hand determine all intermediate symbols.
    var isComplete: Bool { octets.isComplete }

    /// Adds a symbol to a matrix that is not complete.
    func add(identifier: UInt32, symbol: Int32) {
        let columns = parameters.columns(ofSymbol: identifier)
        var bits = columns.withUnsafeBufferPointer { express($0) }
        let start = heldSources.count
        reduce(&bits, stopAtFree: false)
        let values = freeColumns.map { UInt8(truncatingIfNeeded: bits[$0 / 64] >> UInt64($0 % 64) & 1) }
        insert(values, name: Int32(parameters.hdpcSymbols + heldRows.count))
        columns.withUnsafeBufferPointer { hold($0, symbol: symbol, bits: bits, sourcesFrom: start) }
    }
}

// MARK: - Binary rows

extension Elimination {
    /// Orders the columns of a pivot row (own, determined, inactive) and adds up the columns that the own
    /// column depends on.
    private func expressPivot(_ pivot: Int) {
        let row = peeling.pivotRows[pivot]
        let own = peeling.pivotColumns[pivot]
        let start = rows.starts[row]
        let bits = pivotBits.base + pivot * words
        var next = start
        for index in start..<rows.ltEnds[row] {
            let column = rows.columns[index]
            let known = peeling.pivotOfColumn[column]
            guard known >= 0 else {
                flip(inactiveIndex[column], in: bits)
                continue
            }
            rows.columns[index] = rows.columns[next]
            rows.columns[next] = column
            next += 1
            if column == own {
                rows.columns[next - 1] = rows.columns[start]
                rows.columns[start] = own
            } else {
                add(pivot: known, to: bits)
            }
        }
        pivotColumnEnds[pivot] = next
        for index in rows.ltEnds[row]..<rows.starts[Int(row) + 1] {
            flip(inactiveIndex[rows.columns[index]], in: bits)
        }
    }

    @inline(__always)
    private func flip(_ index: Int32, in bits: UnsafeMutablePointer<UInt64>) {
        bits[Int(truncatingIfNeeded: index >> 6)] ^= 1 << UInt64(truncatingIfNeeded: index & 63)
    }

    @inline(__always)
    private func add(pivot: Int32, to bits: UnsafeMutablePointer<UInt64>) {
        let source = pivotBits.base + Int(truncatingIfNeeded: pivot) * words
        for word in 0..<words { bits[word] ^= source[word] }
    }

    /// A sum of columns in terms of the inactive ones.
    private func express(_ columns: UnsafeBufferPointer<Int32>) -> [UInt64] {
        var bits = [UInt64](repeating: 0, count: words)
        bits.withUnsafeMutableBufferPointer { bits in
            guard let bits = bits.baseAddress else { return }
            for column in columns {
                let index = inactiveIndex[column]
                if index >= 0 {
                    flip(index, in: bits)
                } else {
                    add(pivot: peeling.pivotOfColumn[column], to: bits)
                }
            }
        }
        return bits
    }

    /// Adds held rows to `bits` until a bit that no row leads (or, unless `stopAtFree`, for all bits); notes
    /// them in `heldSources`.
    /// - Returns: the bit it stopped at
    @discardableResult
    private func reduce(_ bits: inout [UInt64], stopAtFree: Bool) -> Int? {
        for word in 0..<words {
            var remaining = bits[word]
            while remaining != 0 {
                let bit = UInt64(remaining.trailingZeroBitCount)
                let leader = leaders[64 * word + Int(bit)]
                if leader < 0 {
                    if stopAtFree { return 64 * word + Int(bit) }
                } else {
                    let start = Int(leader) * words
                    for index in word..<words { bits[index] ^= heldBits[start + index] }
                    heldSources.append(Int32(parameters.hdpcSymbols) + leader)
                }
                remaining = bits[word] & (bit == 63 ? 0 : ~0 << (bit + 1))
            }
        }
        return nil
    }

    private func hold(
        _ columns: UnsafeBufferPointer<Int32>, symbol: Int32, bits: [UInt64], sourcesFrom start: Int
    ) {
        let firstColumn = heldColumns.count
        for column in columns where inactiveIndex[column] < 0 { heldColumns.append(column) }
        heldRows.append(
            HeldRow(
                symbol: symbol, columns: firstColumn..<heldColumns.count, sources: start..<heldSources.count))
        heldBits += bits
    }

    private func holdBinaryRows() {
        for row in 0..<rows.count where !peeling.isPivotRow[row] {
            let start = Int(rows.starts[row])
            let columns = UnsafeBufferPointer(
                start: rows.columns.base + start, count: Int(rows.starts[row + 1]) - start)
            let symbol = row < parameters.ldpcSymbols ? -1 : symbols[row - parameters.ldpcSymbols]
            var bits = express(columns)
            let firstSource = heldSources.count
            if let lead = reduce(&bits, stopAtFree: true) {
                leaders[lead] = Int32(heldRows.count)
            } else {
                zeroRows.append(Int32(parameters.hdpcSymbols + heldRows.count))
            }
            hold(columns, symbol: symbol, bits: bits, sourcesFrom: firstSource)
        }
    }
}

// MARK: - HDPC rows

extension Elimination {
    /// The HDPC rows in terms of the inactive columns, one octet each, `stride` apart.
    private func expressHDPCRows(stride: Int) -> FixedArray<UInt8> {
        let sums = FixedArray<UInt8>(repeating: 0, count: parameters.hdpcSymbols * stride)
        let single = FixedArray<UInt64>(repeating: 0, count: words)
        hdpc.accumulate(into: sums.base, stride: stride, length: stride) {
            accumulator, column, first, second in
            let index = inactiveIndex[column]
            if index >= 0 {
                flip(index, in: single.base)
                raptorq_hdpc_step_bits(accumulator, single.base, first, second, stride)
                flip(index, in: single.base)
            } else {
                let bits = pivotBits.base + Int(peeling.pivotOfColumn[column]) * words
                raptorq_hdpc_step_bits(accumulator, bits, first, second, stride)
            }
        }
        for row in 0..<parameters.hdpcSymbols {
            sums[row * stride + Int(inactiveIndex[hdpc.columnCount + row])] ^= 1
        }
        return sums
    }

    private func holdHDPCRows() {
        let stride = words * 64
        let sums = expressHDPCRows(stride: stride)
        for row in 0..<parameters.hdpcSymbols {
            let values = sums.base + row * stride
            for (column, leader) in leaders.enumerated() where leader >= 0 && values[column] != 0 {
                let factor = values[column]
                heldBits.withUnsafeBufferPointer { bits in
                    guard let bits = bits.baseAddress else { return }
                    raptorq_add_multiple_of_bits(values, bits + Int(leader) * words, factor, stride)
                }
                let source = Int32(parameters.hdpcSymbols) + leader
                octets.record(OctetSystem.Operation(target: Int32(row), source: source, factor: factor))
            }
        }
        for row in 0..<parameters.hdpcSymbols {
            insert(freeColumns.map { sums[row * stride + $0] }, name: Int32(row))
        }
    }

    private func insert(_ values: [UInt8], name: Int32) {
        if !octets.insert(values, name: name) { zeroRows.append(name) }
    }
}

extension BlockParameters {
    /// The intermediate symbols whose sum an encoding symbol is.
    func columns(ofSymbol identifier: UInt32) -> [Int32] {
        let generator = TupleGenerator(self)
        let tuple = generator.tuple(identifier)
        return [Int32](unsafeUninitializedCapacity: TupleGenerator.maximumColumns) { buffer, count in
            count = tuple.degree + tuple.piDegree
            if let start = buffer.baseAddress { generator.writeColumns(of: tuple, to: start) }
        }
    }
}

/// The L intermediate symbols of a block; every encoding symbol is a sum of a few of them.
struct IntermediateSymbols: Sendable {
    let parameters: BlockParameters
    /// L rows.
    let matrix: SymbolMatrix

    /// Enc[K′, C, X]. RFC 6330, section 5.3.5.3.
    /// - Parameter target: room for one row of the matrix, padding included
    func writeSymbol(_ identifier: UInt32, to target: UnsafeMutablePointer<UInt8>) {
        parameters.columns(ofSymbol: identifier).withUnsafeBufferPointer { columns in
            raptorq_xor_rows(
                target, nil, matrix.base, matrix.stride, columns.baseAddress, columns.count, matrix.stride)
        }
    }

    /// Whether a symbol is the one that belongs to an internal symbol id.
    func confirm(_ identifier: UInt32, symbol: ArraySlice<UInt8>) -> Bool {
        let computed = FixedArray<UInt8>(repeating: 0, count: matrix.stride)
        writeSymbol(identifier, to: computed.base)
        return symbol.elementsEqual(UnsafeBufferPointer(start: computed.base, count: symbol.count))
    }
}

extension Elimination {
    /// Repeats a complete elimination on the symbols.
    /// - Parameter symbols: the received symbols
    /// - Returns: nil if a redundant row contradicts the others: the symbols do not come from one payload
    func solve(_ symbols: ReceivedSymbols) -> IntermediateSymbols? {
        precondition(isComplete, "the matrix is not complete")
        let substitution = Substitution(self, received: symbols)
        guard substitution.run() else { return nil }
        return IntermediateSymbols(parameters: parameters, matrix: substitution.matrix)
    }
}
