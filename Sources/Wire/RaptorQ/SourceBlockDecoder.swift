/// Collects the symbols of one source block and recovers it, in each repair numbering that is still possible.
struct SourceBlockDecoder: Sendable {
    /// How far one numbering has come.
    enum Attempt: @unchecked Sendable {
        /// Fewer symbols than K.
        case collecting
        /// K symbols or more did not determine the block. The elimination is changed only while nobody else
        /// refers to it.
        case eliminating(Elimination)
        case solved(IntermediateSymbols)
        /// The symbols cannot have been numbered like this.
        case excluded
    }

    /// Symbols for which room is made beyond K: most blocks are solved by then.
    private static let spareSymbols = 2
    /// Symbols beyond K after which a block that is not solved is refused. A symbol that a camera reads
    /// solves an unsolved block in 99 of 100 cases; symbols that are chosen to depend on each other never do,
    /// and each costs a row of the dense matrix.
    private static let maximumSpareSymbols = 64

    let number: Int
    let parameters: BlockParameters
    let symbolLength: Int

    /// Received symbols in order of arrival, one right behind the other.
    private var symbols: [UInt8] = []
    private(set) var identifiers: [UInt32] = []
    /// One bit for each source symbol that arrived.
    private var sourceArrived: [UInt64]
    private(set) var sourceCount = 0
    /// Whether symbol i has id i for all so far.
    private var isInOrder = true
    /// Index in order of arrival of each repair symbol.
    private var repairIndices: [UInt32: Int32] = [:]
    private(set) var attempts: [RepairNumbering: Attempt]

    init(number: Int, sourceSymbols: Int, symbolLength: Int, numberings: [RepairNumbering]) {
        self.number = number
        self.symbolLength = symbolLength
        parameters = BlockParameters(sourceSymbols: sourceSymbols)
        sourceArrived = [UInt64](repeating: 0, count: (sourceSymbols + 63) / 64)
        attempts = Dictionary(uniqueKeysWithValues: numberings.map { ($0, .collecting) })
    }

    var collected: Int { identifiers.count }
    var hasAllSource: Bool { sourceCount == parameters.sourceSymbols }
    /// All source symbols behind one another, if they arrived like that.
    var sourceInOrder: [UInt8]? { hasAllSource && isInOrder ? symbols : nil }
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

    /// Whether symbols beyond K agree with this numbering. A solved block has one equation that had to hold
    /// for each symbol beyond K, and source symbols alone are independent of one another: a repair symbol is
    /// part of every such equation.
    func isConfirmed(_ numbering: RepairNumbering) -> Bool {
        guard !isNumberingIrrelevant, collected > parameters.sourceSymbols, case .solved = attempts[numbering]
        else { return false }
        return true
    }

    mutating func exclude(_ numbering: RepairNumbering) { attempts[numbering] = .excluded }

    private func hasSource(_ identifier: UInt32) -> Bool {
        sourceArrived[Int(identifier / 64)] >> UInt64(identifier % 64) & 1 != 0
    }

    private func index(of identifier: UInt32) -> Int? {
        guard identifier < UInt32(parameters.sourceSymbols) else {
            return repairIndices[identifier].map { Int($0) }
        }
        return hasSource(identifier) ? identifiers.firstIndex(of: identifier) : nil
    }

    private func receivedSymbol(_ index: Int) -> ArraySlice<UInt8> {
        symbols[(index * symbolLength)..<((index + 1) * symbolLength)]
    }

    /// What a symbol brought about.
    enum Outcome {
        /// It was here before, or nothing is missing.
        case nothing
        /// It was put with the others, which are too few.
        case stored
        /// A numbering was ruled out, or the block may be recovered.
        case advanced
    }

    /// Takes a symbol of `symbolLength` bytes.
    mutating func add(_ identifier: UInt32, _ symbol: ArraySlice<UInt8>) throws(RaptorQError) -> Outcome {
        if let index = index(of: identifier) {
            guard receivedSymbol(index).elementsEqual(symbol) else {
                throw .symbolConflict(block: number, id: Int(identifier))
            }
            return .nothing
        }
        var outcome = Outcome.stored
        if identifier >= UInt32(parameters.sourceSymbols) && identifier < UInt32(parameters.extendedSymbols) {
            try excludeNumberings(without: identifier)
            outcome = .advanced
        }
        if !hasAllSource { store(identifier, symbol) }
        if collected < parameters.sourceSymbols { return outcome }
        guard advance(identifier, symbol) else { throw .unsolvable(block: number) }
        guard !possibleNumberings.isEmpty else { throw .symbolsInconsistent(block: number) }
        return .advanced
    }

    private mutating func excludeNumberings(without identifier: UInt32) throws(RaptorQError) {
        let possible = possibleNumberings
        let excluded = possible.filter { parameters.internalSymbolID(of: identifier, numbering: $0) == nil }
        guard excluded.count < possible.count else {
            throw .encodingSymbolImpossible(block: number, id: Int(identifier))
        }
        for numbering in excluded { exclude(numbering) }
    }

    private mutating func store(_ identifier: UInt32, _ symbol: ArraySlice<UInt8>) {
        // Room for the whole block is made in one step, but not before an eighth of it arrived: memory stays
        // bounded by the packets.
        if symbols.capacity - symbols.count < symbolLength {
            let whole = parameters.sourceSymbols + Self.spareSymbols
            let count =
                8 * identifiers.count >= whole && identifiers.count < whole
                ? whole : 2 * identifiers.count + 1
            symbols.reserveCapacity(count * symbolLength)
        }
        if identifier < UInt32(parameters.sourceSymbols) {
            sourceArrived[Int(identifier / 64)] |= 1 << UInt64(identifier % 64)
            sourceCount += 1
        } else {
            repairIndices[identifier] = Int32(identifiers.count)
        }
        if Int(identifier) != identifiers.count { isInOrder = false }
        identifiers.append(identifier)
        symbols.append(contentsOf: symbol)
    }

    /// Advances every possible numbering as far as the symbols allow; `identifier` is the newest of them.
    /// With all source symbols there is nothing left to solve, but earlier solutions must agree with them.
    /// - Returns: false if solving the block would take more work than any block that a camera reads. That
    ///   says nothing about the numbering: whoever chose the ids may have chosen them for one of the two, so
    ///   it proves neither.
    private mutating func advance(_ identifier: UInt32, _ symbol: ArraySlice<UInt8>) -> Bool {
        for numbering in possibleNumberings {
            guard let internalID = parameters.internalSymbolID(of: identifier, numbering: numbering) else {
                continue
            }
            switch attempts[numbering] {
            case .solved(let intermediate):
                if !intermediate.confirm(internalID, symbol: symbol) { attempts[numbering] = .excluded }
            case _ where hasAllSource:
                break
            case .collecting:
                attempts[numbering] = .excluded
                guard let elimination = startElimination(numbering) else { return false }
                attempts[numbering] = conclude(elimination)
            case .eliminating(var elimination):
                guard collected <= parameters.sourceSymbols + Self.maximumSpareSymbols else { return false }
                attempts[numbering] = .excluded
                if isKnownUniquelyReferenced(&elimination) {
                    elimination.add(identifier: internalID, symbol: Int32(identifiers.count - 1))
                    attempts[numbering] = conclude(elimination)
                } else {
                    guard let elimination = startElimination(numbering) else { return false }
                    attempts[numbering] = conclude(elimination)
                }
            case .excluded, nil:
                break
            }
        }
        return true
    }

    private func startElimination(_ numbering: RepairNumbering) -> Elimination? {
        var internalIDs = identifiers.compactMap { parameters.internalSymbolID(of: $0, numbering: numbering) }
        var indices = identifiers.indices.map { Int32($0) }
        for padding in parameters.sourceSymbols..<parameters.extendedSymbols {
            internalIDs.append(UInt32(padding))
            indices.append(-1)
        }
        return Elimination.run(parameters, identifiers: internalIDs, symbols: indices)
    }

    private func conclude(_ elimination: Elimination) -> Attempt {
        guard elimination.isComplete else { return .eliminating(elimination) }
        let solution = symbols.withUnsafeBufferPointer { symbols in
            symbols.baseAddress.flatMap {
                elimination.solve(ReceivedSymbols(base: $0, length: symbolLength, stride: symbolLength))
            }
        }
        return solution.map { .solved($0) } ?? .excluded
    }

    /// Hands out every source symbol of a recovered block with its number, in no particular order.
    func forEachSourceSymbol(_ numbering: RepairNumbering, _ body: (Int, UnsafeBufferPointer<UInt8>) -> Void)
    {
        symbols.withUnsafeBufferPointer { symbols in
            for (index, identifier) in identifiers.enumerated()
            where identifier < UInt32(parameters.sourceSymbols) {
                body(
                    Int(identifier),
                    UnsafeBufferPointer(
                        rebasing: symbols[(index * symbolLength)..<((index + 1) * symbolLength)]))
            }
        }
        guard case .solved(let intermediate) = attempts[numbering], !hasAllSource else { return }
        let scratch = FixedArray<UInt8>(repeating: 0, count: intermediate.matrix.stride)
        for source in 0..<parameters.sourceSymbols where !hasSource(UInt32(source)) {
            intermediate.writeSymbol(UInt32(source), to: scratch.base)
            body(source, UnsafeBufferPointer(start: scratch.base, count: symbolLength))
        }
    }
}
