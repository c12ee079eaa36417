import Metadata
import SubstratePrimitives
import UOS

/// Whose word it is what the bytes of a chain's state mean.
public enum LayoutSource: Equatable, Sendable {
    /// Metadata of exactly the signed spec version, which lies in the vault; who vouches for it is known
    /// there.
    case metadata(UInt32)
    /// The built-in table, checked from one spec version to another.
    /// - `newer`: the spec version of the block where it is above the last that was checked.
    case builtIn(name: ExactText, first: UInt32, last: UInt32, newer: UInt32?)
}

/// How the values of one chain are read at one spec version.
public struct StateLayouts: Sendable {
    public let source: LayoutSource
    /// Whether item `0f` must be there: values of two layouts stand side by side while such a chain migrates.
    public let migratesInSteps: Bool
    let runtime: RuntimeVersion
    private let readable: Set<StateItem.Kind>
    private let claimed: Bool

    /// Layouts that read some kinds of items.
    /// - Parameters:
    ///   - source: whose word they are.
    ///   - runtime: what the transaction is for, or what another chain's state says that it runs.
    ///   - kinds: what may be read.
    ///   - hasClaimedRewards: whether a ledger ends with a list of eras.
    ///   - migratesInSteps: whether item `0f` must be there.
    public init(
        source: LayoutSource, runtime: RuntimeVersion, kinds: Set<StateItem.Kind>, hasClaimedRewards: Bool,
        migratesInSteps: Bool
    ) {
        self.source = source
        self.runtime = runtime
        readable = kinds
        claimed = hasClaimedRewards
        self.migratesInSteps = migratesInSteps
    }

    /// Whether there is a row for a kind of item.
    public func reads(_ kind: StateItem.Kind) -> Bool { readable.contains(kind) }

    func value(_ kind: StateItem.Kind, _ bytes: [UInt8]) throws(StateProofError) -> StateValue {
        try require(kind)
        do throws(StateValue.Misfit) {
            return try StateValue(kind, bytes, hasClaimedRewards: claimed)
        } catch {
            throw .layout(kind, bytes: bytes.count, runtime)
        }
    }

    /// Refuses a kind that has no row here: also an absence means nothing where the entry may be another.
    func require(_ kind: StateItem.Kind) throws(StateProofError) {
        guard readable.contains(kind) else { throw .noLayout(kind, runtime) }
    }
}

// MARK: Where layouts come from

/// Who says how the state of a chain is read.
public protocol LayoutAuthority {
    /// The layouts of a chain at a spec version.
    /// - Throws: ``StateProofError/network(_:)``, ``StateProofError/noLayout(_:_:)``,
    ///   ``StateProofError/layoutsDiffer(_:_:)``
    func layouts(of genesis: GenesisHash, at runtime: RuntimeVersion) throws(StateProofError) -> StateLayouts
    /// Whether a chain's own state holds the heads of parachains.
    func isRelay(_ genesis: GenesisHash) -> Bool
    /// The parachain of a number that has the same relay chain as `genesis`, or is below it.
    func parachain(_ para: UInt32, beside genesis: GenesisHash) -> StateChain?
}

/// The built-in table, and metadata that lies in the vault.
public struct StateAuthority: LayoutAuthority {
    private let metadata: (GenesisHash, RuntimeVersion) -> RuntimeMetadata?

    /// - Parameter metadata: the stored metadata of a chain for exactly that name and spec version; nil
    ///   without it.
    public init(metadata: @escaping (GenesisHash, RuntimeVersion) -> RuntimeMetadata?) {
        self.metadata = metadata
    }

    public func isRelay(_ genesis: GenesisHash) -> Bool { StateChain.chain(genesis)?.isRelay ?? false }

    public func parachain(_ para: UInt32, beside genesis: GenesisHash) -> StateChain? {
        guard let chain = StateChain.chain(genesis) else { return nil }
        let relay = chain.parent?.relay ?? chain.name
        return StateChain.all.first { $0.parent?.relay == relay && $0.parent?.para == para }
    }

    public func layouts(
        of genesis: GenesisHash, at runtime: RuntimeVersion
    ) throws(StateProofError) -> StateLayouts {
        let chain = StateChain.chain(genesis)
        if let metadata = metadata(genesis, runtime) {
            return try MetadataLayouts(metadata, chain: chain, runtime: runtime).layouts()
        }
        guard let chain else { throw .network(ExactText(runtime.specName)) }
        return try chain.layouts(at: runtime)
    }
}

extension StateChain {
    /// The rows that hold at a spec version.
    /// - Throws: ``StateProofError/network(_:)`` below the first version that was examined
    func layouts(at runtime: RuntimeVersion) throws(StateProofError) -> StateLayouts {
        let version = runtime.specVersion
        guard version >= first else { throw .network(ExactText(runtime.specName)) }
        let isNewer = version > last
        let kinds = rows.filter { $0.first <= version && (!isNewer || $0.kind.isStable) }.map(\.kind)
        return StateLayouts(
            source: .builtIn(
                name: ExactText(runtime.specName), first: first, last: last, newer: isNewer ? version : nil),
            runtime: runtime, kinds: Set(kinds), hasClaimedRewards: hasClaimedRewards,
            migratesInSteps: stepsSince.map { version >= $0 } ?? false)
    }
}

/// Layouts of stored metadata: an entry counts as a row only if its pallet, its name, the parts of its key
/// and the shape of its value are those of the table.
struct MetadataLayouts {
    private let metadata: RuntimeMetadata
    private let chain: StateChain?
    private let runtime: RuntimeVersion

    init(_ metadata: RuntimeMetadata, chain: StateChain?, runtime: RuntimeVersion) {
        self.metadata = metadata
        self.chain = chain
        self.runtime = runtime
    }

    /// - Throws: ``StateProofError/layoutsDiffer(_:_:)`` where a built-in row of this version says otherwise:
    ///   two authorities that differ are a reason to stop
    func layouts() throws(StateProofError) -> StateLayouts {
        var kinds: Set<StateItem.Kind> = [.codeHash]
        var claimed = false
        let version = runtime.specVersion
        for kind in StateItem.Kind.allCases where kind != .codeHash {
            let row = chain?.rows.first { $0.kind == kind }
            // A chain that does not migrate in steps has no entry to agree about.
            let first = kind == .migration ? chain?.stepsSince : row?.first
            let isListed = first.map { $0 <= version && version <= chain?.last ?? 0 } ?? false
            let plain = reads(kind, hasClaimedRewards: false)
            let other = kind == .ledger && reads(kind, hasClaimedRewards: true)
            if isListed, let chain {
                guard kind == .ledger && chain.hasClaimedRewards ? other : plain else {
                    throw .layoutsDiffer(kind, runtime)
                }
            }
            if plain || other { kinds.insert(kind) }
            if other { claimed = true }
        }
        // Every chain is read with these two.
        for kind in [StateItem.Kind.runtime, .time] where !kinds.contains(kind) {
            throw .noLayout(kind, runtime)
        }
        return StateLayouts(
            source: .metadata(version), runtime: runtime, kinds: kinds, hasClaimedRewards: claimed,
            migratesInSteps: kinds.contains(.migration))
    }

    private func reads(_ kind: StateItem.Kind, hasClaimedRewards: Bool) -> Bool {
        let entry = StateEntry(kind)
        guard let found = metadata.storage(entry.entry.text, in: entry.pallet.text),
            found.prefix.utf8Equals(entry.pallet.text), readsKey(entry, found)
        else { return false }
        guard let shape = StateShape.of(kind, hasClaimedRewards: hasClaimedRewards) else {
            return kind == .migration
        }
        return StateShape(found.value, in: metadata.registry).map(shape.reads) ?? false
    }

    private func readsKey(_ entry: StateEntry, _ found: StorageEntry) -> Bool {
        let hashers = entry.parts.map { part -> StorageEntry.Hasher in
            switch part.hasher {
            case .blake2b128Concat: .blake2b128Concat
            case .twox64Concat: .twox64Concat
            }
        }
        guard found.hashers == hashers else { return false }
        guard let key = found.key else { return entry.parts.isEmpty }
        let parts: [TypeReference]
        if entry.parts.count == 1 {
            parts = [key]
        } else {
            guard case .id(let id) = key,
                case .tuple(let elements)? = try? metadata.registry.definition(of: id).shape
            else { return false }
            parts = elements
        }
        return parts.count == entry.parts.count
            && zip(entry.parts, parts).allSatisfy { part, type in
                switch part.part {
                case .account, .callHash: StateShape(type, in: metadata.registry) == .bytes32
                case .asset, .para: StateShape(type, in: metadata.registry) == .u32
                // The call names the location by the same type; here only its bytes count.
                case .location: true
                }
            }
    }
}
