import Metadata
import SubstratePrimitives

/// Knowledge from outside the payload that explains a call. Of the literal cards it changes only the unit of
/// an asset's amount.
public struct DecodingContext: Sendable {
    /// The account that signs: 32 bytes, or 20 on Ethereum-style networks. Multisig addresses follow from it.
    public var signer: [UInt8]?
    /// Full calls, without a length, for calls that carry only a hash.
    public var knownCalls: [[UInt8]]
    public var assets: (any AssetDirectory)?
    /// Names of the network's pallets by index, from metadata that is trusted: a location names an asset's
    /// pallet by its index.
    public var pallets: [UInt8: String] = [:]
    /// Names of chains by genesis hash, for a notice about a genesis hash among the arguments.
    public var knownChains: [GenesisHash: String]
    /// The metadata whose constants bound the lengths of arguments; a proof has none.
    private(set) var bounds: RuntimeMetadata?
    /// Whether full metadata shows what a proof would show.
    var readsAsProof = false
    /// All rules, except in the fuzzer.
    package var rules = ReadingRules.all

    public init(
        signer: [UInt8]? = nil, knownCalls: [[UInt8]] = [], assets: (any AssetDirectory)? = nil,
        knownChains: [GenesisHash: String] = [:]
    ) {
        self.signer = signer
        self.knownCalls = knownCalls
        self.assets = assets
        self.knownChains = knownChains
    }
}

extension DecodingContext {
    /// This context with the constants of a runtime, and with the names of its pallets unless it already has
    /// names.
    func naming(palletsOf metadata: RuntimeMetadata) -> DecodingContext {
        var context = self
        context.bounds = metadata
        if pallets.isEmpty, assets != nil { context.pallets = metadata.palletNames }
        return context
    }
}

extension RuntimeMetadata {
    /// Names of pallets by index.
    public var palletNames: [UInt8: String] {
        Dictionary(pallets.map { ($0.index, $0.name) }, uniquingKeysWith: { first, _ in first })
    }
}
