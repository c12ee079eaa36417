/// A public chain that every reader of this program can name without a stored network.
///
/// The list says which genesis hash belongs to which chain, and what the chain's specs are. It vouches for no
/// metadata: that comes from a verifier, or with a proof that the chain checks.
public struct WellKnownChain: Sendable {
    /// For people: "Polkadot Asset Hub".
    public let name: String
    /// As the runtime's version constant spells it: "statemint".
    public let specName: String
    public let genesisHash: GenesisHash
    /// SS58 prefix; Ethereum-style chains may carry one above 16383.
    public let base58Prefix: UInt16
    public let decimals: UInt8
    public let unit: String
    /// How the accounts of the chain's wallets sign: sr25519, or ethereum where an account is 20 bytes.
    public let scheme: SignatureScheme
    /// The letters of a row. They are read where a network is listed or checked, not for every command that
    /// knows the chains by name.
    let letters: String

    private static let byGenesis = Dictionary(uniqueKeysWithValues: all.map { ($0.genesisHash, $0) })

    /// The chain with this genesis hash; nil if it is not listed.
    public static func chain(genesis: GenesisHash) -> WellKnownChain? { byGenesis[genesis] }

    /// The chains that a person may mean by a text: by the genesis hash in hex, with or without `0x`, by the
    /// runtime's name, or by the name for people in any case. Several chains can have a runtime of one name.
    public static func chains(named text: String) -> [WellKnownChain] {
        let digits = text.utf8Starts(with: "0x") ? String(text.dropFirst(2)) : text
        if let genesis = GenesisHash(hex: digits) { return chain(genesis: genesis).map { [$0] } ?? [] }
        return all.filter {
            $0.specName.utf8Equals(text) || $0.name.lowercased().utf8Equals(text.lowercased())
        }
    }

    /// The text by which `network add` finds the chain; its genesis hash where others share the runtime's
    /// name.
    public var argument: String {
        Self.chains(named: specName).count == 1 ? specName : "0x" + genesisHash.hex
    }

    /// The specs of a network made from the row.
    public var specs: NetworkSpecs {
        NetworkSpecs(
            name: specName, title: name, base58Prefix: base58Prefix, decimals: decimals, unit: unit,
            genesisHash: genesisHash,
            scheme: scheme)
    }
}

// MARK: Sources

extension WellKnownChain {
    /// A value of a row, in the order in which a row names their sources.
    public enum Field: String, Sendable, CaseIterable {
        case genesisHash = "genesis hash"
        case specName = "name"
        case base58Prefix = "address prefix"
        case decimals
        case unit
    }

    /// The letter of a source; the list says what each is.
    enum Source: Character, Sendable, CaseIterable {
        case chaindataCache = "A"
        case polkadotJS = "B"
        case metadataPortal = "C"
        case novaChains = "D"
        case novaDetails = "E"
        case chaindataByGenesis = "F"
        case xcmSDK = "G"
        case ownMetadata = "M"
        case chainSpec = "O"
        case runtimeSource = "R"
        case ss58Registry = "S"

        /// The publisher. Two files of one publisher may copy each other, so they count once.
        enum Publisher: Hashable {
            case talisman, polkadotJS, novasama, moonbeam, runtime, chain, fellowship, parity
        }

        var publisher: Publisher {
            switch self {
            case .chaindataCache, .chaindataByGenesis: .talisman
            case .polkadotJS: .polkadotJS
            case .metadataPortal, .novaChains, .novaDetails: .novasama
            case .xcmSDK: .moonbeam
            case .ownMetadata: .runtime
            case .chainSpec: .chain
            case .runtimeSource: .fellowship
            case .ss58Registry: .parity
            }
        }
    }

    /// Which sources give each value; a value that none of them gave has an empty set.
    var sources: [Field: Set<Source>] { Self.sources(letters) ?? [:] }

    /// A group of letters for each field, as a row has them: `AC AC CS ACS ACS`, with `-` for no source.
    /// - Returns: nil for an unknown or repeated letter, or another number of groups.
    static func sources(_ text: String) -> [Field: Set<Source>]? {
        let groups = text.split(separator: " ", omittingEmptySubsequences: false)
        guard groups.count == Field.allCases.count else { return nil }
        var sources: [Field: Set<Source>] = [:]
        for (field, group) in zip(Field.allCases, groups) {
            let letters = group == "-" ? [] : Array(group)
            let known = Set(letters.compactMap(Source.init))
            guard known.count == letters.count, group == "-" || !known.isEmpty else { return nil }
            sources[field] = known
        }
        return sources
    }

    /// Values that fewer than two publishers give, in the order of the fields. One source may be wrong, or
    /// have been made to say something, and nothing would contradict it.
    public var unconfirmed: [Field] {
        let sources = sources
        return Field.allCases.filter { field in Set((sources[field] ?? []).map(\.publisher)).count < 2 }
    }

    /// Whether two publishers give each value.
    public var isConfirmed: Bool { unconfirmed.isEmpty }
}

// MARK: Names

extension WellKnownChain {
    private static let shapes: Set<[UInt8]> = Set(
        all.flatMap { [NameShape.letters(of: $0.specName), NameShape.letters(of: $0.name)] })

    /// Whether a name is that of a listed chain, or could be read as one.
    ///
    /// A chain is identified by its genesis hash; this decides only how a name is shown if its hash is not
    /// listed. So it may find too many names. A disguise that it misses is still marked as an unknown chain.
    public static func isNameOfOne(_ name: String) -> Bool { shapes.contains(NameShape.letters(of: name)) }

    /// The listed name that a name is, or could be read as.
    public static func listedName(like name: String) -> String? {
        guard isNameOfOne(name) else { return nil }
        let shape = NameShape.letters(of: name)
        return all.lazy.flatMap { [$0.name, $0.specName] }.first { NameShape.letters(of: $0) == shape }
    }
}
