import SubstratePrimitives

/// Words for what is believed although nobody signed it.
extension TypedWord {
    /// nil for an update with a signature.
    init?(_ update: UnverifiedUpdate) {
        guard update.signature == nil else { return nil }
        switch update.content {
        case .addSpecs(let specs): self = .unsigned(network: specs.name, genesis: specs.genesisHash)
        case .loadMetadata(_, let genesis, let facts):
            self = .unsigned(network: facts.runtimeVersion.specName, genesis: genesis, rest: " \(facts.runtimeVersion.specVersion)")
        case .loadTypes: self = TypedWord("unsigned types", 1)
        case .loadAssets(let units): self = .unsigned(network: "", genesis: units.genesisHash, rest: " assets \(units.serial)")
        }
    }

    /// `unsigned polkadot`. The name is whatever the sender chose: one that is empty, long or has no plain letters is replaced by the first eight
    /// digits of the genesis hash, so that there is always something to type.
    static func unsigned(network name: String, genesis: GenesisHash, rest: String = "") -> TypedWord {
        let typed = words(name)
        let isTypeable = !typed.isEmpty && typed.utf8.count <= 32
        return TypedWord("unsigned \(isTypeable ? typed : String(genesis.hex.prefix(8)))\(rest)", 1)
    }
}
