import SQLite
import SubstratePrimitives

/// Why the hot database did not do what was asked. Nothing was changed when one is thrown.
public enum HotStoreError: Error, Equatable {
    /// The file is not a hot database, or of a layout that this program does not know.
    case notAStore
    /// The folder cannot be made or written; `errno`.
    case inputOutput(code: Int32)
    case sqlite(SQLiteError)
    /// A row cannot be read as what its column holds.
    case unreadable(table: String)
    case unknownNetwork(String)
    case unknownMetadata(network: String, version: UInt32)
    /// Nothing of the format (14, 15, 16) or, with nil, nothing at all.
    case noMetadata(network: String, format: UInt8?)
    /// The same spec version and format with other bytes: a runtime changed without saying so, or a node lies.
    case silentChange(network: String, version: UInt32, known: MetadataOrigin, found: MetadataOrigin)
    /// A name stands for one chain: the genesis hash of the network known by this name is another.
    case otherGenesis(network: String, known: GenesisHash, found: GenesisHash)
    /// Another network has this genesis hash and scheme already.
    case alreadyNamed(String)
    /// Decimals and unit never change for a genesis hash and scheme, name and prefix never for a genesis hash.
    case immutableField(network: String, field: String)
}

/// Bytes of metadata and where they were found.
public struct MetadataOrigin: Equatable, Sendable {
    /// BLAKE2b-256 of the blob.
    public let hash: Hash32
    /// nil when the metadata came from a file.
    public let blockHash: Hash32?

    public init(hash: Hash32, blockHash: Hash32?) {
        self.hash = hash
        self.blockHash = blockHash
    }
}
