import Hashing
import SubstratePrimitives

/// What this side makes of the cards around it.
public enum Notice: Sendable, Equatable {
    /// How many calls the call carries.
    case batch(count: Int)
    /// The account in whose name a proxy acts.
    case proxied(address: ExactText)
    /// The account that several sign for.
    case multisig(address: ExactText, threshold: UInt16, signatories: Int)
    /// BLAKE2b-256 of the call above.
    case callHash(Hash32)
    /// Nothing shows the call.
    case onlyAHash
    /// The call that was supplied for the hash above.
    case callOfHash
    /// The call that the bytes above are.
    case inlineCall
    /// An account that the sender has by an index.
    case derived(address: ExactText)
    /// The call waits for a block.
    case scheduled
    /// The number before it is in the smallest unit of this asset; the key is nil where nothing tells the
    /// asset apart from others.
    case foreignUnit(asset: ExactText, key: AssetKey?)
    /// - accounts: those that the text names.
    case location(ExactText, accounts: [[UInt8]])
    /// The type is not what its name promises.
    case unusualShape(ExactText)
    /// Keys of a set or a map that do not ascend, or one that stands there twice.
    case unsorted, repeated
    /// A part of a whole above the whole.
    case aboveWhole
    /// More bytes or items than the constant of the pallet allows.
    case aboveBound(maximum: UInt128, constant: ExactText)
    /// The proof of the new keys is empty.
    case noPossession
    /// The name of the chain that the hash above is of.
    case chain(ExactText)
    /// How long the transaction can be included.
    case validity(period: UInt32, blockHash: Hash32)
    /// The transaction has no last block.
    case noExpiry
    /// An entry of an asset list.
    case assetUnit(AssetUnits.Entry)

    /// The text in the place of an asset's id, where nothing names the asset of an amount.
    public static let unnamedAsset: ExactText = "?"

    /// What programs read.
    public var code: String {
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
        case .assetUnit: "asset-unit"
        }
    }

    /// The card's line.
    public var line: String {
        switch self {
        case .batch(let count): count == 1 ? "1 call" : "\(count) calls"
        case .proxied(let address): "runs as \(address.text)"
        case .multisig(let address, let threshold, let signatories):
            "multisig \(address.text), \(threshold) of \(signatories)"
        case .callHash(let hash): "call hash 0x\(hash.hex)"
        case .onlyAHash: "only a hash: the call is not shown"
        case .callOfHash: "the call of this hash"
        case .inlineCall: "the call inside these bytes"
        case .derived(let address): "runs as \(address.text), derived from the sender"
        case .scheduled: "runs later, not now"
        case .foreignUnit(Self.unnamedAsset, _): "in the smallest unit of an asset that is not known"
        case .foreignUnit(let asset, _):
            "in the smallest unit of asset \(asset.text), whose decimals are unknown"
        case .location(let text, _): text.text
        case .unusualShape(let path): "\(path.text) does not have the standard shape for its name"
        case .unsorted: "not in ascending order: the chain refuses the signature"
        case .repeated: "an item stands here twice: the chain refuses the signature"
        case .aboveWhole: "above the maximum of 100%: the chain refuses it"
        case .aboveBound(let maximum, let constant):
            "above the maximum of \(maximum) (\(constant.text)): the chain refuses it"
        case .noPossession:
            "no proof that the sender has these keys: a chain that demands one refuses the call"
        case .chain(let name): "the genesis hash of \(name.text)"
        case .validity(let period, let blockHash):
            "valid for about \(period) blocks from block 0x\(blockHash.hex)"
        case .noExpiry: "never expires (valid until its nonce is used)"
        case .assetUnit(let entry):
            """
            \([entry.pallet, entry.id].compactMap { $0 }.joined(separator: " ")): \(entry.symbol), \
            \(entry.decimals) decimals
            """
        }
    }

    /// The account that it names, as an address or as bytes: a place names one only where it names no other.
    public var account: (address: ExactText?, bytes: [UInt8]?) {
        switch self {
        case .proxied(let address), .derived(let address), .multisig(let address, _, _): (address, nil)
        case .location(_, let accounts): (nil, accounts.count == 1 ? accounts[0] : nil)
        case .batch, .callHash, .onlyAHash, .callOfHash, .inlineCall, .scheduled, .foreignUnit, .unusualShape,
            .unsorted, .repeated,
            .aboveWhole, .aboveBound, .noPossession, .chain, .validity, .noExpiry, .assetUnit:
            (nil, nil)
        }
    }
}
