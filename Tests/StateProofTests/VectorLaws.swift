import Diagnostics
import Forge
import Hashing
import SubstratePrimitives
import TestSupport
import Testing
import UOS

@testable import StateProof

/// What the prototype froze: laws 1, 8, 11 to 15, 18 to 20 and 47 of the state proofs.
@Suite struct StateVectorLaws {
    /// The part in the repository; with the shared data, all cases.
    private static func all() throws -> [StateVectors] {
        guard try SharedData.path("state-proofs/vectors.json") != nil else { return [.own] }
        return [.own, try Checkout.json("../shared/data/state-proofs/vectors.json")]
    }

    private static func shared() -> [StateVectors] { (try? all()) ?? [.own] }

    /// Law 1. The signed bytes name no block, never expire, or name other accounts: what the review finds.
    private static let foundInSignedBytes: Set = [
        "immortal", "no block hash among the extensions", "an account that the transaction does not name",
    ]

    @Test func `1 Every golden payload is accepted, with the blocks that it proves`() throws {
        var seen = 0
        for vectors in Self.shared() {
            for vector in vectors.payloads {
                let payload = try Payload(StateVectors.bytes(vector.payload))
                let envelope = try #require(payload.state)
                let checkpoint = try #require(vector.signed.checkpoint)
                let proven = try envelope.verified(checkpoint, by: PrototypeAuthority())
                let chains = [proven.chain] + (proven.hop.map { [$0.chain] } ?? [])
                #expect(chains.map(\.header.number) == vector.chains.map(\.block), "\(vector.name)")
                #expect(try envelope.around(payload) == StateVectors.bytes(vector.payload))
                // Only the walk's own order is a proof, and the walk finds it again.
                let gathered = Array(envelope.nodes.reversed())
                #expect(
                    try envelope.ordered(checkpoint, by: PrototypeAuthority(), from: gathered) == envelope)
                seen += 1
            }
        }
        #expect(seen >= 4)
    }

    @Test func `1 Every refused payload is refused with its own code`() throws {
        var seen = 0
        for vectors in Self.shared() {
            for vector in vectors.refused_payloads {
                guard !Self.foundInSignedBytes.contains(vector.name) else { continue }
                #expect(Self.code(of: vector) == vector.refusal, "\(vector.name)")
                seen += 1
            }
        }
        #expect(seen >= 17)
    }

    private static func code(of vector: StateVectors.Refused) -> String {
        do {
            let payload = try Payload(StateVectors.bytes(vector.payload))
            guard let envelope = payload.state, let checkpoint = vector.signed.checkpoint else {
                return "no state"
            }
            _ = try envelope.verified(checkpoint, by: PrototypeAuthority())
            return "accepted"
        } catch {
            return Diagnostic.Code(of: error).rawValue
        }
    }

    @Test func `12 to 14 Every key of the golden tries reads as frozen, in the golden order of nodes`() throws
    {
        for vectors in Self.shared() {
            for trie in vectors.tries {
                var walk = TrieWalk(ListedNodes(trie.nodes.map(StateVectors.bytes)))
                for (key, reading) in StateVectors.readings(trie.reads) {
                    #expect(
                        try walk.read(key, under: StateVectors.hash(trie.root)) == reading,
                        "\(trie.name) \(trie.state_version) \(Hex.encode(key))")
                }
                try walk.nodes.finish()
                // The tests' own trie is the same one, so what they say of it holds for chains.
                let pairs = Dictionary(
                    uniqueKeysWithValues: trie.pairs.map {
                        (StateVectors.bytes($0.key), StateVectors.bytes($0.value))
                    })
                #expect(
                    SampleTrie(pairs, version: trie.state_version).root == StateVectors.hash(trie.root),
                    "\(trie.name)")
            }
        }
    }

    @Test func `20 Every refused node is refused with its own code`() throws {
        for vector in StateVectors.own.refused_nodes {
            guard let node = vector.node, let refusal = vector.refusal else { continue }
            let bytes = StateVectors.bytes(node)
            // Below a root, so that the empty trie is refused as well.
            let root = TrieNode(
                partial: [], value: nil,
                children: [.hashed(.blake2b(of: bytes))] + [TrieNode.Child?](repeating: nil, count: 15)
            ).encoded
            let found = #expect(throws: StateProofError.self) {
                var walk = TrieWalk(ListedNodes([root, bytes]))
                _ = try walk.read([0x01], under: .blake2b(of: root))
            }
            #expect(found?.code.rawValue == refusal, "\(vector.name)")
            if refusal == "state-node" { #expect(found == .node(2), "\(vector.name)") }
        }
    }

    @Test func `19 A stored value that is a valid node is returned whole and never walked`() throws {
        let vector = try #require(StateVectors.own.refused_nodes.first { $0.root != nil })
        let (root, nodes) = (try #require(vector.root), try #require(vector.nodes).map(StateVectors.bytes))
        var walk = TrieWalk(ListedNodes(nodes))
        for (key, reading) in StateVectors.readings(try #require(vector.reads)) {
            #expect(try walk.read(key, under: StateVectors.hash(root)) == reading)
        }
        try walk.nodes.finish()
    }

    @Test func `1 Real proofs of others read as their nodes said`() throws {
        for vectors in Self.shared() {
            for proof in vectors.others_proofs {
                var walk = TrieWalk(GatheredNodes(proof.nodes.map(StateVectors.bytes)))
                for (key, reading) in StateVectors.readings(proof.reads) {
                    #expect(
                        try walk.read(key, under: StateVectors.hash(proof.state_root)) == reading,
                        "\(proof.name)")
                }
                // The order that the walk found is one that it takes.
                var listed = TrieWalk(ListedNodes(walk.nodes.ordered))
                for (key, reading) in StateVectors.readings(proof.reads) {
                    #expect(try listed.read(key, under: StateVectors.hash(proof.state_root)) == reading)
                }
                try listed.nodes.finish()
            }
        }
    }

    @Test func `8 Real headers hash to their published block hash, and encode to themselves`() throws {
        for vector in StateVectors.own.others_headers {
            let bytes = StateVectors.bytes(vector.header)
            let header = try BlockHeader(bytes)
            #expect(header.hash.hex == vector.hash && header.number == vector.number, "\(vector.source)")
            #expect(header.stateRoot.hex == vector.state_root && header.encoded == bytes)
        }
        #expect(StateVectors.own.others_headers.count == 8)
    }

    @Test func `11 The genesis header of Polkadot hashes to its genesis hash`() throws {
        let root = StateVectors.hash("29d0d972cd27cbc511e9589fcb7a4506d5eb6a9e8df205f00472e5ab354a4e17")
        #expect(Self.genesis(root).hash == PrototypeAuthority.relay)
        #expect(
            SampleTrie([:]).root.hex == "03170a2e7597b7b7e3d84c05391d139a62b157e78786d8c082f29dcf4c111314")
    }

    /// A first block has no parent, no number, no digest, and no transactions: the root of an empty trie.
    private static func genesis(_ stateRoot: Hash32) -> BlockHeader {
        BlockHeader(
            parent: Hash32([UInt8](repeating: 0, count: 32))!, number: 0, stateRoot: stateRoot,
            extrinsicsRoot: SampleTrie([:]).root, digest: [])
    }

    /// Roots that the prototype computed of whole states, of both versions, against published hashes.
    @Test func `15 The roots of whole states give the genesis hashes of six chains`() {
        let chains = StateVectors.own.others_genesis_roots
        #expect(chains.count == 6 && Set(chains.map(\.version)) == [0, 1])
        for chain in chains {
            let header = Self.genesis(StateVectors.hash(chain.state_root))
            #expect(header.hash.hex == chain.genesis, "\(chain.name)")
        }
    }

    /// What smoldot, a light client of others, made of whole states: see `fixtures/state/README.md`.
    private struct LightClient: Decodable {
        struct State: Decodable {
            let version: Int
            let pairs: [String: String]
            let genesis: String
        }
        struct Kusama: Decodable {
            let genesis: String
            let state_root: String
            let nodes: [String]
            let reads: [[String?]]
        }
        let states: [State]
        let proof: Kusama

        static let frozen: LightClient = try! Checkout.json("fixtures/state/light-client.json")
    }

    @Test func `15 51 Another program hashes whole states of both versions to the same first block`() throws {
        let states = LightClient.frozen.states
        #expect(states.count == 24 && Set(states.map(\.version)) == [0, 1])
        for state in states {
            let pairs = Dictionary(
                uniqueKeysWithValues: state.pairs.map { (StateVectors.bytes($0), StateVectors.bytes($1)) })
            let trie = SampleTrie(pairs, version: state.version)
            #expect(Self.genesis(trie.root).hash.hex == state.genesis)
            #expect(SampleTrie(pairs, version: 1 - state.version).root != trie.root)
            // The same root is the same nodes, so what is read here is read of that program's trie.
            var walk = TrieWalk(GatheredNodes(trie.nodes.values))
            for (key, value) in pairs {
                #expect(try walk.read(key, under: trie.root) == .present(value))
                let longer = key + [0]
                if pairs[longer] == nil, longer.count <= 256 {
                    #expect(try walk.read(longer, under: trie.root) == .absent)
                }
            }
        }
    }

    @Test func `15 Keys of the first state of Kusama are read under the root of its genesis hash`() throws {
        let kusama = LightClient.frozen.proof
        let root = StateVectors.hash(kusama.state_root)
        let known = WellKnownChain.chains(named: "kusama")[0].genesisHash
        #expect(Self.genesis(root).hash == known && known.hex == kusama.genesis)
        let readings = StateVectors.readings(kusama.reads)
        #expect(
            readings.count { $0.reading != .absent } >= 6 && readings.count { $0.reading == .absent } >= 4)
        var walk = TrieWalk(GatheredNodes(kusama.nodes.map(StateVectors.bytes)))
        for (key, reading) in readings { #expect(try walk.read(key, under: root) == reading) }
        #expect(Set(walk.nodes.ordered) == Set(kusama.nodes.map(StateVectors.bytes)))
        for left in walk.nodes.ordered.indices {
            var nodes = walk.nodes.ordered
            nodes.remove(at: left)
            var short = TrieWalk(GatheredNodes(nodes))
            #expect(throws: StateProofError.nodeMissing) {
                for (key, _) in readings { _ = try short.read(key, under: root) }
            }
        }
    }

    /// The frozen tries are another's, so the builder of the tests is not its own witness.
    @Test func `15 The tries of the tests have the roots that the prototype froze`() throws {
        for vectors in Self.shared() {
            for trie in vectors.tries {
                let pairs = trie.pairs.map { (StateVectors.bytes($0), StateVectors.bytes($1)) }
                let built = SampleTrie(
                    Dictionary(uniqueKeysWithValues: pairs), version: trie.state_version)
                #expect(built.root.hex == trie.root, "\(trie.name), version \(trie.state_version)")
            }
        }
    }

    @Test func `47 A real header leads through its relay root to the head of a parachain`() throws {
        for vector in StateVectors.own.others_hops {
            let header = try BlockHeader(StateVectors.bytes(vector.header))
            #expect(header.hash.hex == vector.hash)
            let root = try header.relayStateRoot()
            #expect(root.hex == vector.relay_root)
            let key = StateEntry.parachainHeads.key([vector.para.littleEndianBytes])
            #expect(Hex.encode(key) == vector.key)
            var walk = TrieWalk(GatheredNodes(vector.nodes.map(StateVectors.bytes)))
            guard case .present(let value) = try walk.read(key, under: root) else {
                Issue.record("no head")
                continue
            }
            // A byte vector: the length of a real head takes two bytes.
            let head = try BlockHeader(Array(value.dropFirst(2)))
            #expect(head.number == vector.head_number && head.hash.hex == vector.head_hash)
            #expect((head.hash == header.parent) == vector.head_is_parent)
        }
        #expect(StateVectors.own.others_hops.count == 2)
    }

    @Test func `36 Pallets and entries stand under their published prefixes`() {
        for vector in StateVectors.own.hashes {
            #expect(Hex.encode(Twox.hash128(Array(vector.of.utf8))) == vector.twox_128)
        }
        // Of the real proofs: an account of Polkadot, an asset account of 102, the head of 1005.
        let account = StateItem.account(
            AccountID32(hex: "4adf51a47b72795366d52285e329229c836ea7bbfe139dbe8fa0700c4f86fc56")!)
        #expect(
            Hex.encode(account.storageKey)
                == "26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9"
                + "d8425c41fd2745691cf138e0b26aec874adf51a47b72795366d52285e329229c836ea7bbfe139dbe8fa0700c4f86fc56"
        )
        let asset = StateItem.assetAccount(102, SampleChain.bob)
        #expect(
            Hex.encode(asset.storageKey)
                == "682a59d51ab9e48a8c8cc418ff9708d2b99d880ec681799c0cf30e8886371da990f701b9051ba8de3db0172b733bc759"
                + "660000004f9aea1afa791265fae359272badc1cf8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48"
        )
        #expect(StateItem.codeHash.storageKey == Array(":code".utf8))
    }
}
