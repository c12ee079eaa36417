import Cards
import Hashing
import SubstratePrimitives

/// Why a transaction asks for a second look. The raw values are stable.
public enum Warning: String, Sendable, CaseIterable {
    case movesEverything = "moves-everything"
    case changesRuntime = "changes-runtime"
    case replacesKeys = "replaces-keys"
    case givesProxy = "gives-proxy"
    case givesOwnership = "gives-ownership"
    case removesAccess = "removes-access"
    case redirectsRewards = "redirects-rewards"
    case superuser = "superuser"
    case runsProgram = "runs-program"
    case hiddenCall = "hidden-call"
    case unknownExtension = "unknown-extension"

    private var text: String {
        switch self {
        case .movesEverything: "moves everything that can be moved"
        case .changesRuntime: "changes the code or the state of a chain"
        case .replacesKeys: "replaces keys or who controls an account"
        case .givesProxy: "lets another account act on behalf of this one"
        case .givesOwnership: "gives ownership or control away"
        case .removesAccess: "takes away who can act on behalf of an account"
        case .redirectsRewards: "changes to whom rewards are paid"
        case .superuser: "acts with the rights of another origin"
        case .runsProgram: "runs a program whose effect the cards do not tell"
        case .hiddenCall: "contains a call that cannot be shown, only its hash or its bytes"
        case .unknownExtension: "carries an unknown extension"
        }
    }

    /// The line shows the bytes: their meaning is unknown, so a person has nothing else to judge by.
    func card(of item: UnknownExtension) -> Card {
        let hex = Hex.encode(item.bytes)
        return Card(
            .warning, "\(text): \(item.identifier) 0x\(hex)",
            fields: [.init("code", rawValue), .init("extension", item.identifier), .init("hex", hex)], isDerived: true)
    }

    public func card(indent: Int = 0) -> Card { Card(.warning, text, indent: indent, fields: [.init("code", rawValue)], isDerived: true) }
}

/// What this side makes of a call, beside its literal cards.
enum Notice {
    case batch(count: Int)
    case proxied(address: String)
    case multisig(address: String, threshold: UInt16, signatories: Int)
    case callHash(Hash32)
    case onlyAHash
    case callOfHash
    case inlineCall
    case derived(address: String)
    case scheduled
    case foreignUnit(asset: String)
    /// - accounts: those that the text names.
    case location(String, accounts: [[UInt8]])
    case unusualShape(String)
    /// Keys of a set or a map that do not ascend, or one that stands there twice.
    case unsorted, repeated
    /// A part of a whole above the whole.
    case aboveWhole
    /// More bytes or items than the constant of the pallet allows.
    case aboveBound(maximum: UInt128, constant: String)
    case noPossession
    case chain(String)
    case validity(period: UInt32, blockHash: Hash32)
    case noExpiry

    /// The text in the place of an asset's id, where nothing names the asset of an amount.
    static let unnamedAsset = "?"

    private var code: String {
        switch self {
        case .batch: "batch"
        case .proxied: "proxy"
        case .multisig: "multisig"
        case .callHash: "call-hash"
        case .onlyAHash: "only-a-hash"
        case .callOfHash: "call-of-hash"
        case .inlineCall: "inline-call"
        case .derived: "derivative"
        case .scheduled: "scheduled"
        case .foreignUnit: "asset"
        case .location: "location"
        case .unusualShape: "unusual-shape"
        case .unsorted: "unsorted"
        case .repeated: "repeated-key"
        case .aboveWhole, .aboveBound: "above-maximum"
        case .noPossession: "no-proof-of-possession"
        case .chain: "chain"
        case .validity: "validity"
        case .noExpiry: "no-expiry"
        }
    }

    private var text: String {
        switch self {
        case .batch(let count): count == 1 ? "1 call" : "\(count) calls"
        case .proxied(let address): "runs as \(address)"
        case .multisig(let address, let threshold, let signatories): "multisig \(address), \(threshold) of \(signatories)"
        case .callHash(let hash): "call hash 0x\(hash.hex)"
        case .onlyAHash: "only a hash: the call is not shown"
        case .callOfHash: "the call of this hash"
        case .inlineCall: "the call inside these bytes"
        case .derived(let address): "runs as \(address), derived from the sender"
        case .scheduled: "runs later, not now"
        case .foreignUnit(let asset) where asset.utf8Equals(Self.unnamedAsset):
            "in the smallest unit of an asset that is not known"
        case .foreignUnit(let asset): "in the smallest unit of asset \(asset), whose decimals are unknown"
        case .location(let text, _): text
        case .unusualShape(let path): "\(path) does not have the standard shape for its name"
        case .unsorted: "not in ascending order: the chain refuses the signature"
        case .repeated: "an item stands here twice: the chain refuses the signature"
        case .aboveWhole: "above the maximum of 100%: the chain refuses it"
        case .aboveBound(let maximum, let constant): "above the maximum of \(maximum) (\(constant)): the chain refuses it"
        case .noPossession: "no proof that the sender has these keys: a chain that demands one refuses the call"
        case .chain(let name): "the genesis hash of \(name)"
        case .validity(let period, let blockHash): "valid for about \(period) blocks from block 0x\(blockHash.hex)"
        case .noExpiry: "never expires (valid until its nonce is used)"
        }
    }

    private var facts: [Card.Field] {
        switch self {
        case .batch(let count): [.init("count", .number(count))]
        case .proxied(let address), .derived(let address): [.init("address", address)]
        case .multisig(let address, let threshold, let signatories):
            [.init("address", address), .init("threshold", .number(Int(threshold))), .init("signatories", .number(signatories))]
        case .callHash(let hash): [.init("hash", hash.hex)]
        case .foreignUnit(let asset): [.init("asset", asset)]
        case .validity(let period, let blockHash): [.init("period", .number(Int(period))), .init("block_hash", blockHash.hex)]
        case .location(_, let accounts) where !accounts.isEmpty: [.init("accounts", .texts(accounts.map { Hex.encode($0) }))]
        case .aboveBound(let maximum, let constant): [.init("maximum", String(maximum)), .init("constant", constant)]
        case .location, .unusualShape, .unsorted, .repeated, .aboveWhole, .noPossession, .chain, .onlyAHash, .callOfHash, .inlineCall,
            .scheduled, .noExpiry:
            []
        }
    }

    func card(indent: Int) -> Card { Card(.notice, text, indent: indent, fields: [.init("code", code)] + facts, isDerived: true) }
}

extension Card {
    /// Whether it is the warning that an extension is unknown here.
    public var isUnknownExtension: Bool {
        kind == .warning && fields.contains(Field("code", Warning.unknownExtension.rawValue))
    }
}
