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
    /// - Parameter symbols: what was received
    /// - Returns: nil if a redundant row contradicts the others: the symbols do not come from one payload
    func solve(_ symbols: ReceivedSymbols) -> IntermediateSymbols? {
        precondition(isComplete, "the matrix is not complete")
        let substitution = Substitution(self, received: symbols)
        guard substitution.run() else { return nil }
        return IntermediateSymbols(parameters: parameters, matrix: substitution.matrix)
    }
}
