import Hashing
import SubstratePrimitives
import UOS

/// The storage entry that a kind of item reads, and what its key is made of.
public struct StateEntry: Equatable, Sendable {
    /// A part of a storage key.
    public enum KeyPart: Equatable, Sendable {
        case account
        case asset
        /// The encoding of a location, whose type changes with the version of XCM.
        case location
        case callHash
        case para
    }

    /// How a part of a key is hashed.
    public enum Hasher: Equatable, Sendable {
        /// BLAKE2b-128 ‖ the part.
        case blake2b128Concat
        /// XXH64 with seed 0 ‖ the part.
        case twox64Concat

        func key(_ part: [UInt8]) -> [UInt8] {
            switch self {
            case .blake2b128Concat: BLAKE2b.hash(part, length: 16) + part
            case .twox64Concat: Twox.hash64(part) + part
            }
        }
    }

    public let pallet: ExactText
    public let entry: ExactText
    public let parts: [(hasher: Hasher, part: KeyPart)]

    public static func == (one: StateEntry, other: StateEntry) -> Bool {
        one.pallet == other.pallet && one.entry == other.entry
            && one.parts.elementsEqual(other.parts) { $0.hasher == $1.hasher && $0.part == $1.part }
    }

    /// The heads of parachains on their relay chain.
    static let parachainHeads = StateEntry("Paras", "Heads", (.twox64Concat, .para))

    /// The entry of a kind; the kind `codeHash` has the raw key `:code` and no parts.
    public init(_ kind: StateItem.Kind) {
        switch kind {
        case .runtime: self.init("System", "LastRuntimeUpgrade")
        case .time: self.init("Timestamp", "Now")
        case .account: self.init("System", "Account", (.blake2b128Concat, .account))
        case .assetMetadata: self.init("Assets", "Metadata", (.blake2b128Concat, .asset))
        case .assetAccount:
            self.init("Assets", "Account", (.blake2b128Concat, .asset), (.blake2b128Concat, .account))
        case .foreignMetadata: self.init("ForeignAssets", "Metadata", (.blake2b128Concat, .location))
        case .foreignAccount:
            self.init(
                "ForeignAssets", "Account", (.blake2b128Concat, .location), (.blake2b128Concat, .account))
        case .proxies: self.init("Proxy", "Proxies", (.twox64Concat, .account))
        case .multisig:
            self.init("Multisig", "Multisigs", (.twox64Concat, .account), (.blake2b128Concat, .callHash))
        case .bonded: self.init("Staking", "Bonded", (.twox64Concat, .account))
        case .ledger: self.init("Staking", "Ledger", (.blake2b128Concat, .account))
        case .nextKeys: self.init("Session", "NextKeys", (.twox64Concat, .account))
        case .identity: self.init("Identity", "IdentityOf", (.twox64Concat, .account))
        case .superIdentity: self.init("Identity", "SuperOf", (.blake2b128Concat, .account))
        case .codeHash: self.init("", ":code")
        case .migration: self.init("MultiBlockMigrations", "Cursor")
        }
    }

    private init(_ pallet: ExactText, _ entry: ExactText, _ parts: (hasher: Hasher, part: KeyPart)...) {
        self.pallet = pallet
        self.entry = entry
        self.parts = parts
    }

    /// `System.Account`.
    public var name: String { pallet.text.isEmpty ? entry.text : "\(pallet.text).\(entry.text)" }

    /// The storage key of a value: twox_128(pallet) ‖ twox_128(entry) ‖ the hashed parts.
    /// - Parameter arguments: the parts that are hashed, as many as the entry has.
    public func key(_ arguments: [[UInt8]] = []) -> [UInt8] {
        guard !pallet.text.isEmpty else { return Array(entry.text.utf8) }
        let prefix = Twox.hash128(Array(pallet.text.utf8)) + Twox.hash128(Array(entry.text.utf8))
        return zip(parts, arguments).reduce(prefix) { $0 + $1.0.hasher.key($1.1) }
    }
}

extension StateItem {
    /// The arguments as parts of a key, in the order of ``StateEntry/parts``.
    var keyParts: [[UInt8]] {
        switch self {
        case .account(let account), .proxies(let account), .bonded(let account), .ledger(let account),
            .nextKeys(let account), .identity(let account), .superIdentity(let account):
            [account.bytes]
        case .assetMetadata(let asset): [asset.littleEndianBytes]
        case .assetAccount(let asset, let account): [asset.littleEndianBytes, account.bytes]
        case .foreignMetadata(let location): [location]
        case .foreignAccount(let location, let account): [location, account.bytes]
        case .multisig(let account, let hash): [account.bytes, hash.bytes]
        case .codeHash, .migration: []
        }
    }

    /// The storage key that the item asks for.
    public var storageKey: [UInt8] { StateEntry(kind).key(keyParts) }
}

extension StateItem.Kind {
    /// The storage key of what is read of every chain.
    static let alwaysRead: [(kind: StateItem.Kind, key: [UInt8])] = [StateItem.Kind.runtime, .time].map {
        ($0, StateEntry($0).key([]))
    }
}

extension UInt32 {
    var littleEndianBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> UInt32(8 * $0)) } }
}

extension StateEnvelope {
    /// The storage keys that the walk reads on the transaction's own chain: what a node is asked for.
    /// - Parameter items: of that chain; what is always read is added.
    public static func storageKeys(_ items: some Sequence<StateItem>) -> [[UInt8]] {
        StateItem.Kind.alwaysRead.map(\.key) + items.map(\.storageKey)
    }
}
