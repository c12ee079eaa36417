import Forge
import Hashing
import SCALE
import SubstratePrimitives
import TestSupport

@testable import StateProof
@testable import UOS

/// The golden cases that are bytes of one kind; `fixtures/state/README.md` says where they come from.
private struct StateSeeds: Decodable {
    struct Case: Decodable { let payload: String }
    struct Nodes: Decodable { let nodes: [String] }
    struct Node: Decodable { let node: String? }
    struct Header: Decodable { let header: String }

    let payloads: [Case]
    let refused_payloads: [Case]
    let tries: [Nodes]
    let others_proofs: [Nodes]
    let refused_nodes: [Node]
    let others_headers: [Header]

    static let golden: StateSeeds = try! Checkout.json("fixtures/state/vectors.json")

    var accepted: [[UInt8]] { payloads.compactMap { hex($0.payload) } }
    var envelopes: [StateEnvelope] { accepted.compactMap { try? Payload($0).state } }
}

/// Payloads a8 that are accepted and refused, for every target that reads payloads.
var statePayloads: [[UInt8]] {
    StateSeeds.golden.accepted + StateSeeds.golden.refused_payloads.compactMap { hex($0.payload) }
}

// MARK: A chain whose state is known

/// One item of each kind that has one.
private func item(_ kind: StateItem.Kind) -> StateItem? {
    let (alice, location) = (SampleChain.alice, [UInt8](arrayLiteral: 1, 1, 0, 8))
    return switch kind {
    case .runtime, .time: nil
    case .account: .account(alice)
    case .assetMetadata: .assetMetadata(1984)
    case .assetAccount: .assetAccount(1984, alice)
    case .foreignMetadata: .foreignMetadata(location)
    case .foreignAccount: .foreignAccount(location, alice)
    case .proxies: .proxies(alice)
    case .multisig: .multisig(alice, callHash: .blake2b(of: []))
    case .bonded: .bonded(alice)
    case .ledger: .ledger(alice)
    case .nextKeys: .nextKeys(alice)
    case .identity: .identity(alice)
    case .superIdentity: .superIdentity(alice)
    case .codeHash: .codeHash
    case .migration: .migration
    }
}

/// A value of each kind that a golden payload proves.
private let goldenValues: [StateItem.Kind: [UInt8]] = {
    var values: [StateItem.Kind: [UInt8]] = [:]
    for envelope in StateSeeds.golden.envelopes {
        guard let root = try? BlockHeader(envelope.header).stateRoot else { continue }
        var walk = TrieWalk(GatheredNodes(envelope.nodes))
        let keys = StateItem.Kind.alwaysRead + envelope.items.map { (kind: $0.kind, key: $0.storageKey) }
        for (kind, key) in keys {
            if case .present(let value)? = try? walk.read(key, under: root) { values[kind] = value }
        }
    }
    return values
}()

/// What one chain holds right after one block, and all nodes that prove it.
private struct KnownState {
    let header: [UInt8]
    let checkpoint: StateCheckpoint
    let values: [[UInt8]: [UInt8]]
    let nodes: [[UInt8]]

    init(_ change: (inout SampleChain) -> Void) {
        var chain = SampleChain()
        for (kind, value) in goldenValues {
            if let item = item(kind) { chain[item] = value }
        }
        chain[.account(SampleChain.bob)] = SampleChain.account(free: 7)
        chain[StateItem.codeHash] = [UInt8](repeating: 7, count: 40)
        chain[StateItem.migration] = nil
        change(&chain)
        let trie = chain.trie
        (header, checkpoint, values) = (chain.header.encoded, chain.checkpoint, chain.values)
        nodes = trie.nodes.keys.sorted { $0.hex < $1.hex }.compactMap { trie.nodes[$0] }
    }

    /// What an honest proof says of an item.
    func reading(_ item: StateItem) -> StateFact.Reading? {
        guard let value = values[item.storageKey] else { return .absent }
        guard item.kind != .codeHash else { return .present(.codeHash(.blake2b(of: value))) }
        return (try? StateValue(item.kind, value, hasClaimedRewards: false)).map { .present($0) }
    }

    func holds(_ chain: ProvenChain) {
        precondition(chain.header.encoded == header, "a fact of another block")
        for fact in chain.facts {
            precondition(fact.reading == reading(fact.item), "a fact that the chain does not hold")
        }
    }
}

private let peopleNumber: UInt32 = 1004

private let people = KnownState {
    $0.number = 4_000_000
    $0.setRuntime(RuntimeVersion(specName: "people-polkadot", specVersion: 2_002_002))
}

private let relay = KnownState {
    $0.values[StateEntry.parachainHeads.key([peopleNumber.littleEndianBytes])] = SCALEWriter.encode {
        $0.byteVector(people.header)
    }
}

private func holds(_ proven: ProvenState) {
    relay.holds(proven.chain)
    if let hop = proven.hop {
        precondition(hop.para == peopleNumber, "another parachain")
        people.holds(hop.chain)
    }
}

/// An honest chain's proof is never broken, whatever its values are.
private func isOfValues(_ error: StateProofError) -> Bool {
    switch error {
    case .headerHash, .phase, .immortal, .noCheckpoint, .nodeHash, .nodeMissing, .leftover, .node, .foreign,
        .noLayout, .layoutsDiffer, .network:
        false
    case .limit, .header, .runtime, .missing, .migration, .migrationUnknown, .layout, .hop: true
    }
}

// MARK: Targets

/// Law 52 of the state proofs.
let stateTargets = [
    FuzzTarget(name: "state", longest: 65_536, seeds: { statePayloads }) { input in
        guard let payload = try? Payload(input), let state = payload.state else { return }
        let whole = try? payload.guardRound?.around(payload) ?? state.around(payload)
        precondition(whole == input, "a state proof has two encodings")
        let items = [state.items, state.hop?.items ?? []]
        precondition(
            items.allSatisfy {
                zip($0, $0.dropFirst()).allSatisfy { $0.bytes.lexicographicallyPrecedes($1.bytes) }
            },
            "items that do not ascend")
        let nodes = state.nodes.map(\.count)
        precondition(
            state.header.count <= 4_096 && items.allSatisfy { $0.count <= 24 } && nodes.count <= 256
                && nodes.allSatisfy { $0 <= 16_384 } && nodes.reduce(0, +) <= 49_152,
            "a state proof above its limits")
    },
    FuzzTarget(
        name: "header", longest: 4_200,
        seeds: {
            StateSeeds.golden.others_headers.compactMap { hex($0.header) }
                + StateSeeds.golden.envelopes.map(\.header)
        }
    ) { input in
        guard let header = try? BlockHeader(input) else { return }
        precondition(header.encoded == input && input.count <= 4_096, "a header has two encodings")
        precondition(header.hash == .blake2b(of: input), "the hash of another block")
        guard let root = try? header.relayStateRoot() else { return }
        let notes = header.digest.filter {
            if case .consensus(BlockHeader.relayState, let data) = $0 {
                data.starts(with: root.bytes)
            } else {
                false
            }
        }
        precondition(notes.count == 1, "a relay state that is not in the header")
    },
    // One node, which is read as a trie of its own too.
    FuzzTarget(
        name: "trie", longest: 17_000,
        seeds: {
            let golden = StateSeeds.golden
            let nodes = (golden.tries + golden.others_proofs).flatMap(\.nodes)
            return Set(nodes + golden.refused_nodes.compactMap(\.node)).sorted().compactMap { hex($0) }
        }
    ) { input in
        guard let node = try? TrieNode(input, isRoot: true) else {
            return precondition((try? TrieNode(input, isRoot: false)) == nil, "a node that is no root")
        }
        precondition(node.encoded == input, "a node has two encodings")
        precondition((try? TrieNode(input, isRoot: false)) == (input == [0] ? nil : node), "two readings")
        precondition(node.partial.count <= 512 && node.partial.allSatisfy { $0 < 16 }, "a partial key")
        guard node.partial.count.isMultiple(of: 2) else { return }
        let key = stride(from: 0, to: node.partial.count, by: 2).map {
            node.partial[$0] << 4 | node.partial[$0 + 1]
        }
        var walk = TrieWalk(ListedNodes([input]))
        let found = try? walk.read(key, under: .blake2b(of: input))
        switch node.value {
        case .none: precondition(found == .absent, "a value that no node holds")
        case .inline(let bytes): precondition(found == .present(bytes), "another value than the node's")
        case .hashed: precondition(found == nil, "a value that was not given")
        }
    },
    // A proof without its transaction, about one block of a chain whose state is known.
    FuzzTarget(
        name: "proven", longest: 32_768, memory: 2048, seconds: 10,
        seeds: {
            let items = StateItem.Kind.allCases.compactMap(item)
            let hop = StateHop(para: peopleNumber, items: items.filter { $0.kind == .identity })
            let choices: [([StateItem], StateHop?)] =
                items.map { ([$0], nil) } + [(items, nil), ([], hop), (items, hop)]
            return try choices.map { items, hop in
                try StateEnvelope(header: relay.header, items: items, hop: hop, nodes: []).ordered(
                    relay.checkpoint, by: PrototypeAuthority(), from: relay.nodes + people.nodes
                ).bytes
            }
        }
    ) { input in
        var reader = SCALEReader(input)
        guard let envelope = try? StateEnvelope(from: &reader) else { return }
        let authority = PrototypeAuthority()
        if let proven = try? envelope.verified(relay.checkpoint, by: authority) {
            holds(proven)
            let again = try? envelope.ordered(
                relay.checkpoint, by: authority, from: envelope.nodes.reversed())
            precondition(again == envelope, "a proof has two orders")
        }
        // The same questions, answered by all of the chain.
        let question = StateEnvelope(
            header: relay.header, items: envelope.items, hop: envelope.hop, nodes: [])
        do throws(StateProofError) {
            let answer = try question.ordered(
                relay.checkpoint, by: authority, from: relay.nodes + people.nodes)
            holds(try answer.verified(relay.checkpoint, by: authority))
        } catch {
            precondition(isOfValues(error), "an honest proof is refused")
        }
    },
    // Two choices of the layouts, then values of a chain: a kind, or a kind + 128 of what is absent, the
    // length in two bytes, and the value.
    FuzzTarget(
        name: "values", longest: 17_000, memory: 2048, seconds: 10,
        seeds: {
            let values = goldenValues.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, value in
                [kind.rawValue, UInt8(value.count >> 8), UInt8(value.count & 255)] + value
            }
            return values.map { [0] + $0 } + [[0] + values.joined(), [3] + values.joined()]
        }
    ) { input in
        guard let choice = input.first else { return }
        var authority = PrototypeAuthority()
        (authority.hasClaimedRewards, authority.migratesInSteps) = (choice & 1 != 0, choice & 2 != 0)
        var (chain, items, rest) = (SampleChain(), Set<StateItem>(), input.dropFirst())
        while rest.count >= 3 {
            let (byte, high, low) = (rest.removeFirst(), rest.removeFirst(), rest.removeFirst())
            let length = Int(high) << 8 | Int(low)
            let value = byte < 128 ? Array(rest.prefix(length)) : nil
            rest = rest.dropFirst(length)
            guard let kind = StateItem.Kind(rawValue: byte & 15) else { continue }
            if let item = item(kind) {
                chain[item] = value
                items.insert(item)
            } else {
                chain[kind] = value
            }
        }
        do throws(StateProofError) {
            let envelope = try chain.envelope(Array(items), by: authority)
            let facts = try envelope.verified(chain.checkpoint, by: authority).chain.facts
            precondition(facts.map(\.item) == envelope.items.filter { $0 != .migration }, "other facts")
            for fact in facts {
                let isThere = chain.values[fact.item.storageKey] != nil
                precondition(
                    isThere == (fact.reading != .absent), "what is there is absent, or the other way")
            }
        } catch {
            precondition(isOfValues(error), "an honest proof is refused")
        }
    },
]
