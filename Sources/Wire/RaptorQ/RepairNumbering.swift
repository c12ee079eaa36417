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
