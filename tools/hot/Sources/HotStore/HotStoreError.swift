import Diagnostics
import Glibc
import SQLite
import SubstratePrimitives

/// Why an operation on the hot database failed. Nothing was changed.
public enum HotStoreError: Error, Equatable {
    /// The file is not a hot database, or has an unknown layout.
    case notAStore
    /// The directory cannot be created or written; `errno`.
    case inputOutput(code: Int32)
    case sqlite(SQLiteError)
    /// A row does not hold what its columns need.
    case unreadable(table: String)
    case unknownNetwork(String)
    /// Several networks have this name; the names that tell them apart.
    case ambiguousNetwork(String, choices: [String])
    case unknownMetadata(network: String, version: UInt32)
    case noMetadata(network: String)
    /// This version of the runtime is stored in other formats only.
    case otherFormats(network: String, version: UInt32, format: UInt8)
    /// As many newer versions of the network are kept, so this one would go at once.
    case olderThanKept(network: String, version: UInt32, kept: Int)
    /// The same spec version and format with other bytes: the runtime changed under the same version, or a node lies.
    case silentChange(network: String, version: UInt32, known: MetadataOrigin, found: MetadataOrigin)
    /// A name stands for one chain, and this is another one.
    case otherGenesis(network: String, known: GenesisHash, found: GenesisHash)
    /// The network with this genesis hash and scheme has another name.
    case alreadyNamed(String)
    /// Decimals and unit never change for a genesis hash and scheme, name and prefix never for a genesis hash.
    case immutableField(network: String, field: String)
    /// Another key is kept for the same root key, path and scheme.
    case otherDerivedKey(path: String)
}

extension HotStoreError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case notAStore = "not-a-store"
        case inputOutput = "input-output"
        case database
        case unreadable = "store-unreadable"
        case unknownNetwork = "unknown-network"
        case ambiguousNetwork = "ambiguous-network"
        case noMetadataVersion = "no-metadata-version"
        case noMetadata = "no-metadata"
        case noMetadataFormat = "no-metadata-format"
        case olderThanKept = "older-than-kept"
        case sameVersionOtherBytes = "same-version-other-bytes"
        case genesisMismatch = "genesis-mismatch"
        case duplicateNetwork = "duplicate-network"
        case immutableField = "immutable-field"
        case otherDerivedKey = "other-derived-key"
    }

    public var code: Code {
        switch self {
        case .notAStore: .notAStore
        case .inputOutput: .inputOutput
        case .sqlite: .database
        case .unreadable: .unreadable
        case .unknownNetwork: .unknownNetwork
        case .ambiguousNetwork: .ambiguousNetwork
        case .unknownMetadata: .noMetadataVersion
        case .noMetadata: .noMetadata
        case .otherFormats: .noMetadataFormat
        case .olderThanKept: .olderThanKept
        case .silentChange: .sameVersionOtherBytes
        case .otherGenesis: .genesisMismatch
        case .alreadyNamed: .duplicateNetwork
        case .immutableField: .immutableField
        case .otherDerivedKey: .otherDerivedKey
        }
    }

    public var sentence: String {
        switch self {
        case .notAStore: "the file is not a hot database, or is from a newer version of this program"
        case .inputOutput(let number): "cannot create the database directory: \(Sentence.systemError(number))"
        case .sqlite(let error): error.sentence
        case .unreadable(let table): "the hot database is damaged: a row of the table \(table) is unreadable"
        case .unknownNetwork(let name): "no network is named \(name)"
        case .ambiguousNetwork(let name, let choices): "\(name) names several networks: \(choices.joined(separator: ", "))"
        case .unknownMetadata(let network, let version): "metadata for \(network) \(version) is not in the hot database"
        case .noMetadata(let network): "metadata for \(network) is not in the hot database"
        case .otherFormats(let network, let version, let format):
            "metadata V\(format) for \(network) \(version) is not in the hot database"
        case .olderThanKept(let network, let version, let kept):
            "metadata for \(network) \(version) was not saved: \(Sentence.count(kept, "newer version")) \(kept == 1 ? "is" : "are") kept"
        case .silentChange(let network, let version, let known, let found):
            "metadata for \(network) \(version) changed without a new version: its hash is 0x\(known.hash.hex) \(known.phrase), "
                + "but 0x\(found.hash.hex) \(found.phrase)"
        case .otherGenesis(let network, let known, let found):
            "this is another chain than \(network): its genesis hash is 0x\(found.hex), not 0x\(known.hex)"
        case .alreadyNamed(let name): "this chain is already in the hot database, as \(name)"
        case .immutableField(let network, let field): "the \(field) of \(network) cannot change"
        case .otherDerivedKey(let path):
            "the hot database has another key for the path \(path.isEmpty ? "of the root key" : path) of this root key"
        }
    }

    public static var examples: [HotStoreError] {
        let (one, other) = (Hash32.blake2b(of: [1]), Hash32.blake2b(of: [2]))
        return [
            .notAStore, .inputOutput(code: EACCES), .sqlite(SQLiteError(resultCode: 13)), .unreadable(table: "metadata"),
            .unknownNetwork("polkadot"), .ambiguousNetwork("westend", choices: ["westend/ed25519", "westend/sr25519"]),
            .unknownMetadata(network: "polkadot", version: 2_003_000),
            .noMetadata(network: "polkadot"), .olderThanKept(network: "polkadot", version: 2_003_000, kept: 3),
            .otherFormats(network: "polkadot", version: 2_003_000, format: 15),
            .silentChange(
                network: "polkadot", version: 2_003_000, known: MetadataOrigin(hash: one, blockHash: other),
                found: MetadataOrigin(hash: other, blockHash: nil)),
            .otherGenesis(network: "polkadot", known: one, found: other), .alreadyNamed("polkadot"),
            .immutableField(network: "polkadot", field: "decimals"), .otherDerivedKey(path: "//polkadot//0"),
        ]
    }
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

    /// `at block 0x…`, or `in a file`.
    var phrase: String { blockHash.map { "at block 0x\($0.hex)" } ?? "in a file" }
}
