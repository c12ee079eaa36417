import SubstratePrimitives

/// The values that nearly every chain signs after the call, in the order of the SDK's own extensions: spec version and transaction version (u32
/// each, little-endian), genesis hash, block hash. It is only good for saying which metadata is missing, never for reading a transaction.
enum UsualTail {
    /// The spec version before the last genesis hash of a body whose layout is not known; nil where there is none.
    static func version(body: [UInt8], genesis: GenesisHash) -> UInt32? {
        let hash = genesis.bytes
        guard body.count >= hash.count + 8 else { return nil }
        for start in stride(from: body.count - hash.count, through: 8, by: -1) where body[start..<(start + hash.count)].elementsEqual(hash)
        {
            let version = body[(start - 8)..<(start - 4)].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return version == 0 ? nil : version
        }
        return nil
    }
}
