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
    private func elsewhere(_ standIn: StandIn, _ scheme: NodeURL.Scheme, host: String = "127.0.0.2") throws
        -> NodeURL
    {
        let url = try standIn.start(scheme, ["--address", host])
        return try #require(NodeURL("\(scheme.rawValue)://\(host):\(url.port)"))
    }

    /// All stand-ins are on loopback, which is one machine: here each of its addresses counts as one of its
    /// own.
    private func quorum(_ urls: [NodeURL], needed: Int) throws -> NodeQuorum {
        var options = hasty()
        options.attempts = 1
        return try NodeQuorum(
            NodePool(urls, options: options), needed: needed, machines: { [$0.canonicalHost] })
    }

    private func snapshot(
        _ urls: [NodeURL], needed: Int, at choice: BlockChoice = .finalized,
        expecting genesis: GenesisHash? = nil
    ) async throws -> NodeQuorum.Agreement<ChainSnapshot> {
        try await quorum(urls, needed: needed)
            .agree(
                at: choice, expecting: genesis, { try await ChainSnapshot.take($0, at: $1) }, facts: \.facts)
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
        let urls = try [
            "ws://127.0.0.1:\(url.port)/x", "http://127.1:\(url.port)", "ws://127.0.0.1:\(url.port + 1)",
        ].map {
            try #require(NodeURL($0))
        }
        await #expect(throws: QuorumError.tooFewHosts(needed: 2, hosts: ["127.0.0.1"])) {
            try await snapshot([url] + urls, needed: 2)
        }
        #expect(standIn.asked.isEmpty)
    }

    /// Whoever owns a machine can give it any number of names.
    @Test(arguments: [
        "localhost", "[::1]", "127.0.0.2", "0.0.0.0", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f01:203]",
        "127.1", "0x7f.1",
    ])
    func `names and addresses that lead to this machine are one voice`(host: String) throws {
        let one = try #require(NodeURL("ws://127.0.0.1:1"))
        let other = try #require(NodeURL("ws://\(host):2"))
        for urls in [[one, other], [other, one]] {
            #expect(throws: QuorumError.tooFewHosts(needed: 2, hosts: [urls[0].canonicalHost])) {
                try NodeQuorum(NodePool(urls), needed: 2)
            }
        }
        _ = try NodeQuorum(NodePool([one, other]), needed: 1)
        // Addresses of other machines have a voice each.
        let elsewhere = try ["192.0.2.1", "[2001:db8::1]", "128.0.0.1", "[::2]"].map {
            try #require(NodeURL("ws://\($0):1"))
        }
        _ = try NodeQuorum(NodePool([one, other] + elsewhere), needed: 5)
        let hosts = ([one] + elsewhere).map(\.canonicalHost)
        #expect(throws: QuorumError.tooFewHosts(needed: 6, hosts: hosts)) {
            try NodeQuorum(NodePool([one, other] + elsewhere), needed: 6)
        }
    }

    /// A name with two addresses may reach either: what it says must not stand beside what the other one
    /// says.
    @Test func `a name of two machines makes them one voice`() throws {
        let urls = try ["ws://a", "ws://b", "ws://c", "ws://both"].map { try #require(NodeURL($0)) }
        func machines(_ url: NodeURL) -> Set<String> {
            url.host.utf8Equals("both") ? ["a", "b"] : [url.host]
        }
        #expect(throws: QuorumError.tooFewHosts(needed: 3, hosts: ["a", "c"])) {
            try NodeQuorum(NodePool(urls), needed: 3, machines: machines)
        }
        _ = try NodeQuorum(NodePool(urls), needed: 2, machines: machines)
    }

    @Test func `a host that does not answer is passed over and does not count`() async throws {
        let sound = try standIn.start(.http)
        let broken = try #require(NodeURL("http://[::1]:1"))
        #expect(
            try await snapshot([broken, sound, elsewhere(standIn, .http)], needed: 2).hosts == [
                "127.0.0.1", "127.0.0.2",
            ])
        await #expect(throws: QuorumError.tooFewAnswers(needed: 2, answered: ["127.0.0.1"])) {
            try await snapshot([broken, sound], needed: 2)
        }
    }

    /// What it says later belongs to no block that it was asked about.
    @Test func `a host that comes back is not heard for the one in whose place it stands`() async throws {
        let sound = try standIn.start(.http)
        let late = try lyingStandIn.start(.http, ["--fault", "500:1", "--address", "127.0.0.2"])
        let there = try #require(NodeURL("http://127.0.0.2:\(late.port)"))
        let agreement = try await snapshot(
            [there, sound, elsewhere(standIn, .http, host: "127.0.0.3")], needed: 2)
        #expect(agreement.hosts == ["127.0.0.1", "127.0.0.3"])
        #expect(agreement.answers.map(\.url.host) == agreement.hosts)
    }

    static let lies: [(name: String, changes: [String: any Sendable])] = [
        ("genesis hash", ["genesis": "0x" + String(repeating: "ee", count: 32)]),
        ("chain name", ["chain": "Heliotest\u{301}"]), ("spec version", ["specVersion": 1001]),
        ("runtime", ["specName": "heliotest2"]), ("transaction version", ["transactionVersion": 9]),
        (
            "SS58 prefix",
            [
                "properties": ["ss58Format": 0, "tokenDecimals": 12, "tokenSymbol": "HLO"]
                    as [String: any Sendable]
            ]
        ),
        (
            "SS58 prefix",
            ["properties": ["tokenDecimals": 12, "tokenSymbol": "HLO"] as [String: any Sendable]]
        ),
        (
            "decimals of token 1",
            [
                "properties": ["ss58Format": 42, "tokenDecimals": 11, "tokenSymbol": "HLO"]
                    as [String: any Sendable]
            ]
        ),
        (
            "symbol of token 1",
            [
                "properties": ["ss58Format": 42, "tokenDecimals": 12, "tokenSymbol": "HL0"]
                    as [String: any Sendable]
            ]
        ),
        ("metadata V14", ["metadata": ["14": "15.scale", "15": "15.scale"]]),
        ("metadata V15", ["onlyOldMetadata": true]),
        ("newest finalized block", ["finalized": 200]),
    ]

    /// A liar among nodes that agree, wherever it stands in the list.
    @Test(arguments: Self.lies.indices, [false, true])
    func `one host that says something else refuses everything`(
        lie: Int, isFirst: Bool
    ) async throws {
        let (name, changes) = Self.lies[lie]
        try lyingStandIn.write(state: changes)
        let (sound, liar) = (try standIn.start(.http), try elsewhere(lyingStandIn, .http))
        let error = await #expect(throws: QuorumError.self) {
            try await snapshot(isFirst ? [liar, sound] : [sound, liar], needed: 2)
        }
        guard case .disagreement(let all) = error, let found = all.first(where: { $0.name == name }) else {
            Issue.record("\(name): \(String(describing: error))")
            return
        }
        #expect(Set(found.answers.map(\.host)) == ["127.0.0.1", "127.0.0.2"])
        #expect(found.answers[0].value != found.answers[1].value)
        // The sentence holds each answer with its host.
        let sentence = try #require(error?.sentence)
        for answer in found.answers {
            #expect(sentence.contains("\(answer.value ?? "nothing") from \(answer.host)"))
        }
    }

    @Test func `a chosen block is the same block`() async throws {
        let (one, other) = (try standIn.start(.http), try elsewhere(lyingStandIn, .http))
        #expect(
            try await snapshot([one, other], needed: 2, at: .number(7)).answers.map(\.block.number) == [7, 7])
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

    /// A host that is passed over leaves the result to the others, so that one liar among them would decide
    /// it.
    @Test func `a host that discarded the state of a block answers that it does not know the events`()
        async throws
    {
        let block = "0x" + String(repeating: "ab", count: 32)
        let body: [String: Any] = [
            "body": [block: ["0x0c010203"]], "events": [block: "0x0400"], "renumbered": block,
        ]
        try standIn.write(state: body.merging(["discarded": [block]]) { $1 })
        try lyingStandIn.write(state: body)
        let pruned = try [standIn.start(.http), elsewhere(standIn, .http)]
        let knowing = try elsewhere(lyingStandIn, .http, host: "127.0.0.3")
        func ask(_ urls: [NodeURL]) async throws -> [Inclusion] {
            let hash = try #require(Hash32(hex: block))
            return try await quorum(urls, needed: urls.count).agree(
                at: .hash(hash), expecting: standIn.genesis,
                { node, _ in try await node.inclusion(of: [0x0c, 1, 2, 3], in: hash) }, facts: \.facts
            ).answers
        }
        for (urls, told) in [
            (pruned + [knowing], [false, false, true]), ([knowing] + pruned, [true, false, false]),
            (pruned, [false, false]), ([knowing], [true]),
        ] {
            let answers = try await ask(urls)
            // It still says where the transaction is, and that this is final.
            #expect(
                answers.allSatisfy {
                    $0.isFinal && $0.places == [0] && $0.canonical?.hex == String(block.dropFirst(2))
                })
            let events = answers.map(\.events)
            #expect(events.map { $0 == .bytes([4, 0]) } == told)
            for case .untold(let error) in events {
                let message = "Client error: UnknownBlock: State already discarded for \(block)"
                #expect(error == .refusedByNode(code: 4003, message: message))
            }
            #expect(events.count { if case .untold = $0 { true } else { false } } == told.count { !$0 })
        }
        // What it does not know hides no disagreement of those that know.
        let other = try StandIn()
        try other.write(state: body.merging(["events": [block: "0x0401"]]) { $1 })
        let contradicting = try elsewhere(other, .http, host: "127.0.0.4")
        for urls in [[pruned[0], knowing, contradicting], [knowing, pruned[0], contradicting]] {
            let error = await #expect(throws: QuorumError.self) { try await ask(urls) }
            guard case .disagreement(let all) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(all.map(\.name) == ["events"])
            #expect(all.first?.answers.map(\.host) == ["127.0.0.3", "127.0.0.4"])
        }
    }

    /// The same events mean something else where the metadata exchanges two names.
    @Test func `hosts agree about the metadata that reads the events of a block`() async throws {
        let block = "0x" + String(repeating: "ab", count: 32)
        let body: [String: Any] = [
            "body": [block: ["0x0c010203"]], "events": [block: "0x0400"], "renumbered": block,
        ]
        var runtime = FixtureRuntime()
        runtime.addEvents()
        let other = try StandIn(runtime)
        // The runtime that executed the block is in the state before it.
        let parent = Hash32.blake2b(of: Array("0x\(standIn.genesis.hex)299".utf8))
        try standIn.write(state: body)
        try lyingStandIn.write(state: body.merging(["discarded": ["0x\(parent.hex)"]]) { $1 })
        try other.write(state: body)
        let (sound, pruned) = (try standIn.start(.http), try elsewhere(lyingStandIn, .http))
        let liar = try elsewhere(other, .http, host: "127.0.0.3")
        func ask(_ urls: [NodeURL], _ format: UInt8?) async throws -> [Inclusion.Metadata] {
            let hash = try #require(Hash32(hex: block))
            return try await quorum(urls, needed: urls.count).agree(
                at: .hash(hash), expecting: standIn.genesis,
                { node, _ in try await node.inclusion(of: [0x0c, 1, 2, 3], in: hash, readBy: format) },
                facts: \.facts
            ).answers.map(\.metadata)
        }
        let own = Hash32.blake2b(of: standIn.runtime.metadata(.v15))
        #expect(try await ask([sound], 15) == [.hash(own)])
        let old = Hash32.blake2b(of: standIn.runtime.metadata(.v14))
        #expect(try await ask([sound], 14) == [.hash(old)])
        #expect(try await ask([sound], 16) == [.none])
        #expect(try await ask([sound, liar], nil) == [.notAsked, .notAsked])
        // Asked for once while a command runs, from each node and in each format.
        let known = KnownMetadata()
        func remembered(_ url: NodeURL, _ format: UInt8) async throws -> Inclusion.Metadata {
            let hash = try #require(Hash32(hex: block))
            let node = try await NodeConnection.open(url, options: hasty())
            defer { node.close() }
            return try await node.inclusion(of: [0x0c, 1, 2, 3], in: hash, readBy: format, known: known)
                .metadata
        }
        for (url, format, told, asked) in [
            (sound, 15, own, 1), (sound, 15, own, 0), (sound, 14, old, 1), (sound, 14, old, 0),
            (liar, 15, Hash32.blake2b(of: runtime.metadata(.v15)), 1),
        ] as [(NodeURL, UInt8, Hash32, Int)] {
            func count() -> Int {
                [standIn, other].flatMap(\.asked).count { ["state_call", "state_getMetadata"].contains($0) }
            }
            let before = count()
            #expect(try await remembered(url, format) == .hash(told))
            #expect(count() - before == asked)
        }
        let answers = try await ask([sound, pruned], 15)
        #expect(answers[0] == .hash(own))
        guard case .untold = answers[1] else {
            Issue.record("\(answers)")
            return
        }
        for urls in [[sound, liar], [liar, sound], [sound, pruned, liar]] {
            let error = await #expect(throws: QuorumError.self) { try await ask(urls, 15) }
            guard case .disagreement(let all) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(all.map(\.name) == ["metadata"])
        }
    }

    @Test func `what a host does not know is compared with nothing`() throws {
        func compare(_ facts: [NodeFact?]) throws {
            try NodeQuorum.compare(facts.indices.map { "\($0)" }, facts.map { $0.map { [$0] } ?? [] })
        }
        let (one, other, unknown) = (NodeFact("x", "1"), NodeFact("x", "2"), NodeFact.unknown("x"))
        for facts in [[unknown, unknown], [one, unknown], [unknown, one], [one, unknown, one]] {
            try compare(facts)
        }
        for facts in [
            [one, unknown, other], [unknown, one, other], [one, unknown, nil], [nil, unknown, one],
        ] {
            let answers = facts.enumerated().compactMap { index, fact -> QuorumError.Answer? in
                fact == unknown ? nil : QuorumError.Answer(host: "\(index)", value: fact?.value)
            }
            #expect(
                throws: QuorumError.disagreement([QuorumError.Disagreement(name: "x", answers: answers)])
            ) { try compare(facts) }
        }
    }

    /// Two texts that look alike or are canonically equal are two answers.
    @Test func `facts are compared as bytes and by name`() throws {
        func compare(_ one: [NodeFact], _ other: [NodeFact]) throws {
            try NodeQuorum.compare(["a", "b"], [one, other])
        }
        try compare([NodeFact("x", "1"), NodeFact("y", "")], [NodeFact("y", ""), NodeFact("x", "1")])
        func different(_ name: String, _ values: String?...) -> QuorumError.Disagreement {
            QuorumError.Disagreement(
                name: name,
                answers: zip(["a", "b", "c"], values).map { QuorumError.Answer(host: $0, value: $1) })
        }
        let one = "\u{e9}"
        for (other, differing) in [
            ([NodeFact("x", "e\u{301}")], [("x", one, "e\u{301}")]), ([], [("x", one, nil)]),
            ([NodeFact("x", one), NodeFact("y", "")], [("y", nil, "")]),
            ([NodeFact("y", one)], [("x", one, nil), ("y", nil, one)]),
        ] as [([NodeFact], [(String, String?, String?)])] {
            #expect(throws: QuorumError.disagreement(differing.map { different($0, $1, $2) })) {
                try compare([NodeFact("x", one)], other)
            }
            // Names come in the order in which hosts say them.
            let turned = differing.map { different($0, $2, $1) }
            let inOrder = turned.count > 1 ? Array(turned.reversed()) : turned
            #expect(throws: QuorumError.disagreement(inOrder)) { try compare(other, [NodeFact("x", one)]) }
        }
        // The third of three is compared too.
        #expect(throws: QuorumError.disagreement([different("x", "1", "1", "2")])) {
            try NodeQuorum.compare(
                ["a", "b", "c"], [[NodeFact("x", "1")], [NodeFact("x", "1")], [NodeFact("x", "2")]])
        }
    }
}
