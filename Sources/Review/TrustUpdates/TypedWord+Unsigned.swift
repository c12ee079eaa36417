import Cards
import Review
import SubstratePrimitives

/// Words for updates.
extension TypedWord {
    /// The word for unsigned content, for a new verifier's key, and for a chain under another chain's name;
    /// nil for other updates. If a new key needed no word, whoever controls the online machine could make a
    /// key and sign with it to avoid the word `unsigned`.
    init?(_ update: UnverifiedUpdate, warnings: [Card]) {
        let words = warnings.map { card -> TypedWord? in
            guard case .update(let warning)? = card.warning else { return nil }
            return Self.word(warning)
        }
        guard let word = words.reduce(Self(unsigned: update), Self.both) else { return nil }
        self = word
    }

    /// Whether a warning of an update is one that a person types a word for.
    package static func isDanger(_ warning: UpdateWarning) -> Bool { word(warning) != nil }

    private static func word(_ warning: UpdateWarning) -> TypedWord? {
        switch warning {
        case .generalVerifierAppears, .customVerifierAppears: TypedWord("new verifier", 1)
        case .knownNameOnUnknownChain: TypedWord("unknown chain", 3)
        case .unsigned, .verifierBecomesGeneral, .purged, .nameOfAnotherChain, .onlyVerifierChanges,
            .newerThanNewest, .olderThanNewest,
            .extensionsIncomplete, .typesForEveryNetwork, .replacesTypes, .assetUnitChanges:
            nil
        }
    }

    private init?(unsigned update: UnverifiedUpdate) {
        guard update.signature == nil else { return nil }
        switch update.content {
        case .addSpecs(let specs): self = .unsigned(network: specs.name, genesis: specs.genesisHash)
        case .loadMetadata(_, let genesis, let facts):
            self = .unsigned(
                network: facts.runtimeVersion.specName, genesis: genesis,
                rest: " \(facts.runtimeVersion.specVersion)")
        case .loadTypes: self = TypedWord("unsigned types", 1)
        case .loadAssets(let units):
            self = .unsigned(network: "", genesis: units.genesisHash, rest: " assets \(units.serial)")
        }
    }

    /// `unsigned polkadot`. The sender chose the name. If it is empty, long or has other characters than
    /// plain letters, the first eight digits of the genesis hash replace it, so that the person can always
    /// type it.
    static func unsigned(network name: String, genesis: GenesisHash, rest: String = "") -> TypedWord {
        let typed = words(name)
        let isTypeable = !typed.isEmpty && typed.utf8.count <= 32
        return TypedWord("unsigned \(isTypeable ? typed : String(genesis.hex.prefix(8)))\(rest)", 1)
    }
}
