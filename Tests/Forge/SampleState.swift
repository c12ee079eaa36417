import Hashing
import SCALE
import StateProof
import SubstratePrimitives
import UOS

/// A trie of the state, built by its definition: the longest common partial, a branch for each further
/// nibble, short nodes inside their parents.
public struct SampleTrie {
    let version: Int
    public private(set) var nodes: [Hash32: [UInt8]] = [:]
    public private(set) var root = Hash32.blake2b(of: [])

    /// How many nibbles of a key are read where strangers' keys part from it.
    private let crowd: Set<Int>

    /// - Parameters:
    ///   - pairs: keys and values.
    ///   - version: of the state.
    ///   - crowd: where every other nibble leads to strangers, of whom only the hashes are known: what a
    ///     chain with many accounts has on the way to each of them.
    public init(_ pairs: [[UInt8]: [UInt8]], version: Int = 1, crowd: Set<Int> = []) {
        self.version = version
        self.crowd = crowd
        let keys = pairs.map { (path: $0.key.flatMap { [$0 >> 4, $0 & 0xf] }, value: $0.value) }
        root = store((keys.isEmpty ? TrieNode.empty : node(keys[...], depth: 0)).encoded)
    }

    private mutating func store(_ bytes: [UInt8]) -> Hash32 {
        let hash = Hash32.blake2b(of: bytes)
        nodes[hash] = bytes
        return hash
    }

    private mutating func node(_ pairs: ArraySlice<(path: [UInt8], value: [UInt8])>, depth: Int) -> TrieNode {
        var partial = pairs.first!.path
        for pair in pairs {
            partial = zip(partial, pair.path).prefix { $0 == $1 }.map(\.0)
        }
        if let parted = crowd.filter({ $0 >= depth && $0 - depth < partial.count }).min() {
            partial = Array(partial.prefix(parted - depth))
        }
        let length = partial.count
        let value = pairs.first { $0.path.count == length }.map { stored($0.value) }
        let further = pairs.filter { $0.path.count > length }
        guard !further.isEmpty else { return TrieNode(partial: partial, value: value, children: []) }
        var children = [TrieNode.Child?](repeating: nil, count: 16)
        for nibble in UInt8(0)..<16 {
            let below = further.filter { $0.path[length] == nibble }
            guard !below.isEmpty else {
                if crowd.contains(depth + length) {
                    children[Int(nibble)] = .hashed(.blake2b(of: further[0].path + [nibble]))
                }
                continue
            }
            let node = node(
                below.map { (Array($0.path.dropFirst(length + 1)), $0.value) }[...], depth: depth + length + 1
            )
            let bytes = node.encoded
            children[Int(nibble)] = bytes.count < 32 ? .inline(node) : .hashed(store(bytes))
        }
        return TrieNode(partial: partial, value: value, children: children)
    }

    private mutating func stored(_ value: [UInt8]) -> TrieNode.Value {
        version == 1 && value.count >= 33 ? .hashed(store(value)) : .inline(value)
    }
}

/// A chain at one block, with whatever state a test needs.
public struct SampleChain {
    public static let alice = AccountID32(
        hex: "d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d")!
    public static let bob = AccountID32(
        hex: "8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48")!

    public var genesis = PrototypeAuthority.relay
    public var runtime = RuntimeVersion(specName: "polkadot", specVersion: 2_003_000)
    public var number: UInt32 = 28_123_456
    public var period: UInt32 = 256
    public var digest: [BlockHeader.DigestItem] = []
    public var values: [[UInt8]: [UInt8]] = [:]
    /// See ``SampleTrie/init(_:version:crowd:)``.
    public var crowd: Set<Int> = []

    public init(time: UInt64 = 1_764_000_000_000) {
        self[.time] = SCALEWriter.encode { $0.integer(time) }
        setRuntime(runtime)
    }

    /// What the state says that it runs.
    public mutating func setRuntime(_ runtime: RuntimeVersion) {
        self[.runtime] = SCALEWriter.encode {
            $0.compact(UInt64(runtime.specVersion))
            $0.string(runtime.specName)
        }
    }

    public subscript(kind: StateItem.Kind) -> [UInt8]? {
        get { values[StateEntry(kind).key([])] }
        set { values[StateEntry(kind).key([])] = newValue }
    }

    public subscript(item: StateItem) -> [UInt8]? {
        get { values[item.storageKey] }
        set { values[item.storageKey] = newValue }
    }

    public var trie: SampleTrie { SampleTrie(values, crowd: crowd) }

    public var header: BlockHeader {
        BlockHeader(
            parent: .blake2b(of: [1]), number: number, stateRoot: trie.root,
            extrinsicsRoot: .blake2b(of: [2]),
            digest: digest)
    }

    public var checkpoint: StateCheckpoint {
        StateCheckpoint(
            genesisHash: genesis, blockHash: header.hash,
            era: MortalEra(period: period, phase: number % period)!, runtime: runtime)
    }

    /// The proof with its nodes in order, as an online machine makes it.
    public func envelope(
        _ items: [StateItem], hop: StateHop? = nil, by authority: some LayoutAuthority = PrototypeAuthority(),
        with further: [[UInt8]] = []
    ) throws(StateProofError) -> StateEnvelope {
        try StateEnvelope(header: header.encoded, items: items, hop: hop, nodes: []).ordered(
            checkpoint, by: authority, from: Array(trie.nodes.values) + further)
    }

    /// What is proven of one item.
    public func reading(
        _ item: StateItem, by authority: some LayoutAuthority = PrototypeAuthority()
    ) throws(StateProofError) -> StateFact.Reading {
        let envelope = try envelope([item], by: authority)
        return try envelope.verified(checkpoint, by: authority).chain.facts[0].reading
    }

    public static func account(
        nonce: UInt32 = 866, free: UInt128 = 0, reserved: UInt128 = 0, frozen: UInt128 = 0,
        flags: UInt128 = 1 << 127
    ) -> [UInt8] {
        SCALEWriter.encode { writer in
            for number in [nonce, 1, 1, 0] { writer.integer(number) }
            for amount in [free, reserved, frozen, flags] { writer.integer(amount) }
        }
    }
}

/// The prototype has one row a kind for every chain, and every hop leads to the People chain.
public struct PrototypeAuthority: LayoutAuthority {
    public static let relay = WellKnownChain.chains(named: "polkadot")[0].genesisHash
    public static let parachain = WellKnownChain.chains(named: "statemint")[0].genesisHash

    public var kinds = Set(StateItem.Kind.allCases)
    public var hasClaimedRewards = false
    public var migratesInSteps = false

    public init() {}

    public func layouts(of genesis: GenesisHash, at runtime: RuntimeVersion) throws(StateProofError)
        -> StateLayouts
    {
        StateLayouts(
            source: .metadata(runtime.specVersion), runtime: runtime, kinds: kinds,
            hasClaimedRewards: hasClaimedRewards, migratesInSteps: migratesInSteps)
    }

    public func isRelay(_ genesis: GenesisHash) -> Bool { genesis == Self.relay }

    public func parachain(_ para: UInt32, beside genesis: GenesisHash) -> StateChain? {
        StateChain.all.first { $0.name == "people-polkadot" }
    }
}
