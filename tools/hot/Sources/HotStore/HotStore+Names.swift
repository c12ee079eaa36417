import SubstratePrimitives

/// Finds what a name that a person typed refers to. The keys of rows are plain text; only here does a name match more than its row.
extension HotStore {
    /// The networks that a name stands for, all of one chain; empty for an unknown name.
    ///
    /// A row's name stands for its row, the runtime's name for every scheme of the chain, and a name or genesis hash with a scheme for one:
    /// `westend`, `westend/ed25519`.
    /// - Throws: ``HotStoreError/ambiguousNetwork(_:choices:)`` if chains with different genesis hashes have the name.
    public func networksOfOneChain(named text: String) throws -> [HotNetwork] {
        let all = try networks()
        let found: [HotNetwork]
        if let row = all.first(where: { $0.name.utf8Equals(text) }) {
            let isRuntimeName = row.specs.name.utf8Equals(text)
            found = isRuntimeName ? all.filter { $0.specs.genesisHash == row.specs.genesisHash } : [row]
        } else if let genesis = GenesisHash(hex: text) {
            found = all.filter { $0.specs.genesisHash == genesis }
        } else {
            found = all.filter { $0.specs.qualifiedName.utf8Equals(text) || $0.specs.qualifiedHash.utf8Equals(text) }
        }
        guard Set(found.map(\.specs.genesisHash)).count <= 1 else {
            throw HotStoreError.ambiguousNetwork(text, choices: try found.map(shownName).sorted())
        }
        return found
    }

    /// The one network that a name stands for. A name of several is refused with the names that tell them apart.
    public func network(named text: String) throws -> HotNetwork {
        let found = try networksOfOneChain(named: text)
        guard let first = found.first else { throw HotStoreError.unknownNetwork(text) }
        guard found.count == 1 else { throw HotStoreError.ambiguousNetwork(text, choices: try found.map(shownName).sorted()) }
        return first
    }

    /// A name that stands for this network alone: its own, else the runtime's with the scheme, else the genesis hash with the scheme.
    public func shownName(of network: HotNetwork) throws -> String {
        let all = try networks()
        let (specs, name) = (network.specs, network.name)
        let isAlone = !specs.name.utf8Equals(name) || all.filter { $0.specs.genesisHash == specs.genesisHash }.count == 1
        if isAlone { return name }
        let others = all.filter {
            $0.name != name && ($0.name.utf8Equals(specs.qualifiedName) || $0.specs.qualifiedName.utf8Equals(specs.qualifiedName))
        }
        return others.isEmpty ? specs.qualifiedName : specs.qualifiedHash
    }

    /// The name of a new network: the runtime's, with the scheme if the chain is known under another one.
    public func newName(for specs: NetworkSpecs) throws -> String {
        let rival = try networks().first { $0.name.utf8Equals(specs.name) }
        return rival?.specs.genesisHash == specs.genesisHash ? specs.qualifiedName : specs.name
    }
}
