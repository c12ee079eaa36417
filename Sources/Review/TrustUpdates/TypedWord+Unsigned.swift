import Cards
import Review
import SubstratePrimitives

/// Words for updates.
extension TypedWord {
    /// What is believed although nobody signed it, a key that is believed from now on, or a chain that is not
    /// what its name says; nil for anything else. Without a word for a new key, whoever controls the online
    /// machine would sign with a key made for it, and nobody would type `unsigned`.
    init?(_ update: UnverifiedUpdate, warnings: [Card]) {
        let words = warnings.map { card -> TypedWord? in
            guard case .update(let warning)? = card.warning else { return nil }
            return Self.word(warning)
        }
        guard let word = words.reduce(Self(unsigned: update), Self.stronger) else { return nil }
        self = word
    }

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

    /// `unsigned polkadot`. The name is whatever the sender chose: one that is empty, long or has no plain
    /// letters is replaced by the first eight digits of the genesis hash, so that there is always something
    /// to type.
    static func unsigned(network name: String, genesis: GenesisHash, rest: String = "") -> TypedWord {
        let typed = words(name)
        let isTypeable = !typed.isEmpty && typed.utf8.count <= 32
        return TypedWord("unsigned \(isTypeable ? typed : String(genesis.hex.prefix(8)))\(rest)", 1)
    }
}
