import SCALE
import SubstratePrimitives

/// One value of a chain's state that a state proof (code a8) is asked for. The verifier computes its storage
/// key itself; an item only names what the key is made of.
///
/// The encoding: kind u8 ‖ arguments. Source: `Payloads.md` in `heliograph.docc`.
public enum StateItem: Hashable, Sendable {
    /// What a value is; the raw value opens an item.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// `System.LastRuntimeUpgrade`. Read of every chain, so never an item.
        case runtime = 0x00
        /// `Timestamp.Now`. Read of every chain, so never an item.
        case time = 0x01
        /// `System.Account`.
        case account = 0x02
        /// `Assets.Metadata`.
        case assetMetadata = 0x03
        /// `Assets.Account`.
        case assetAccount = 0x04
        /// `ForeignAssets.Metadata`.
        case foreignMetadata = 0x05
        /// `ForeignAssets.Account`.
        case foreignAccount = 0x06
        /// `Proxy.Proxies`.
        case proxies = 0x07
        /// `Multisig.Multisigs`.
        case multisig = 0x08
        /// `Staking.Bonded`.
        case bonded = 0x09
        /// `Staking.Ledger`.
        case ledger = 0x0a
        /// `Session.NextKeys`.
        case nextKeys = 0x0b
        /// `Identity.IdentityOf`.
        case identity = 0x0c
        /// `Identity.SuperOf`.
        case superIdentity = 0x0d
        /// The hash of the runtime under `:code`.
        case codeHash = 0x0e
        /// `MultiBlockMigrations.Cursor`.
        case migration = 0x0f
    }

    /// `System.Account`.
    case account(AccountID32)
    /// `Assets.Metadata`.
    case assetMetadata(UInt32)
    /// `Assets.Account`.
    case assetAccount(UInt32, AccountID32)
    /// `ForeignAssets.Metadata` of an encoded location.
    case foreignMetadata([UInt8])
    /// `ForeignAssets.Account`.
    case foreignAccount([UInt8], AccountID32)
    /// `Proxy.Proxies`.
    case proxies(AccountID32)
    /// `Multisig.Multisigs` of a multisig account and the hash of a call.
    case multisig(AccountID32, callHash: Hash32)
    /// `Staking.Bonded`.
    case bonded(AccountID32)
    /// `Staking.Ledger`.
    case ledger(AccountID32)
    /// `Session.NextKeys`.
    case nextKeys(AccountID32)
    /// `Identity.IdentityOf`.
    case identity(AccountID32)
    /// `Identity.SuperOf`.
    case superIdentity(AccountID32)
    /// The hash of the runtime under `:code`.
    case codeHash
    /// `MultiBlockMigrations.Cursor`, which must be absent.
    case migration

    /// What the value is.
    public var kind: Kind {
        switch self {
        case .account: .account
        case .assetMetadata: .assetMetadata
        case .assetAccount: .assetAccount
        case .foreignMetadata: .foreignMetadata
        case .foreignAccount: .foreignAccount
        case .proxies: .proxies
        case .multisig: .multisig
        case .bonded: .bonded
        case .ledger: .ledger
        case .nextKeys: .nextKeys
        case .identity: .identity
        case .superIdentity: .superIdentity
        case .codeHash: .codeHash
        case .migration: .migration
        }
    }

    /// Kind and arguments.
    public var bytes: [UInt8] {
        SCALEWriter.encode { writer in
            writer.u8(kind.rawValue)
            switch self {
            case .account(let account), .proxies(let account), .bonded(let account), .ledger(let account),
                .nextKeys(let account), .identity(let account), .superIdentity(let account):
                writer.raw(account.bytes)
            case .assetMetadata(let asset): writer.integer(asset)
            case .assetAccount(let asset, let account):
                writer.integer(asset)
                writer.raw(account.bytes)
            case .foreignMetadata(let location): writer.byteVector(location)
            case .foreignAccount(let location, let account):
                writer.byteVector(location)
                writer.raw(account.bytes)
            case .multisig(let account, let hash):
                writer.raw(account.bytes)
                writer.raw(hash.bytes)
            case .codeHash, .migration: break
            }
        }
    }

    init(from reader: inout SCALEReader) throws(StateFailure) {
        let byte = try StateEnvelope.scale(&reader) { (reader) throws(SCALEError) in try reader.u8() }
        guard let kind = Kind(rawValue: byte) else { throw .unknownItem(byte) }
        func account() throws(StateFailure) -> AccountID32 {
            try StateEnvelope.scale(&reader) { (reader) throws(SCALEError) in try reader.hash32() }
        }
        func asset() throws(StateFailure) -> UInt32 {
            try StateEnvelope.scale(&reader) { (reader) throws(SCALEError) in try reader.integer() }
        }
        func location() throws(StateFailure) -> [UInt8] {
            try StateEnvelope.byteVector(&reader, .key)
        }
        switch kind {
        // They are read before every item, so a second request for them would have two encodings.
        case .runtime, .time: throw .itemOrder
        case .account: self = .account(try account())
        case .assetMetadata: self = .assetMetadata(try asset())
        case .assetAccount: self = .assetAccount(try asset(), try account())
        case .foreignMetadata: self = .foreignMetadata(try location())
        case .foreignAccount: self = .foreignAccount(try location(), try account())
        case .proxies: self = .proxies(try account())
        case .multisig: self = .multisig(try account(), callHash: try account())
        case .bonded: self = .bonded(try account())
        case .ledger: self = .ledger(try account())
        case .nextKeys: self = .nextKeys(try account())
        case .identity: self = .identity(try account())
        case .superIdentity: self = .superIdentity(try account())
        case .codeHash: self = .codeHash
        case .migration: self = .migration
        }
    }
}

extension StateItem: Comparable {
    /// Orders items by the bytes of their encodings, as a payload has them.
    public static func < (one: StateItem, other: StateItem) -> Bool {
        one.bytes.lexicographicallyPrecedes(other.bytes)
    }
}

/// Items of another parachain, which are reached through the state of the relay chain.
public struct StateHop: Equatable, Sendable {
    /// The id of the parachain.
    public let para: UInt32
    /// Ascending by their encodings.
    public let items: [StateItem]

    /// - Parameters:
    ///   - para: the id of the parachain.
    ///   - items: in any order; the same item twice is one.
    public init(para: UInt32, items: some Sequence<StateItem>) {
        self.para = para
        self.items = Set(items).sorted()
    }

    init(from reader: inout SCALEReader) throws(StateFailure) {
        para = try StateEnvelope.scale(&reader) { (reader) throws(SCALEError) in try reader.integer() }
        items = try StateEnvelope.items(&reader)
    }

    func encode(into writer: inout SCALEWriter) {
        writer.integer(para)
        writer.vector(items) { $0.raw($1.bytes) }
    }
}
