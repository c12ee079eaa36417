import NodeAnswers
import SubstratePrimitives

/// Several nodes that must agree before any is believed.
///
/// Whoever runs a host chooses what every port and path of it answers, so a host has one voice however many
/// URLs it has. One host that disagrees refuses everything: which of the answers is the lie is for a person
/// to find out.
public struct NodeQuorum: Sendable {
    /// An answer that all of the needed hosts gave.
    public struct Agreement<Answer: Sendable>: Sendable {
        /// One for each host; their facts are equal.
        public let answers: [Answer]
        public let hosts: [String]
    }

    private struct Voice: Sendable {
        let host: String
        let pool: NodePool
    }

    /// What a node says about its chain before a common block is chosen.
    private struct Head: Sendable {
        let genesis: GenesisHash
        let finalized: BlockReference
    }

    /// Blocks between the newest finalized ones of nodes that are up to date. A node further behind could
    /// show everyone an old runtime.
    static let maximumLag: UInt32 = 64

    private let voices: [Voice]
    private let needed: Int

    /// - Parameter needed: hosts that must agree, at least 1.
    public init(_ pool: NodePool, needed: Int) throws(QuorumError) {
        try self.init(pool, needed: needed, machines: \.machines)
    }

    /// - Parameter machines: those that a URL leads to.
    init(_ pool: NodePool, needed: Int, machines: (NodeURL) -> Set<String>) throws(QuorumError) {
        var urls: [(host: String, addresses: Set<String>, urls: [NodeURL])] = []
        for url in pool.urls {
            let host = url.canonicalHost
            // Several names may lead to one machine: `localhost` and 127.0.0.1 have one voice. Names of one
            // owner whose addresses differ have several all the same, so the choice of hosts is the user's.
            let addresses = needed > 1 ? machines(url) : []
            let met = urls.indices.filter {
                urls[$0].host.utf8Equals(host) || !urls[$0].addresses.isDisjoint(with: addresses)
            }
            guard let first = met.first else {
                urls.append((host, addresses, [url]))
                continue
            }
            urls[first].urls.append(url)
            urls[first].addresses.formUnion(addresses)
            // A name that leads to two machines may reach either, so it makes one voice of theirs.
            for index in met.dropFirst().reversed() {
                urls[first].urls += urls[index].urls
                urls[first].addresses.formUnion(urls[index].addresses)
                urls.remove(at: index)
            }
        }
        guard urls.count >= needed else { throw .tooFewHosts(needed: needed, hosts: urls.map(\.host)) }
        voices = urls.map { Voice(host: $0.host, pool: pool.with(urls: $0.urls)) }
        self.needed = needed
    }

    /// Asks hosts in their order until enough have answered, all about one block.
    /// - Parameters:
    ///   - choice: the block. For `finalized` it is the newest block that all of these hosts call finalized.
    ///   - expected: the genesis hash of the network, if it is known. A node of another chain disagrees.
    ///   - facts: all parts of an answer that are used, so that hosts must agree on them.
    /// - Throws: ``QuorumError``, `RPCError.wrongChain` if all are of the same other chain, or what `work`
    ///   throws apart from errors of nodes.
    public func agree<Answer: Sendable>(
        at choice: BlockChoice, expecting expected: GenesisHash?,
        _ work: @escaping @Sendable (NodeConnection, BlockChoice) async throws -> Answer,
        facts: (Answer) -> [NodeFact]
    ) async throws -> Agreement<Answer> {
        let heads = try await ask(voices) { node in
            Head(genesis: try await node.genesisHash(), finalized: try await node.block(.finalized))
        }
        let hosts = heads.map(\.voice.host)
        try Self.compare(hosts, heads.map { [NodeFact("genesis hash", "0x\($0.answer.genesis.hex)")] })
        if let expected, let found = heads.first?.answer.genesis, found != expected {
            throw RPCError.wrongChain(expected: expected, found: found)
        }
        let common = try Self.common(choice, hosts, heads.map(\.answer.finalized.number))
        let answers = try await ask(heads.map(\.voice)) { try await work($0, common) }.map(\.answer)
        try Self.compare(hosts, answers.map(facts))
        return Agreement(answers: answers, hosts: hosts)
    }

    private static func common(_ choice: BlockChoice, _ hosts: [String], _ numbers: [UInt32])
        throws(QuorumError) -> BlockChoice
    {
        guard choice == .finalized, let lowest = numbers.min(), let highest = numbers.max() else {
            return choice
        }
        guard highest - lowest <= maximumLag else {
            let answers = zip(hosts, numbers).map { QuorumError.Answer(host: $0, value: "\($1)") }
            throw .disagreement([QuorumError.Disagreement(name: "newest finalized block", answers: answers)])
        }
        return .number(lowest)
    }

    /// A host that fails is passed over while others are left.
    private func ask<T: Sendable>(
        _ voices: [Voice], _ work: @escaping @Sendable (NodeConnection) async throws -> T
    ) async throws -> [(
        voice: Voice, answer: T
    )] {
        var answers: [(voice: Voice, answer: T)] = []
        for voice in voices where answers.count < needed {
            do { answers.append((voice, try await voice.pool.run(work))) } catch is AllNodesFailed {
                continue
            }
        }
        guard answers.count == needed else {
            throw QuorumError.tooFewAnswers(needed: needed, answered: answers.map(\.voice.host))
        }
        return answers
    }

    /// Refuses facts that differ. A host that does not know one is left out of its comparison.
    /// - Parameter facts: of each host, in the same order. No name comes twice in a list.
    static func compare(_ hosts: [String], _ facts: [[NodeFact]]) throws(QuorumError) {
        var names: [String] = []
        for name in facts.joined().map(\.name) where !names.contains(where: { $0.utf8Equals(name) }) {
            names.append(name)
        }
        let all = names.map { name in
            QuorumError.Disagreement(
                name: name,
                answers: zip(hosts, facts).compactMap { host, facts -> QuorumError.Answer? in
                    let fact = facts.first { $0.name.utf8Equals(name) }
                    if let fact, fact.value == nil { return nil }
                    return QuorumError.Answer(host: host, value: fact?.value)
                })
        }
        let different = all.filter { fact in
            guard let first = fact.answers.first?.value else {
                return fact.answers.contains { $0.value != nil }
            }
            return !fact.answers.allSatisfy { $0.value?.utf8Equals(first) ?? false }
        }
        guard different.isEmpty else { throw .disagreement(different) }
    }
}

extension ChainSnapshot {
    /// Everything that updates are made from, except the URL.
    public var facts: [NodeFact] {
        let fixed = [
            NodeFact("genesis hash", "0x\(genesisHash.hex)"), NodeFact("block", "\(block.number)"),
            NodeFact("block hash", "0x\(block.hash.hex)"),
            NodeFact("chain name", chainName),
        ]
        let tokens = properties.tokens.enumerated().flatMap { index, token in
            [
                NodeFact("symbol of token \(index + 1)", token.symbol),
                NodeFact("decimals of token \(index + 1)", "\(token.decimals)"),
            ]
        }
        let blobs = metadata.map { NodeFact("metadata V\($0[4])", "0x\(Hash32.blake2b(of: $0).hex)") }
        return fixed + runtime.facts
            + (properties.ss58Prefix.map { [NodeFact("SS58 prefix", "\($0)")] } ?? []) + tokens + blobs
    }
}

extension NodeRuntimeVersion {
    public var facts: [NodeFact] {
        [
            NodeFact("runtime", runtime.specName), NodeFact("spec version", "\(runtime.specVersion)"),
            NodeFact("transaction version", "\(transactionVersion)"),
        ]
    }
}
