import FixtureRuntime
import Hashing
import NodeAnswers
import SubstratePrimitives
import Testing

@testable import ChainRPC

@Suite(.serialized) struct QuorumTests {
    private let standIn: StandIn
    private let lyingStandIn: StandIn

    init() throws {
        standIn = try StandIn()
        lyingStandIn = try StandIn()
    }

    /// A node on another host.
    private func elsewhere(_ standIn: StandIn, _ scheme: NodeURL.Scheme, host: String = "127.0.0.2") throws -> NodeURL {
        let url = try standIn.start(scheme, ["--address", host])
        return try #require(NodeURL("\(scheme.rawValue)://\(host):\(url.port)"))
    }

    private func snapshot(
        _ urls: [NodeURL], needed: Int, at choice: BlockChoice = .finalized, expecting genesis: GenesisHash? = nil
    ) async throws -> NodeQuorum.Agreement<ChainSnapshot> {
        var options = hasty()
        options.attempts = 1
        return try await NodeQuorum(NodePool(urls, options: options), needed: needed)
            .agree(at: choice, expecting: genesis, { try await ChainSnapshot.take($0, at: $1) }, facts: \.facts)
    }

    @Test func `hosts that say the same agree about one block`() async throws {
        let (one, other) = (try standIn.start(.ws), try elsewhere(lyingStandIn, .http))
        try lyingStandIn.write(state: ["finalized": 299])
        let agreement = try await snapshot([one, other], needed: 2, expecting: standIn.genesis)
        #expect(agreement.hosts == ["127.0.0.1", "127.0.0.2"])
        #expect(agreement.answers.map(\.block.number) == [299, 299])
        #expect(agreement.answers[0].metadata == agreement.answers[1].metadata)
    }

    @Test func `ports and paths and spellings of a host are one voice`() async throws {
        let url = try standIn.start(.ws)
        let urls = try ["ws://127.0.0.1:\(url.port)/x", "http://127.1:\(url.port)", "ws://127.0.0.1:\(url.port + 1)"].map {
            try #require(NodeURL($0))
        }
        await #expect(throws: QuorumError.tooFewHosts(needed: 2, hosts: ["127.0.0.1"])) { try await snapshot([url] + urls, needed: 2) }
        #expect(standIn.asked.isEmpty)
    }

    /// Whoever owns a machine can give it any number of names.
    @Test func `names that lead to one address are one voice`() async throws {
        let url = try standIn.start(.ws)
        let named = try #require(NodeURL("ws://localhost:\(url.port)"))
        for (urls, host) in [([url, named], "127.0.0.1"), ([named, url], "localhost")] {
            await #expect(throws: QuorumError.tooFewHosts(needed: 2, hosts: [host])) { try await snapshot(urls, needed: 2) }
        }
        #expect(standIn.asked.isEmpty)
        #expect(try await snapshot([named, url], needed: 1).hosts == ["localhost"])
        let other = try elsewhere(standIn, .http)
        #expect(try await snapshot([named, url, other], needed: 2).hosts == ["localhost", "127.0.0.2"])
    }

    @Test func `a host that does not answer is passed over and does not count`() async throws {
        let sound = try standIn.start(.http)
        let broken = try #require(NodeURL("http://[::1]:1"))
        #expect(try await snapshot([broken, sound, elsewhere(standIn, .http)], needed: 2).hosts == ["127.0.0.1", "127.0.0.2"])
        await #expect(throws: QuorumError.tooFewAnswers(needed: 2, answered: ["127.0.0.1"])) {
            try await snapshot([broken, sound], needed: 2)
        }
    }

    /// What it says later belongs to no block that it was asked about.
    @Test func `a host that comes back is not heard for the one in whose place it stands`() async throws {
        let sound = try standIn.start(.http)
        let late = try lyingStandIn.start(.http, ["--fault", "500:1", "--address", "127.0.0.2"])
        let there = try #require(NodeURL("http://127.0.0.2:\(late.port)"))
        let agreement = try await snapshot([there, sound, elsewhere(standIn, .http, host: "127.0.0.3")], needed: 2)
        #expect(agreement.hosts == ["127.0.0.1", "127.0.0.3"])
        #expect(agreement.answers.map(\.url.host) == agreement.hosts)
    }

    static let lies: [(name: String, changes: [String: any Sendable])] = [
        ("genesis hash", ["genesis": "0x" + String(repeating: "ee", count: 32)]),
        ("chain name", ["chain": "Heliotest\u{301}"]), ("spec version", ["specVersion": 1001]),
        ("runtime", ["specName": "heliotest2"]), ("transaction version", ["transactionVersion": 9]),
        ("SS58 prefix", ["properties": ["ss58Format": 0, "tokenDecimals": 12, "tokenSymbol": "HLO"] as [String: any Sendable]]),
        ("SS58 prefix", ["properties": ["tokenDecimals": 12, "tokenSymbol": "HLO"] as [String: any Sendable]]),
        ("decimals of token 1", ["properties": ["ss58Format": 42, "tokenDecimals": 11, "tokenSymbol": "HLO"] as [String: any Sendable]]),
        ("symbol of token 1", ["properties": ["ss58Format": 42, "tokenDecimals": 12, "tokenSymbol": "HL0"] as [String: any Sendable]]),
        ("metadata V14", ["metadata": ["14": "15.scale", "15": "15.scale"]]), ("metadata V15", ["onlyOldMetadata": true]),
        ("newest finalized block", ["finalized": 200]),
    ]

    /// A liar among nodes that agree, wherever it stands in the list.
    @Test(arguments: Self.lies.indices, [false, true]) func `one host that says something else refuses everything`(
        lie: Int, isFirst: Bool
    ) async throws {
        let (name, changes) = Self.lies[lie]
        try lyingStandIn.write(state: changes)
        let (sound, liar) = (try standIn.start(.http), try elsewhere(lyingStandIn, .http))
        let error = await #expect(throws: QuorumError.self) { try await snapshot(isFirst ? [liar, sound] : [sound, liar], needed: 2) }
        guard case .disagreement(let all) = error, let found = all.first(where: { $0.name == name }) else {
            Issue.record("\(name): \(String(describing: error))")
            return
        }
        #expect(Set(found.answers.map(\.host)) == ["127.0.0.1", "127.0.0.2"])
        #expect(found.answers[0].value != found.answers[1].value)
        // The sentence holds each answer with its host.
        let sentence = try #require(error?.sentence)
        for answer in found.answers { #expect(sentence.contains("\(answer.value ?? "nothing") from \(answer.host)")) }
    }

    @Test func `a chosen block is the same block`() async throws {
        let (one, other) = (try standIn.start(.http), try elsewhere(lyingStandIn, .http))
        #expect(try await snapshot([one, other], needed: 2, at: .number(7)).answers.map(\.block.number) == [7, 7])
        // Far behind, a node may still know an old block.
        try lyingStandIn.write(state: ["finalized": 100])
        #expect(try await snapshot([one, other], needed: 2, at: .number(7)).hosts.count == 2)
    }

    @Test func `hosts that agree on another chain are refused`() async throws {
        let url = try standIn.start(.http)
        let expected = Hash32.blake2b(of: [1])
        await #expect(throws: RPCError.wrongChain(expected: expected, found: standIn.genesis)) {
            try await snapshot([url, elsewhere(standIn, .http)], needed: 2, expecting: expected)
        }
    }

    /// Two texts that look alike or are canonically equal are two answers.
    @Test func `facts are compared as bytes and by name`() throws {
        func compare(_ one: [NodeFact], _ other: [NodeFact]) throws { try NodeQuorum.compare(["a", "b"], [one, other]) }
        try compare([NodeFact("x", "1"), NodeFact("y", "")], [NodeFact("y", ""), NodeFact("x", "1")])
        for other in [[NodeFact("x", "e\u{301}")], [], [NodeFact("x", "\u{e9}"), NodeFact("y", "")], [NodeFact("y", "\u{e9}")]] {
            #expect(throws: QuorumError.self) { try compare([NodeFact("x", "\u{e9}")], other) }
            #expect(throws: QuorumError.self) { try compare(other, [NodeFact("x", "\u{e9}")]) }
        }
        // The third of three is compared too.
        #expect(throws: QuorumError.self) {
            try NodeQuorum.compare(["a", "b", "c"], [[NodeFact("x", "1")], [NodeFact("x", "1")], [NodeFact("x", "2")]])
        }
    }
}
