import SubstratePrimitives
import UOS

/// A chain whose layouts are built in: the one table of layouts that this program has.
///
/// It decides no signed byte and no card. It is tied to genesis hashes and to the spec versions whose
/// metadata was examined, because the same bytes mean something else elsewhere. `tools/dev state-layouts`
/// makes the same table from files of metadata, and a law compares them.
public struct StateChain: Sendable {
    /// A kind of item, and the first spec version that has it in the layout of today.
    struct Row: Sendable {
        let kind: StateItem.Kind
        let first: UInt32
    }

    /// As the runtime's version constant spells it.
    public let name: ExactText
    public let genesisHash: GenesisHash
    /// nil for a relay chain.
    public let parent: (relay: ExactText, para: UInt32)?
    /// The first spec version that was examined.
    public let first: UInt32
    /// The last one.
    public let last: UInt32
    /// The first spec version that has the pallet MultiBlockMigrations; nil where none has.
    let stepsSince: UInt32?
    /// Whether a ledger ends with a list of eras.
    let hasClaimedRewards: Bool
    let rows: [Row]

    var isRelay: Bool { parent == nil }

    private static let byGenesis = Dictionary(uniqueKeysWithValues: all.map { ($0.genesisHash, $0) })

    /// The chain with that genesis hash; nil if it is not listed.
    public static func chain(_ genesis: GenesisHash) -> StateChain? { byGenesis[genesis] }

    /// Read of every chain, or without a value to misread.
    private static let always: [StateItem.Kind] = [.runtime, .time, .account, .codeHash, .migration]
    private static let staking: [StateItem.Kind] = [.bonded, .ledger]
    private static let assets: [StateItem.Kind] = [
        .assetMetadata, .assetAccount, .foreignMetadata, .foreignAccount,
    ]

    public static let all: [StateChain] = [
        chain(
            "polkadot", 1_002_005...2_003_000, hasClaimedRewards: true,
            always + [.proxies, .multisig, .nextKeys] + staking),
        chain(
            "kusama", 1_003_000...2_003_000, hasClaimedRewards: true,
            always + [.proxies, .multisig, .nextKeys] + staking),
        chain(
            "westend", 1_018_005...1_018_005, stepsSince: 1_018_005, hasClaimedRewards: true,
            always + [.proxies, .multisig, .nextKeys] + staking),
        // Staking moved to the Asset Hub with the major version 2, foreign assets were examined there.
        chain(
            "statemint", below: "polkadot", para: 1_000, 9_420...2_003_001, stepsSince: 2_002_001,
            always + [.assetMetadata, .assetAccount, .proxies, .multisig, .nextKeys],
            from: 2_000_000, staking + [.foreignMetadata, .foreignAccount]),
        chain(
            "statemine", below: "kusama", para: 1_000, 1_009_003...2_003_000, stepsSince: 1_009_003,
            always + assets + [.proxies, .multisig, .nextKeys]),
        chain(
            "westmint", below: "westend", para: 1_000, 1_018_005...1_018_005, stepsSince: 1_018_005,
            always + assets + [.proxies, .multisig, .nextKeys]),
        // Its Assets are keyed by a location, so it has no row of assets.
        chain(
            "people-polkadot", below: "polkadot", para: 1_004, 2_002_002...2_002_002, stepsSince: 2_002_002,
            always + [.proxies, .multisig, .nextKeys, .identity, .superIdentity]),
    ]

    /// - Parameters:
    ///   - versions: the first and the last that was examined.
    ///   - kinds: what can be read in all of them.
    ///   - later: the first version in which `further` can be read, too.
    private static func chain(
        _ name: ExactText, below relay: ExactText? = nil, para: UInt32 = 0, _ versions: ClosedRange<UInt32>,
        stepsSince: UInt32? = nil, hasClaimedRewards: Bool = false, _ kinds: [StateItem.Kind],
        from later: UInt32 = 0, _ further: [StateItem.Kind] = []
    ) -> StateChain {
        // Their genesis hashes stand once, in the list of public chains.
        let known = WellKnownChain.chains(named: name.text)
        precondition(known.count == 1, "one public chain has this name")
        return StateChain(
            name: name, genesisHash: known[0].genesisHash, parent: relay.map { ($0, para) },
            first: versions.lowerBound, last: versions.upperBound, stepsSince: stepsSince,
            hasClaimedRewards: hasClaimedRewards,
            rows: kinds.map { Row(kind: $0, first: versions.lowerBound) }
                + further.map { Row(kind: $0, first: later) })
    }
}

extension StateItem.Kind {
    /// Whether runtimes newer than the last that was examined are read by the same row: its layout has been
    /// the same in every version that was examined, or there is nothing to misread.
    var isStable: Bool {
        switch self {
        case .runtime, .time, .account, .assetMetadata, .assetAccount, .proxies, .multisig, .bonded,
            .codeHash,
            .migration:
            true
        case .foreignMetadata, .foreignAccount, .ledger, .nextKeys, .identity, .superIdentity: false
        }
    }
}
