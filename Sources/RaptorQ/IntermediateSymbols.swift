import CRaptorQOctets

/// The L intermediate symbols of a block; every encoding symbol is a sum of a few of them.
struct IntermediateSymbols: Sendable {
    let parameters: BlockParameters
    /// L rows.
    let matrix: SymbolMatrix

    /// Enc[K′, C, X]. RFC 6330, section 5.3.5.3.
    /// - Parameter target: room for one row of the matrix, padding included
    func writeSymbol(_ identifier: UInt32, to target: UnsafeMutablePointer<UInt8>) {
        parameters.columns(ofSymbol: identifier).withUnsafeBufferPointer { columns in
            matrix.add(rows: columns, to: nil, into: target)
        }
    }

    /// Whether a symbol is the one that belongs to an internal symbol id.
    func confirm(_ identifier: UInt32, symbol: ArraySlice<UInt8>) -> Bool {
        let computed = FixedArray<UInt8>(repeating: 0, count: matrix.stride)
        writeSymbol(identifier, to: computed.base)
        return symbol.elementsEqual(UnsafeBufferPointer(start: computed.base, count: symbol.count))
    }
}

extension SymbolMatrix {
    /// target = first + the sum of rows; nil stands for zeros.
    @inline(__always)
    func add(rows: UnsafeBufferPointer<Int32>, to first: UnsafePointer<UInt8>?, into target: UnsafeMutablePointer<UInt8>) {
        raptorq_xor_rows(target, first, base, stride, rows.baseAddress, rows.count, stride)
    }

    func isZero(row index: Int) -> Bool {
        UnsafeBufferPointer(start: row(index), count: stride).allSatisfy { $0 == 0 }
    }
}

extension Elimination {
    /// Repeats a complete elimination on the symbols.
    ///
    /// 1. In the order of the pivots, each pivot's row without its inactive columns (the symbol part of the first phase).
    /// 2. The held rows, the HDPC rows, and from them the inactive columns, the last one first (second phase).
    /// 3. In the order of the pivots again, from the original sparse row: by then all its other columns are known. That is what the
    ///    third to fifth phase are for, which trade the dense upper part for sparse rows.
    ///
    /// - Parameters:
    ///   - symbols: the received symbols, `stride` bytes apart, padded with zeros to it
    ///   - stride: a multiple of ``SymbolMatrix/alignment``
    /// - Returns: nil if a row that had to hold does not: the symbols do not belong together
    func solve(symbols base: UnsafePointer<UInt8>, stride: Int) -> IntermediateSymbols? {
        precondition(isComplete, "the matrix is not complete")
        let matrix = SymbolMatrix(rowCount: parameters.intermediateSymbols, stride: stride)
        determinePivots(in: matrix, symbols: base, withInactive: false)
        let held = holdSymbols(of: matrix, symbols: base)
        accumulateHDPC(of: matrix, into: held)
        for operation in octets.operations {
            let target = held.row(Int(operation.target))
            if operation.source < 0 {
                raptorq_scale(target, operation.factor, stride)
            } else {
                raptorq_add_multiple(target, held.row(Int(operation.source)), operation.factor, stride)
            }
        }
        guard zeroRows.allSatisfy({ held.isZero(row: Int($0)) }) else { return nil }
        determineInactive(in: matrix, held: held)
        determinePivots(in: matrix, symbols: base, withInactive: true)
        return IntermediateSymbols(parameters: parameters, matrix: matrix)
    }

    @inline(__always)
    private func symbol(_ index: Int32, in base: UnsafePointer<UInt8>, stride: Int) -> UnsafePointer<UInt8>? {
        index < 0 ? nil : base + Int(truncatingIfNeeded: index) * stride
    }

    private func determinePivots(in matrix: SymbolMatrix, symbols base: UnsafePointer<UInt8>, withInactive: Bool) {
        let ldpc = parameters.ldpcSymbols
        symbols.withUnsafeBufferPointer { symbols in
            for pivot in 0..<peeling.pivotCount {
                let row = Int(truncatingIfNeeded: peeling.pivotRows[pivot])
                let start = Int(truncatingIfNeeded: rows.starts[row]) + 1
                let end = Int(truncatingIfNeeded: withInactive ? rows.starts[row + 1] : pivotColumnEnds[pivot])
                let first = row < ldpc ? nil : symbol(symbols[row - ldpc], in: base, stride: matrix.stride)
                let columns = UnsafeBufferPointer(start: rows.columns.base + start, count: end - start)
                matrix.add(rows: columns, to: first, into: matrix.row(Int(truncatingIfNeeded: peeling.pivotColumns[pivot])))
            }
        }
    }

    /// H rows of zeros for the HDPC rows, then the held rows.
    private func holdSymbols(of matrix: SymbolMatrix, symbols base: UnsafePointer<UInt8>) -> SymbolMatrix {
        let held = SymbolMatrix(rowCount: parameters.hdpcSymbols + heldRows.count, stride: matrix.stride)
        heldColumns.withUnsafeBufferPointer { columns in
            heldSources.withUnsafeBufferPointer { sources in
                for (index, row) in heldRows.enumerated() {
                    let target = held.row(parameters.hdpcSymbols + index)
                    let first = symbol(row.symbol, in: base, stride: matrix.stride)
                    matrix.add(rows: UnsafeBufferPointer(rebasing: columns[row.columns]), to: first, into: target)
                    held.add(rows: UnsafeBufferPointer(rebasing: sources[row.sources]), to: target, into: target)
                }
            }
        }
        return held
    }

    private func accumulateHDPC(of matrix: SymbolMatrix, into held: SymbolMatrix) {
        let stride = matrix.stride
        hdpc.accumulate(into: held.base, stride: stride, length: stride) { accumulator, column, first, second in
            let isDetermined = column < parameters.ltSymbols && peeling.pivotOfColumn[column] >= 0
            raptorq_hdpc_step(accumulator, isDetermined ? matrix.row(column) : nil, first, second, stride)
        }
    }

    private func determineInactive(in matrix: SymbolMatrix, held: SymbolMatrix) {
        for (row, place) in octets.solution {
            matrix.row(Int(inactiveColumns[freeColumns[place]])).update(from: held.row(Int(row)), count: matrix.stride)
        }
        var columns: [Int32] = []
        for lead in leaders.indices.reversed() where leaders[lead] >= 0 {
            let leader = Int(leaders[lead])
            columns.removeAll(keepingCapacity: true)
            for word in 0..<words {
                var remaining = heldBits[leader * words + word]
                while remaining != 0 {
                    let index = 64 * word + remaining.trailingZeroBitCount
                    if index != lead { columns.append(inactiveColumns[index]) }
                    remaining &= remaining - 1
                }
            }
            let target = matrix.row(Int(inactiveColumns[lead]))
            columns.withUnsafeBufferPointer { matrix.add(rows: $0, to: held.row(parameters.hdpcSymbols + leader), into: target) }
        }
    }
}
