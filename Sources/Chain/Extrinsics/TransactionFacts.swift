import SubstratePrimitives

/// What the extensions of a transaction say; nil for what its runtime has no extension for.
public struct TransactionFacts: Sendable, Equatable {
    public internal(set) var specVersion: UInt32?
    public internal(set) var txVersion: UInt32?
    public internal(set) var genesisHash: GenesisHash?
    public internal(set) var era: Era?
    public internal(set) var blockHash: Hash32?
    public internal(set) var nonce: UInt128?
    /// In the smallest unit of the native token.
    public internal(set) var tip: UInt128?
    /// Whether the transaction commits to the hash of the metadata; nil where the runtime cannot check it.
    public internal(set) var metadataHashEnabled: Bool?
    public internal(set) var metadataHash: Hash32?
}

/// An unknown extension and the bytes that a transaction carries for it.
public struct UnknownExtension: Sendable, Equatable {
    public let identifier: String
    /// Explicit part, then implicit part; not both are empty.
    public let bytes: [UInt8]

    public static func == (one: UnknownExtension, other: UnknownExtension) -> Bool {
        one.identifier.utf8Equals(other.identifier) && one.bytes == other.bytes
    }
}
