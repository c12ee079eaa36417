import CRaptorQOctets

/// The received symbols, `length` bytes each; readable only during the call that they are passed to.
struct ReceivedSymbols {
    let base: UnsafePointer<UInt8>
    /// Bytes of a symbol.
    let length: Int
    /// Bytes from symbol to symbol.
    let stride: Int
}

/// A complete elimination, repeated on the symbols.
///
/// 1. In the order of the pivots, each pivot's row without its inactive columns (the symbol part of the first
///    phase).
/// 2. The held rows, the HDPC rows, and from them the inactive columns, the last one first (second phase).
/// 3. In the order of the pivots again, from the original sparse row: by then all its other columns are
///    known. That is what the third to fifth phase are for, which trade the dense upper part for sparse rows.
struct Substitution {
    private let elimination: Elimination
    private let received: ReceivedSymbols
    /// The intermediate symbols, determined by ``run()``.
    let matrix: SymbolMatrix
    /// The H HDPC rows, then the held rows.
    private let held: SymbolMatrix
    /// Bytes of a row with its padding; `received.length` of them are the symbol.
    private let length: Int

    /// Makes room for the intermediate symbols of a complete elimination.
    init(_ elimination: Elimination, received: ReceivedSymbols) {
        self.elimination = elimination
        self.received = received
        let parameters = elimination.parameters
        matrix = SymbolMatrix(rowCount: parameters.intermediateSymbols, symbolLength: received.length)
        held = SymbolMatrix(
            rowCount: parameters.hdpcSymbols + elimination.heldRows.count, symbolLength: received.length)
        length = matrix.stride
    }

    /// - Returns: false if a row that had to come out as zeros does not: the symbols do not belong together
    func run() -> Bool {
        determinePivots(withInactive: false)
        holdSymbols()
        accumulateHDPC()
        for operation in elimination.octets.operations {
            let target = heldRow(Int(operation.target))
            if operation.source < 0 {
                raptorq_scale(target, operation.factor, length)
            } else {
                raptorq_add_multiple(target, heldRow(Int(operation.source)), operation.factor, length)
            }
        }
        for row in elimination.zeroRows
        where UnsafeBufferPointer(start: heldRow(Int(row)), count: length).contains(where: { $0 != 0 }) {
            return false
        }
        determineInactive()
        determinePivots(withInactive: true)
        return true
    }

    /// The symbol with this index; nil (zeros) for -1.
    @inline(__always)
    private func symbol(_ index: Int32) -> UnsafePointer<UInt8>? {
        index < 0 ? nil : received.base + Int(truncatingIfNeeded: index) * received.stride
    }

    @inline(__always)
    private func heldRow(_ index: Int) -> UnsafeMutablePointer<UInt8> { held.row(index) }

    @inline(__always)
    private func value(_ column: Int32) -> UnsafeMutablePointer<UInt8> {
        matrix.row(Int(truncatingIfNeeded: column))
    }

    private func determinePivots(withInactive: Bool) {
        let elimination = elimination
        let ldpc = elimination.parameters.ldpcSymbols
        elimination.symbols.withUnsafeBufferPointer { symbols in
            for pivot in 0..<elimination.peeling.pivotCount {
                let row = Int(truncatingIfNeeded: elimination.peeling.pivotRows[pivot])
                let start = Int(truncatingIfNeeded: elimination.rows.starts[row]) + 1
                let end = Int(
                    truncatingIfNeeded: withInactive
                        ? elimination.rows.starts[row + 1] : elimination.pivotColumnEnds[pivot])
                let first = row < ldpc ? nil : symbol(symbols[row - ldpc])
                raptorq_xor_rows(
                    value(elimination.peeling.pivotColumns[pivot]), first, matrix.base, matrix.stride,
                    elimination.rows.columns.base + start, end - start, received.length)
            }
        }
    }

    private func holdSymbols() {
        let height = elimination.parameters.hdpcSymbols
        for (index, row) in elimination.heldRows.enumerated() {
            let target = heldRow(height + index)
            add(elimination.heldColumns, row.columns, of: matrix, to: symbol(row.symbol), into: target)
            add(elimination.heldSources, row.sources, of: held, to: target, into: target)
        }
    }

    private func add(
        _ list: [Int32], _ range: Range<Int>, of rows: SymbolMatrix, to first: UnsafePointer<UInt8>?,
        into target: UnsafeMutablePointer<UInt8>
    ) {
        list.withUnsafeBufferPointer { list in
            let indices = UnsafeBufferPointer(rebasing: list[range])
            raptorq_xor_rows(
                target, first, rows.base, rows.stride, indices.baseAddress, indices.count, received.length)
        }
    }

    private func accumulateHDPC() {
        for row in 0..<elimination.parameters.hdpcSymbols { heldRow(row).update(repeating: 0, count: length) }
        let pivots = elimination.peeling.pivotOfColumn.base
        let ltSymbols = elimination.parameters.ltSymbols
        elimination.hdpc.accumulate(into: held.base, stride: held.stride, length: length) {
            accumulator, column, first, second in
            let isDetermined = column < ltSymbols && pivots[column] >= 0
            raptorq_hdpc_step(accumulator, isDetermined ? matrix.row(column) : nil, first, second, length)
        }
    }

    private func determineInactive() {
        let height = elimination.parameters.hdpcSymbols
        for (row, index) in elimination.octets.solution {
            value(elimination.inactiveColumns[elimination.freeColumns[index]]).update(
                from: heldRow(Int(row)), count: length)
        }
        var columns: [Int32] = []
        for lead in elimination.leaders.indices.reversed() where elimination.leaders[lead] >= 0 {
            let leader = Int(elimination.leaders[lead])
            columns.removeAll(keepingCapacity: true)
            for word in 0..<elimination.words {
                var remaining = elimination.heldBits[leader * elimination.words + word]
                while remaining != 0 {
                    let index = 64 * word + remaining.trailingZeroBitCount
                    if index != lead { columns.append(elimination.inactiveColumns[index]) }
                    remaining &= remaining - 1
                }
            }
            add(
                columns, 0..<columns.count, of: matrix, to: heldRow(height + leader),
                into: value(elimination.inactiveColumns[lead]))
        }
    }
}
