/// Collects the symbols of one source block and recovers it, in each repair numbering that is still possible.
struct SourceBlockDecoder: Sendable {
    /// How far one numbering has come.
    enum Attempt: @unchecked Sendable {
        /// Fewer symbols than K.
        case collecting
        /// K symbols or more did not determine the block. The elimination is changed only while nobody else refers to it.
        case eliminating(Elimination)
        case solved(IntermediateSymbols)
        /// The symbols cannot have been numbered like this.
        case excluded
    }

    let number: Int
    let parameters: BlockParameters
    let symbolLength: Int
    let stride: Int

    /// Received symbols in order of arrival, `stride` bytes apart.
    private var symbols: [UInt8] = []
    private(set) var identifiers: [UInt32] = []
    /// One bit for each source symbol that arrived.
    private var sourceArrived: [UInt64]
    private(set) var sourceCount = 0
    /// Index in order of arrival of each repair symbol.
    private var repairIndices: [UInt32: Int32] = [:]
    private(set) var attempts: [RepairNumbering: Attempt]

    init(number: Int, sourceSymbols: Int, symbolLength: Int, numberings: [RepairNumbering]) {
        self.number = number
        self.symbolLength = symbolLength
        parameters = BlockParameters(sourceSymbols: sourceSymbols)
        stride = SymbolMatrix.stride(symbolLength: symbolLength)
        sourceArrived = [UInt64](repeating: 0, count: (sourceSymbols + 63) / 64)
        attempts = Dictionary(uniqueKeysWithValues: numberings.map { ($0, .collecting) })
    }

    var collected: Int { identifiers.count }
    var hasAllSource: Bool { sourceCount == parameters.sourceSymbols }
    /// Whether the numbering of repair symbols makes no difference.
    var isNumberingIrrelevant: Bool { parameters.hasNoPaddingSymbols }

    var possibleNumberings: [RepairNumbering] {
        RepairNumbering.allCases.filter {
            switch attempts[$0] {
            case nil, .excluded: false
            default: true
            }
        }
    }

    /// Whether the block is recovered if repair symbols are numbered like this.
    func isRecovered(_ numbering: RepairNumbering) -> Bool {
        if hasAllSource { return true }
        if case .solved = attempts[numbering] { return true }
        return false
    }

    mutating func exclude(_ numbering: RepairNumbering) { attempts[numbering] = .excluded }

    private func hasSource(_ identifier: UInt32) -> Bool {
        sourceArrived[Int(identifier / 64)] >> UInt64(identifier % 64) & 1 != 0
    }

    private func index(of identifier: UInt32) -> Int? {
        guard identifier < UInt32(parameters.sourceSymbols) else { return repairIndices[identifier].map { Int($0) } }
        return hasSource(identifier) ? identifiers.firstIndex(of: identifier) : nil
    }

    private func receivedSymbol(_ index: Int) -> ArraySlice<UInt8> { symbols[(index * stride)..<(index * stride + symbolLength)] }

    /// Takes a symbol of `symbolLength` bytes.
    /// - Returns: false if nothing changed: the symbol was here before
    mutating func add(_ identifier: UInt32, _ symbol: ArraySlice<UInt8>) throws(RaptorQError) -> Bool {
        if let index = index(of: identifier) {
            guard receivedSymbol(index).elementsEqual(symbol) else { throw .symbolConflict(block: number, id: Int(identifier)) }
            return false
        }
        for numbering in possibleNumberings where parameters.internalSymbolID(of: identifier, numbering: numbering) == nil {
            guard possibleNumberings.count > 1 else { throw .encodingSymbolImpossible(block: number, id: Int(identifier)) }
            exclude(numbering)
        }
        if !hasAllSource { store(identifier, symbol) }
        if collected >= parameters.sourceSymbols { advance(identifier, symbol) }
        guard !possibleNumberings.isEmpty else { throw .symbolsInconsistent(block: number) }
        return true
    }

    private mutating func store(_ identifier: UInt32, _ symbol: ArraySlice<UInt8>) {
        if identifier < UInt32(parameters.sourceSymbols) {
            sourceArrived[Int(identifier / 64)] |= 1 << UInt64(identifier % 64)
            sourceCount += 1
        } else {
            repairIndices[identifier] = Int32(identifiers.count)
        }
        identifiers.append(identifier)
        symbols += symbol
        symbols += repeatElement(0, count: stride - symbolLength)
    }

    /// Brings every possible numbering as far as the symbols allow; `identifier` is the newest of them. With all source symbols there
    /// is nothing left to solve, but what was solved before must agree with them.
    private mutating func advance(_ identifier: UInt32, _ symbol: ArraySlice<UInt8>) {
        for numbering in possibleNumberings {
            guard let internalID = parameters.internalSymbolID(of: identifier, numbering: numbering) else { continue }
            switch attempts[numbering] {
            case .solved(let intermediate):
                if !intermediate.confirm(internalID, symbol: symbol) { attempts[numbering] = .excluded }
            case _ where hasAllSource:
                break
            case .collecting:
                attempts[numbering] = .excluded
                attempts[numbering] = conclude(startElimination(numbering))
            case .eliminating(var elimination):
                attempts[numbering] = .excluded
                if isKnownUniquelyReferenced(&elimination) {
                    elimination.add(identifier: internalID, symbol: Int32(identifiers.count - 1))
                    attempts[numbering] = conclude(elimination)
                } else {
                    attempts[numbering] = conclude(startElimination(numbering))
                }
            case .excluded, nil:
                break
            }
        }
    }

    private func startElimination(_ numbering: RepairNumbering) -> Elimination {
        var internalIDs = identifiers.compactMap { parameters.internalSymbolID(of: $0, numbering: numbering) }
        var indices = identifiers.indices.map { Int32($0) }
        for padding in parameters.sourceSymbols..<parameters.extendedSymbols {
            internalIDs.append(UInt32(padding))
            indices.append(-1)
        }
        return Elimination(parameters, identifiers: internalIDs, symbols: indices)
    }

    private func conclude(_ elimination: Elimination) -> Attempt {
        guard elimination.isComplete else { return .eliminating(elimination) }
        let solution = symbols.withUnsafeBufferPointer { symbols in
            symbols.baseAddress.flatMap { elimination.solve(symbols: $0, stride: stride) }
        }
        return solution.map { .solved($0) } ?? .excluded
    }

    /// Hands out every source symbol of a recovered block with its number, in no particular order.
    func forEachSourceSymbol(_ numbering: RepairNumbering, _ body: (Int, UnsafeBufferPointer<UInt8>) -> Void) {
        symbols.withUnsafeBufferPointer { symbols in
            for (index, identifier) in identifiers.enumerated() where identifier < UInt32(parameters.sourceSymbols) {
                body(Int(identifier), UnsafeBufferPointer(rebasing: symbols[(index * stride)..<(index * stride + symbolLength)]))
            }
        }
        guard case .solved(let intermediate) = attempts[numbering], !hasAllSource else { return }
        let scratch = FixedArray<UInt8>(repeating: 0, count: stride)
        for source in 0..<parameters.sourceSymbols where !hasSource(UInt32(source)) {
            intermediate.writeSymbol(UInt32(source), to: scratch.base)
            body(source, UnsafeBufferPointer(start: scratch.base, count: symbolLength))
        }
    }
}
