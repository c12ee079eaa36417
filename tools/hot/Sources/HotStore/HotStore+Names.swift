import SubstratePrimitives

/// Finds the row that a typed name means. The keys of rows are plain text; only here does a name match more
/// than its own row.
extension HotStore {
    /// The networks that a name stands for, all of one chain; empty for an unknown name.
    ///
    /// A row's name means its row. The runtime's name means every scheme of the chain. A name or genesis hash
    /// with a scheme means one: `westend`, `westend/ed25519`.
    /// - Throws: ``HotStoreError/ambiguousNetwork(_:choices:)`` if networks of several chains have the name.
    public func networksOfOneChain(named text: String) throws -> [HotNetwork] {
        let all = try networks()
        let found = Self.rows(named: text, all)
        guard Set(found.map(\.specs.genesisHash)).count <= 1 else { throw Self.ambiguous(text, found, all) }
        return found
    }

    /// The network with this name. A name that several networks share is refused, with names that are unique:
    /// guessing could sign other specs than the person means.
    public func network(named text: String) throws -> HotNetwork {
        let found = try networksOfOneChain(named: text)
        guard let first = found.first else { throw HotStoreError.unknownNetwork(text) }
        guard found.count == 1 else { throw Self.ambiguous(text, found, try networks()) }
        return first
    }

    /// A name that no other network has: its own name, or that with the scheme, or the genesis hash with the
    /// scheme.
    public func shownName(of network: HotNetwork) throws -> String {
        Self.shownName(of: network, try networks())
    }

    /// The name of a new network: the runtime's, with the scheme if the chain is known under another one.
    public func newName(for specs: NetworkSpecs) throws -> String {
        let rival = try networks().first { $0.name.utf8Equals(specs.name) }
        return rival?.specs.genesisHash == specs.genesisHash ? specs.qualifiedName : specs.name
    }

    private static func rows(named text: String, _ all: [HotNetwork]) -> [HotNetwork] {
        if let row = all.first(where: { $0.name.utf8Equals(text) }) {
            return row.specs.name.utf8Equals(text)
                ? all.filter { $0.specs.genesisHash == row.specs.genesisHash } : [row]
        }
        if let genesis = GenesisHash(hex: text) { return all.filter { $0.specs.genesisHash == genesis } }
        let qualified = all.filter {
            $0.specs.name.utf8Equals(text) && $0.name.utf8Equals($0.specs.qualifiedName)
        }
        if !qualified.isEmpty { return qualified }
        // The name before the scheme is read as if it stood alone: another chain whose runtime has this name,
        // under a name of its own, is not meant.
        for scheme in SignatureScheme.allCases {
            let (text, end) = (Array(text.utf8), Array("/\(scheme.name)".utf8))
            guard text.count > end.count, text.suffix(end.count).elementsEqual(end) else { continue }
            return rows(named: String(decoding: text.dropLast(end.count), as: UTF8.self), all).filter {
                $0.specs.scheme == scheme
            }
        }
        return []
    }

    private static func shownName(of network: HotNetwork, _ all: [HotNetwork]) -> String {
        [network.name, "\(network.name)/\(network.specs.scheme.name)"].first {
            rows(named: $0, all) == [network]
        }
            ?? network.specs.qualifiedHash
    }

    private static func ambiguous(_ text: String, _ found: [HotNetwork], _ all: [HotNetwork]) -> HotStoreError
    {
        .ambiguousNetwork(text, choices: found.map { shownName(of: $0, all) }.sorted())
    }
}
