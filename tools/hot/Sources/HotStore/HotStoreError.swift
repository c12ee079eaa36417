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
    /// What has the name of the database is a directory, a pipe, a socket or a device.
    case notAFile(path: String)
    /// A symbolic link, which could lead to a file of somebody else; with the directory of its target, or nil
    /// if there is no such directory.
    case behindLink(path: String, directory: String?)
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
    /// The same spec version and format with other bytes: the runtime changed under the same version, or a
    /// node lies.
    case silentChange(network: String, version: UInt32, known: MetadataOrigin, found: MetadataOrigin)
    /// A name stands for one chain, and this is another one.
    case otherGenesis(network: String, known: GenesisHash, found: GenesisHash)
    /// The network with this genesis hash and scheme has another name.
    case alreadyNamed(String)
    /// Decimals and unit never change for a genesis hash and scheme, name and prefix never for a genesis
    /// hash.
    case immutableField(network: String, field: String)
    /// Another key is kept for the same root key, path and scheme.
    case otherDerivedKey(path: String)
    /// No transaction has this number.
    case unknownTransaction(Int64)
    /// Another transaction was made in its place; the number of that one.
    case replacedTransaction(Int64, by: Int64)
    /// A final block has it, or it was replaced; its state in words.
    case transactionIsOver(Int64, state: String)
    /// It may still take effect; its state in words.
    case transactionIsOpen(Int64, state: String)
    /// It is for the same intent, has another nonce, and may still take effect.
    case otherNonce(Int64)
}

extension HotStoreError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .notAStore:
            .badInput(
                "not-a-store", "the file is not a hot database, or is from a newer version of this program")
        case .inputOutput(let number):
            .inputOutput(
                "input-output", "cannot create the database directory: \(Sentence.systemError(number))")
        case .sqlite(let error): .inputOutput("database", error.sentence)
        case .notAFile(let path):
            .inputOutput(
                "database-not-a-file", "the hot database is not opened: \(path) is not a regular file",
                hint: "move it away, or --database DIRECTORY")
        case .behindLink(let path, let directory):
            .inputOutput(
                "database-behind-link", "the hot database is not opened: \(path) is a symbolic link",
                hint: directory.map { "--database \($0)" } ?? "--database DIRECTORY, by a path without links")
        case .unreadable(let table):
            .badInput(
                "store-unreadable", "the hot database is damaged: a row of the table \(table) is unreadable")
        case .unknownNetwork(let name):
            .refused("unknown-network", "no network is named \(name)", hint: "heliograph-hot network list")
        case .ambiguousNetwork(let name, let choices):
            .usage(
                "ambiguous-network", "\(name) names several networks: \(choices.joined(separator: ", "))",
                hint: choices.first.map { "name one of them, e.g. \($0)" })
        case .unknownMetadata(let network, let version):
            .refused(
                "no-metadata-version", "metadata for \(network) \(version) is not in the hot database",
                hint: "heliograph-hot metadata list \(network)")
        case .noMetadata(let network):
            .refused(
                "no-metadata", "metadata for \(network) is not in the hot database",
                hint: "heliograph-hot fetch URL --name \(network)")
        case .otherFormats(let network, let version, let format):
            .refused(
                "no-metadata-format",
                "metadata V\(format) for \(network) \(version) is not in the hot database",
                hint: "heliograph-hot fetch URL --name \(network)")
        case .olderThanKept(let network, let version, let kept):
            .refused(
                "older-than-kept",
                "metadata for \(network) \(version) was not saved: "
                    + "\(Sentence.count(kept, "newer version")) \(kept == 1 ? "is" : "are") kept",
                hint: "--keep \(kept + 1)")
        case .silentChange(let network, let version, let known, let found):
            .refused(
                "same-version-other-bytes",
                """
                metadata for \(network) \(version) changed without a new version: its hash is \
                0x\(known.hash.hex) \(known.phrase), but 0x\(found.hash.hex) \(found.phrase)
                """)
        case .otherGenesis(let network, let known, let found):
            .refused(
                "genesis-mismatch",
                "this is another chain than \(network): its genesis "
                    + "hash is 0x\(found.hex), not 0x\(known.hex)")
        case .alreadyNamed(let name):
            .refused("duplicate-network", "this chain is already in the hot database, as \(name)")
        case .immutableField(let network, let field):
            .refused("immutable-field", "the \(field) of \(network) cannot change")
        case .otherDerivedKey(let path):
            .refused(
                "other-derived-key",
                "the hot database has another key for the path \(path.isEmpty ? "of the root key" : path) "
                    + "of this root key", hint: "--replace, if the offline side's key list shows the new key")
        case .unknownTransaction(let id):
            .refused(
                "unknown-transaction", "no transaction has the number \(id) here",
                hint: "heliograph-hot tx list")
        case .replacedTransaction(let id, let successor):
            .refused(
                "replaced-transaction",
                "transaction \(id) was replaced by \(successor), so it is not sent any more",
                hint: "heliograph-hot tx show \(successor)")
        case .transactionIsOver(let id, let state):
            .refused(
                "transaction-over", "transaction \(id) is \(state)",
                hint: "heliograph-hot tx show \(id)")
        case .transactionIsOpen(let id, let state):
            .refused(
                "transaction-open",
                "transaction \(id) is \(state) and may still take effect, so its record stays",
                hint: "heliograph-hot tx show \(id) --url stored")
        case .otherNonce(let id):
            .refused(
                "rival-nonce",
                "transaction \(id) has another nonce for the same intent and may still take effect: "
                    + "the chain would take both",
                hint: "heliograph-hot tx show \(id) --url stored --quorum 2")
        }
    }

    public static var examples: [HotStoreError] {
        let (one, other) = (Hash32.blake2b(of: [1]), Hash32.blake2b(of: [2]))
        return [
            .notAStore, .inputOutput(code: EACCES), .sqlite(SQLiteError(resultCode: 13)),
            .notAFile(path: "hot/hot.sqlite"), .behindLink(path: "hot", directory: "/srv/hot"),
            .behindLink(path: "hot/hot.sqlite", directory: nil),
            .unreadable(table: "metadata"),
            .unknownNetwork("polkadot"),
            .ambiguousNetwork("westend", choices: ["westend/ed25519", "westend/sr25519"]),
            .unknownMetadata(network: "polkadot", version: 2_003_000),
            .noMetadata(network: "polkadot"),
            .olderThanKept(network: "polkadot", version: 2_003_000, kept: 3),
            .otherFormats(network: "polkadot", version: 2_003_000, format: 15),
            .silentChange(
                network: "polkadot", version: 2_003_000, known: MetadataOrigin(hash: one, blockHash: other),
                found: MetadataOrigin(hash: other, blockHash: nil)),
            .otherGenesis(network: "polkadot", known: one, found: other), .alreadyNamed("polkadot"),
            .immutableField(network: "polkadot", field: "decimals"), .otherDerivedKey(path: "//polkadot//0"),
            .unknownTransaction(7), .replacedTransaction(3, by: 4), .transactionIsOver(3, state: "final"),
            .transactionIsOpen(3, state: "submitted"), .otherNonce(3),
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
    public var phrase: String { blockHash.map { "at block 0x\($0.hex)" } ?? "in a file" }
}
