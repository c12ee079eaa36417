import Metadata
import SubstratePrimitives

/// The unit of a token that is not the chain's own.
public struct AssetUnit: Sendable, Equatable, Codable {
    public let symbol: String
    public let decimals: UInt8

    public init(symbol: String, decimals: UInt8) {
        self.symbol = symbol
        self.decimals = decimals
    }

    public static func == (one: AssetUnit, other: AssetUnit) -> Bool {
        one.symbol.utf8Equals(other.symbol) && one.decimals == other.decimals
    }
}

/// What names an asset in a call or an XCM message.
public enum AssetKey: Sendable, Hashable {
    /// An id of the pallet of that name in the runtime: decimal digits of an integer, else `0x` and the hex of the encoded id.
    case pallet(String, id: String)
    /// `0x` and the hex of the encoded location.
    case location(String)

    /// The id as text.
    public var id: String {
        switch self {
        case .pallet(_, let id), .location(let id): id
        }
    }

    public static func == (one: AssetKey, other: AssetKey) -> Bool {
        switch (one, other) {
        case (.pallet(let one, let oneID), .pallet(let other, let otherID)): one.utf8Equals(other) && oneID.utf8Equals(otherID)
        case (.location(let one), .location(let other)): one.utf8Equals(other)
        case (.pallet, _), (.location, _): false
        }
    }
}

/// Knows the units of assets. Only what was signed by someone trusted may stand in it: it decides what a person reads.
public protocol AssetDirectory: Sendable {
    func unit(of asset: AssetKey) -> AssetUnit?
}

/// What is known beside the payload, for the meaning of a call. It changes no literal card but the unit of an asset's amount.
public struct DecodingContext: Sendable {
    /// The account that signs: 32 bytes, or 20 on Ethereum-style networks. Multisig addresses follow from it.
    public var signer: [UInt8]?
    /// Full calls, without a length, for calls that carry only a hash.
    public var knownCalls: [[UInt8]]
    public var assets: (any AssetDirectory)?
    /// Names of the network's pallets by index, from metadata that is trusted: a location names an asset's pallet by its index.
    public var pallets: [UInt8: String] = [:]
    /// Names of chains by genesis hash: where one stands among the arguments, a notice says so.
    public var knownChains: [GenesisHash: String]
    /// Whether full metadata shows what a proof would show.
    var readsAsProof = false
    /// All rules, except in the fuzzer.
    package var rules = ReadingRules.all

    public init(
        signer: [UInt8]? = nil, knownCalls: [[UInt8]] = [], assets: (any AssetDirectory)? = nil, knownChains: [GenesisHash: String] = [:]
    ) {
        self.signer = signer
        self.knownCalls = knownCalls
        self.assets = assets
        self.knownChains = knownChains
    }
}

extension DecodingContext {
    /// The same context with the names of a runtime's pallets, unless it has names.
    func naming(palletsOf metadata: RuntimeMetadata) -> DecodingContext {
        guard pallets.isEmpty, assets != nil else { return self }
        var context = self
        context.pallets = metadata.palletNames
        return context
    }
}

extension RuntimeMetadata {
    /// Names of pallets by index.
    public var palletNames: [UInt8: String] { Dictionary(pallets.map { ($0.index, $0.name) }, uniquingKeysWith: { first, _ in first }) }
}

/// What all calls of a transaction do, nested ones included.
public struct CallSummary: Sendable, Equatable {
    public struct Name: Sendable, Hashable {
        public let pallet: String
        public let call: String

        public static func == (one: Name, other: Name) -> Bool { one.pallet.utf8Equals(other.pallet) && one.call.utf8Equals(other.call) }
    }

    /// In the order of reading.
    public internal(set) var calls: [Name] = []
    /// Every account among the arguments, 32 or 20 bytes.
    public internal(set) var accounts: [[UInt8]] = []
    /// Whether an address is among the arguments that names no account by its key: an index, or bytes of another length.
    public internal(set) var hasOtherAddresses = false
    /// Whether locations (XCM) are among the arguments: accounts on other chains, and ways to get there.
    public internal(set) var hasLocations = false
    /// Every amount of the chain's own token, in its smallest unit.
    public internal(set) var nativeAmounts: [UInt128] = []
    /// Whether amounts of other tokens are among the arguments.
    public internal(set) var hasAssetAmounts = false
    /// Whether numbers of 128 or 256 bits are among the arguments that nothing says the meaning of: any of them may be an amount.
    public internal(set) var hasBareNumbers = false
    /// Hashes of calls that are not shown.
    public internal(set) var hiddenCalls: [Hash32] = []
    public internal(set) var warnings: [Warning] = []
}
