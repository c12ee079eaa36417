import SubstratePrimitives

/// The values that nearly every chain signs after the call, in the order of the SDK's own extensions: spec
/// version and transaction version (u32 each, little-endian), genesis hash, block hash. It is only good for
/// saying which metadata is missing, never for reading a transaction.
enum UsualTail {
    /// The spec version before the last genesis hash of a body whose layout is not known; nil if it is
    /// missing or not a likely number. An immortal transaction has the genesis hash twice in a row.
    static func version(body: [UInt8], genesis: GenesisHash) -> UInt32? {
        let hash = genesis.bytes
        func isGenesis(at start: Int) -> Bool {
            start >= 0 && body[start..<(start + hash.count)].elementsEqual(hash)
        }
        guard body.count >= hash.count + 8 else { return nil }
        guard var start = (8...(body.count - hash.count)).last(where: isGenesis) else { return nil }
        if isGenesis(at: start - hash.count) { start -= hash.count }
        guard start >= 8 else { return nil }
        let version = number(body[(start - 8)..<(start - 4)])
        let isLikely = version > 0 && version < 1 << 30 && number(body[(start - 4)..<start]) < 1 << 16
        return isLikely ? version : nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
