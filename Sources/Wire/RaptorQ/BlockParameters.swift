/// The numbers that follow from the count of source symbols in a block.
///
/// Source: RFC 6330, sections 5.3.1 and 5.3.3.3; the comments give the letters of the RFC.
struct BlockParameters: Equatable, Sendable {
    /// K_max: the maximum number of source symbols of a block.
    static let maximumSourceSymbols = 56403

    /// K
    let sourceSymbols: Int
    /// K′: K rounded up to a row of table 2; the symbols from K are zeros that are never sent.
    let extendedSymbols: Int
    /// J(K′)
    let systematicIndex: Int
    /// S
    let ldpcSymbols: Int
    /// H
    let hdpcSymbols: Int
    /// W: LT symbols, the columns that the first phase may peel
    let ltSymbols: Int
    /// P1: the smallest prime from P up
    let piPrime: Int

    /// Whether K = K′, so that all numberings of repair symbols agree.
    var hasNoPaddingSymbols: Bool { sourceSymbols == extendedSymbols }
    /// L
    var intermediateSymbols: Int { extendedSymbols + ldpcSymbols + hdpcSymbols }
    /// P: permanently inactivated symbols
    var piSymbols: Int { intermediateSymbols - ltSymbols }

    /// The most columns that the first phase may set aside. Each is a row and a column of a dense matrix, so
    /// the second phase takes time with their cube and memory with their number times that of the pivots.
    ///
    /// A sender chooses the ids of his symbols, and can choose them so that hardly any column is determined
    /// by peeling: among 2^24 ids there are enough of a high degree. Ids that a camera happens to read set
    /// aside a third of this at most (`ChosenSymbolLaws`), so only chosen ones are refused.
    var maximumInactive: Int { 64 + 4 * piSymbols }

    /// - Parameter sourceSymbols: 1…``maximumSourceSymbols``
    init(sourceSymbols: Int) {
        precondition(
            sourceSymbols >= 1 && sourceSymbols <= Self.maximumSourceSymbols,
            "no block has this many source symbols")
        let row = Self.firstRow { $0 >= sourceSymbols } * SystematicIndexTable.rowLength
        let numbers = SystematicIndexTable.numbers[row..<(row + SystematicIndexTable.rowLength)].map {
            Int($0)
        }
        self.sourceSymbols = sourceSymbols
        extendedSymbols = numbers[0]
        systematicIndex = numbers[1]
        ldpcSymbols = numbers[2]
        hdpcSymbols = numbers[3]
        ltSymbols = numbers[4]
        var prime = numbers[0] + numbers[2] + numbers[3] - numbers[4]
        while !Self.isPrime(prime) { prime += 1 }
        piPrime = prime
    }

    /// The number of rows in table 2.
    static var rowCount: Int { SystematicIndexTable.numbers.count / SystematicIndexTable.rowLength }

    /// K′ of a row of table 2.
    static func extendedSymbols(row: Int) -> Int {
        Int(SystematicIndexTable.numbers[row * SystematicIndexTable.rowLength])
    }

    /// The first row whose K′ satisfies a condition that holds from some K′ on; ``rowCount`` if none does.
    static func firstRow(where holds: (Int) -> Bool) -> Int {
        var low = 0
        var high = rowCount
        while low < high {
            let middle = (low + high) / 2
            if holds(extendedSymbols(row: middle)) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private static func isPrime(_ number: Int) -> Bool {
        var divisor = 2
        while divisor * divisor <= number {
            if number % divisor == 0 { return false }
            divisor += 1
        }
        return number > 1
    }
}

/// How a sender numbers repair symbols. Source symbols are 0 ..< K in both; where K = K′ both are the same.
public enum RepairNumbering: Hashable, Sendable, CaseIterable {
    /// Repair symbols start at K; a symbol's internal id is its id plus K′ − K. RFC 6330, section 5.3.1;
    /// raptorq 2.x.
    case rfc6330
    /// Repair symbols start at K′ and the id is the internal id. raptorq 1.x, and every update published so
    /// far.
    case kPrime
}

extension BlockParameters {
    /// The internal symbol id of an encoding symbol id, or nil if no symbol has this id in this numbering.
    func internalSymbolID(of id: UInt32, numbering: RepairNumbering) -> UInt32? {
        if id < UInt32(sourceSymbols) { return id }
        switch numbering {
        case .rfc6330: return id + UInt32(extendedSymbols - sourceSymbols)
        case .kPrime: return id < UInt32(extendedSymbols) ? nil : id
        }
    }

    /// The encoding symbol id of repair symbol `index`, counted from 0.
    func repairSymbolID(_ index: Int, numbering: RepairNumbering) -> Int {
        switch numbering {
        case .rfc6330: sourceSymbols + index
        case .kPrime: extendedSymbols + index
        }
    }
}
