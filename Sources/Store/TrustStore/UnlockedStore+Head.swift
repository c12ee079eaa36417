import SubstratePrimitives

extension UnlockedStore {
    /// How a head of the log that a person kept relates to the log as it is now.
    public enum HeadStanding: Sendable, Equatable {
        /// It is an entry of this log; the number of later entries.
        case held(number: UInt64, later: UInt64)
        /// The log has another entry with its number, or, where no number is known, no entry with this hash.
        case differs
        /// The log ends before it: the log is older than the head.
        case ahead(last: UInt64)
        /// The log was cleared after it, so they cannot be compared.
        case cleared(first: UInt64)
    }

    /// Compares an exported head with the log, under the seal. This finds what a seal cannot: a store and its mark that
    /// were both replaced by an older state.
    /// - `number`: nil where only the hash was kept.
    public func standing(ofHead hash: Hash32, number: UInt64?) throws(StoreError) -> HeadStanding {
        let ends = try trust().state.log
        guard let number else {
            var found = ends.before == hash ? ends.first - 1 : nil
            try readLog { if $0.hash == hash { found = $0.number } }
            return found.map { .held(number: $0, later: ends.last - $0) } ?? .differs
        }
        guard number <= ends.last else { return .ahead(last: ends.last) }
        guard number + 1 >= ends.first else { return .cleared(first: ends.first) }
        let held = number + 1 == ends.first ? ends.before : try log(from: number, limit: 1).first?.hash
        return held == hash ? .held(number: number, later: ends.last - number) : .differs
    }
}
