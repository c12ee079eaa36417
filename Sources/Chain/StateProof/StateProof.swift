import SCALE
import SubstratePrimitives
import UOS

/// One proven fact: what the chain held under the key of an item.
public struct StateFact: Equatable, Sendable {
    /// What stood there. That it was not proven has no case here: it is an error of the whole proof.
    public enum Reading: Equatable, Sendable {
        case present(StateValue)
        case absent
    }

    public let item: StateItem
    public let reading: Reading
}

/// What was proven of one chain right after one block.
public struct ProvenChain: Equatable, Sendable {
    public let genesisHash: GenesisHash
    public let header: BlockHeader
    /// What the chain itself says that it runs.
    public let runtime: RuntimeVersion
    /// Of the block, in milliseconds since 1970; within the years 2020 to 2099.
    public let time: UInt64
    public let source: LayoutSource
    /// In the order of the payload's items, without item `0f`.
    public let facts: [StateFact]
}

/// A state proof that was checked from the signed block hash to the last byte of its last value.
public struct ProvenState: Equatable, Sendable {
    public let checkpoint: StateCheckpoint
    public let chain: ProvenChain
    /// The other parachain and its number; nil without a hop.
    public let hop: (para: UInt32, chain: ProvenChain)?

    public static func == (one: ProvenState, other: ProvenState) -> Bool {
        one.checkpoint == other.checkpoint && one.chain == other.chain && one.hop?.para == other.hop?.para
            && one.hop?.chain == other.hop?.chain
    }
}

extension StateEnvelope {
    /// Checks the proof against what the signed bytes say: header, nodes, values, the other chain, and that
    /// nothing is left over. That the transaction names every subject is checked after it, because a proven
    /// bond and a proven identity name further accounts.
    /// - Throws: ``StateProofError``; whatever fails refuses the whole payload
    public func verified(
        _ checkpoint: StateCheckpoint, by authority: some LayoutAuthority
    ) throws(StateProofError) -> ProvenState {
        let (state, nodes) = try walked(checkpoint, by: authority, ListedNodes(nodes))
        try nodes.finish()
        guard state.chain.runtime == checkpoint.runtime else {
            throw .runtime(signed: checkpoint.runtime, found: state.chain.runtime)
        }
        return state
    }

    /// The same proof with the nodes that its walk takes from `gathered`, in the order of the walk. An online
    /// machine sends this.
    /// - Parameters:
    ///   - checkpoint: what the signed bytes will say.
    ///   - authority: as for ``verified(_:by:)``.
    ///   - gathered: nodes and values in any order; this proof's own are not used.
    /// - Throws: whatever the cold side would refuse it with
    public func ordered(
        _ checkpoint: StateCheckpoint, by authority: some LayoutAuthority, from gathered: [[UInt8]]
    ) throws(StateProofError) -> StateEnvelope {
        let (_, nodes) = try walked(checkpoint, by: authority, GatheredNodes(gathered))
        let ordered = StateEnvelope(header: header, items: items, hop: hop, nodes: nodes.ordered)
        func check(_ count: Int, _ limit: StateLimit) throws(StateProofError) {
            guard count <= limit.maximum else { throw .limit(limit, count) }
        }
        try check(items.count, .items)
        try check(hop?.items.count ?? 0, .items)
        try check(ordered.nodes.count, .nodes)
        try check(ordered.nodes.map(\.count).max() ?? 0, .node)
        try check(ordered.nodes.reduce(0) { $0 + $1.count }, .allNodes)
        _ = try ordered.verified(checkpoint, by: authority)
        return ordered
    }

    private func walked<Nodes: TrieNodes>(
        _ checkpoint: StateCheckpoint, by authority: some LayoutAuthority, _ nodes: Nodes
    ) throws(StateProofError) -> (ProvenState, Nodes) {
        let decoded = try BlockHeader(header)
        guard decoded.hash == checkpoint.blockHash else {
            throw .headerHash(found: decoded.hash, named: checkpoint.blockHash)
        }
        guard decoded.number % checkpoint.era.period == checkpoint.era.phase else {
            throw .phase(block: decoded.number)
        }
        var walk = TrieWalk(nodes)
        let layouts = try authority.layouts(of: checkpoint.genesisHash, at: checkpoint.runtime)
        let chain = try walk.chain(
            checkpoint.genesisHash, decoded, items, checkpoint.runtime
        ) { (_) throws(StateProofError) in layouts }
        let hop: (UInt32, ProvenChain)? =
            if let hop = self.hop {
                (hop.para, try walk.hop(hop, from: decoded, of: checkpoint, by: authority))
            } else { nil }
        return (ProvenState(checkpoint: checkpoint, chain: chain, hop: hop), walk.nodes)
    }
}

extension TrieWalk {
    /// Reads the items under the state root of a header.
    /// - `expected`: what a misfit of the first two values is told about.
    /// - `layouts`: by the runtime that the state names.
    fileprivate mutating func chain(
        _ genesis: GenesisHash, _ header: BlockHeader, _ items: [StateItem], _ expected: RuntimeVersion,
        _ layouts: (RuntimeVersion) throws(StateProofError) -> StateLayouts
    ) throws(StateProofError) -> ProvenChain {
        let runtime = try always(.runtime, header, expected) { (bytes) throws(StateValue.Misfit) in
            try StateValue.runtime(bytes)
        }
        let time = try always(.time, header, expected) { (bytes) throws(StateValue.Misfit) in
            try StateValue.time(bytes)
        }
        let layouts = try layouts(runtime)
        var facts: [StateFact] = []
        for item in items {
            if let reading = try reading(item, header, layouts, beside: facts) {
                facts.append(StateFact(item: item, reading: reading))
            }
        }
        guard !layouts.migratesInSteps || items.contains(.migration) else { throw .migrationUnknown }
        return ProvenChain(
            genesisHash: genesis, header: header, runtime: runtime, time: time, source: layouts.source,
            facts: facts)
    }

    private mutating func always<T>(
        _ kind: StateItem.Kind, _ header: BlockHeader, _ expected: RuntimeVersion,
        _ decode: ([UInt8]) throws(StateValue.Misfit) -> T
    ) throws(StateProofError) -> T {
        guard case .present(let bytes) = try read(StateEntry(kind).key([]), under: header.stateRoot) else {
            throw .missing(kind)
        }
        do throws(StateValue.Misfit) { return try decode(bytes) } catch {
            throw .layout(kind, bytes: bytes.count, expected)
        }
    }

    /// nil for item `0f`, which says nothing but that it is absent.
    /// - `known`: the facts of the items before it; a bond is before its ledger.
    private mutating func reading(
        _ item: StateItem, _ header: BlockHeader, _ layouts: StateLayouts, beside known: [StateFact]
    ) throws(StateProofError) -> StateFact.Reading? {
        switch item.kind {
        case .codeHash:
            switch try find(item.storageKey, under: header.stateRoot) {
            case .hashed(let hash): return .present(.codeHash(hash))
            // No runtime fits into a node, so this is not a chain that is known here.
            case .inline(let bytes): throw .layout(.codeHash, bytes: bytes.count, layouts.runtime)
            case .none: return .absent
            }
        case .migration:
            guard try read(item.storageKey, under: header.stateRoot) == .absent else {
                throw .migration(block: header.number)
            }
            return nil
        case .runtime, .time, .account, .assetMetadata, .assetAccount, .foreignMetadata, .foreignAccount,
            .proxies, .multisig, .bonded, .ledger, .nextKeys, .identity, .superIdentity:
            try layouts.require(item.kind)
            switch try read(item.storageKey, under: header.stateRoot) {
            case .present(let bytes):
                let value = try layouts.value(item.kind, bytes)
                guard Self.isLedger(value, of: item, beside: known) else {
                    throw .layout(item.kind, bytes: bytes.count, layouts.runtime)
                }
                return .present(value)
            case .absent: return .absent
            }
        }
    }

    /// A ledger lies under the account that controls a bond and names the account that has bonded. Where the
    /// two differ, only a proven bond leads from one to the other: without it the ledger of a stranger would
    /// stand under the name of an account of the transaction. Every other value is as its row says.
    private static func isLedger(_ value: StateValue, of item: StateItem, beside known: [StateFact]) -> Bool {
        guard case .ledger(let ledger) = value, case .ledger(let controller) = item else { return true }
        let bond = known.first { $0.item == .bonded(ledger.stash) }?.reading
        return (bond ?? .present(.bonded(ledger.stash))) == .present(.bonded(controller))
    }

    /// Own header → relay state root → head of the other parachain → what stands under its state root.
    fileprivate mutating func hop(
        _ hop: StateHop, from header: BlockHeader, of checkpoint: StateCheckpoint,
        by authority: some LayoutAuthority
    ) throws(StateProofError) -> ProvenChain {
        let root =
            authority.isRelay(checkpoint.genesisHash) ? header.stateRoot : try header.relayStateRoot()
        let key = StateEntry.parachainHeads.key([hop.para.littleEndianBytes])
        guard case .present(let value) = try read(key, under: root) else { throw .hop(.missing(hop.para)) }
        let head: [UInt8]
        do throws(SCALEError) {
            var reader = SCALEReader(value)
            head = try reader.byteVector()
            try reader.finish()
        } catch {
            throw .hop(.head(hop.para))
        }
        let decoded = try BlockHeader(head)
        guard let listed = authority.parachain(hop.para, beside: checkpoint.genesisHash) else {
            throw .hop(.unlisted(hop.para))
        }
        // An older block of the own chain would stand beside the proven one, and a person could take its
        // numbers for those of today.
        guard listed.genesisHash != checkpoint.genesisHash else { throw .hop(.own(hop.para)) }
        let expected = RuntimeVersion(specName: listed.name.text, specVersion: 0)
        return try chain(listed.genesisHash, decoded, hop.items, expected) {
            (found) throws(StateProofError) in
            guard found.specName.utf8Equals(listed.name.text) else {
                throw .hop(
                    .otherName(hop.para, expected: listed.name, found: ExactText(found.specName)))
            }
            return try authority.layouts(of: listed.genesisHash, at: found)
        }
    }
}
