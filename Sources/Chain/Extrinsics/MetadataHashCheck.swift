/// What the chain compares of the metadata that a transaction was read with (RFC-0078).
///
/// A chain that checks the hash puts its own in place of the one that was signed. A signature over another hash is void there, so whoever signs
/// under ``passed`` need not believe anybody about the metadata.
public enum MetadataHashCheck: Sendable, Equatable {
    /// The signed bytes end with `01` and a hash, and the hash was computed here from what the cards were read with.
    case passed
    /// The signed bytes end with `01` and a hash, but nothing says that it belongs to what the cards were read with: metadata of this version,
    /// while the digest is defined over version 15.
    case notCompared(version: UInt8)
    /// The runtime could check the hash, and the transaction turns that off.
    case disabled
    /// By the metadata, the runtime has no CheckMetadataHash.
    case unsupported
}
