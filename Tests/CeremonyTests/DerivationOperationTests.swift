import Accounts
import Hashing
import Keys
import SCALE
import SubstratePrimitives
import Testing
import TrustStore
import UOS
import Vault

@testable import Ceremony

/// Payloads that name keys of seed `main`.
enum DerivationPayload {
    static func exported(
        _ path: String, _ scheme: SignatureScheme = .sr25519, genesis: GenesisHash, seed: String = "main",
        as other: String? = nil
    ) throws -> SeedInfo.DerivedKey {
        let key = try CeremonyFixture.key(seed, path, scheme: scheme)
        let address = key.bytes.count == 32 ? key.address(prefix: 42) : "0x" + hex(key)
        let path = other ?? path
        return SeedInfo.DerivedKey(
            address: address, path: path.isEmpty ? nil : path, scheme: scheme, genesisHash: genesis)
    }

    static func export(_ keys: [SeedInfo.DerivedKey], root: PublicKey? = nil) throws -> Payload {
        let info = SeedInfo(name: "theirs", root: try root ?? CeremonyFixture.key("main"), keys: keys)
        return try Payload(
            [0x53, 0xff, 0xde] + SCALEWriter.encode { ExportAddrs(seeds: [info]).encode(into: &$0) })
    }

    static func request(
        _ paths: [String], _ scheme: SignatureScheme = .sr25519, genesis: GenesisHash, root: PublicKey? = nil
    ) throws -> Payload {
        let entries = paths.map {
            DynamicDerivationsRequest.Entry(path: $0, scheme: scheme, genesisHash: genesis)
        }
        let request = DynamicDerivationsRequest(
            root: try root ?? CeremonyFixture.key("main"), entries: entries)
        return try Payload([0x53, 0xff, 0xdf] + SCALEWriter.encode { request.encode(into: &$0) })
    }
}

@Suite struct ImportDerivationsTests {
    private static func operation(_ keys: [SeedInfo.DerivedKey], root: PublicKey? = nil, seed: String? = nil)
        throws -> ImportDerivations
    {
        try #require(ImportDerivations(DerivationPayload.export(keys, root: root), seed: seed))
    }

    private static func exported(_ path: String, as other: String? = nil) throws -> SeedInfo.DerivedKey {
        try DerivationPayload.exported(path, genesis: polkadot.genesisHash, as: other)
    }

    @Test(arguments: SignatureScheme.allCases)
    func `the keys of an export are added`(scheme: SignatureScheme) throws {
        let fixture = try CeremonyFixture(networks: SchemeNetwork.all)
        let paths = ["", "//a", "//a//0"]
        let keys = try paths.map {
            try DerivationPayload.exported($0, scheme, genesis: SchemeNetwork.genesis(scheme))
        }
        let operation = try Self.operation(keys)
        #expect(try fixture.act(operation) == 3)
        let records = try fixture.state.keys
        #expect(records.map(\.path) == paths)
        #expect(
            try records.map(\.publicKey) == paths.map { try CeremonyFixture.key("main", $0, scheme: scheme) })
        #expect(
            records.allSatisfy {
                $0.seed == "main" && !$0.hasPassword && $0.networks == [SchemeNetwork.genesis(scheme)]
            })
        #expect(records.allSatisfy { ($0.ethereumAddress?.count == 20) == (scheme == .ethereum) })
        let facts = [
            LogEvent.Fact("seed", "main"), LogEvent.Fact("keys", "3"), LogEvent.Fact("added", "3"),
            LogEvent.Fact("payload", Hex.encode(BLAKE2b.hash(operation.payload.bytes))),
        ]
        #expect(try fixture.events.last == LogEvent(.derivationsImported, facts))
        try expectRefusal(DerivationRefusal.allKnown, of: fixture) { try fixture.act(operation) }
    }

    @Test func `one address that the seed does not lead to refuses all, and the log says so`() throws {
        let fixture = try CeremonyFixture()
        let operation = try Self.operation([try Self.exported("//c"), try Self.exported("//a", as: "//b")])
        try expectRefusal(DerivationRefusal.addressDiffers(path: "//b", seed: "main"), of: fixture) {
            try fixture.act(operation)
        }
    }

    @Test func `a key of several networks is added once`() throws {
        let fixture = try CeremonyFixture()
        let keys = try [polkadot, kusama].map {
            try DerivationPayload.exported("//a", genesis: $0.genesisHash)
        }
        #expect(try fixture.act(Self.operation(keys), asking: Answers(word: .typed("reuse key"))) == 2)
        #expect(try fixture.state.keys.map(\.networks) == [[polkadot.genesisHash, kusama.genesisHash]])
    }

    @Test func `another spelling of a path is a collision`() throws {
        let fixture = try CeremonyFixture()
        let twice = try Self.operation([try Self.exported("//0"), try Self.exported("//0", as: "//00")])
        try expectRefusal(DerivationRefusal.collision(path: "//00"), of: fixture) { try fixture.act(twice) }
        try fixture.derive("//0")
        let other = try Self.operation([try Self.exported("//0", as: "//00")])
        try expectRefusal(DerivationRefusal.collision(path: "//00"), of: fixture) { try fixture.act(other) }
    }

    @Test func `a path with a password is left out`() throws {
        let fixture = try CeremonyFixture()
        #expect(
            try fixture.act(
                Self.operation([try Self.exported("//a", as: "//a///word"), try Self.exported("//b")])) == 1)
        #expect(try fixture.state.keys.map(\.path) == ["//b"])
    }

    @Test func `keys of an unknown root need a seed that a person names`() throws {
        let fixture = try CeremonyFixture(seeds: ["main", "other"])
        let stranger = PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 7, count: 32))!
        let keys = [try Self.exported("//a")]
        try expectRefusal(DerivationRefusal.seedUnknown(root: stranger.bytes), of: fixture) {
            try fixture.act(Self.operation(keys, root: stranger))
        }
        #expect(throws: VaultError.noSuchSeed("Main")) {
            try fixture.device.preview(Self.operation(keys, root: stranger, seed: "Main"))
        }
        try expectRefusal(DerivationRefusal.addressDiffers(path: "//a", seed: "other"), of: fixture) {
            try fixture.act(Self.operation(keys, root: stranger, seed: "other"))
        }
        #expect(try fixture.act(Self.operation(keys, root: stranger, seed: "main")) == 1)
        #expect(try fixture.state.keys.map(\.seed) == ["main"])
    }

    @Test func `what the cards do not determine is shown only`() throws {
        let keys = [try Self.exported("//a")]
        let export = ExportAddrs(seeds: [
            SeedInfo(name: "theirs", root: try CeremonyFixture.key("main"), keys: keys)
        ])
        let bytes = SCALEWriter.encode { export.encode(into: &$0) }
        let review = DerivationReview(
            importing: export, bytes: bytes + [0], seed: nil, try CeremonyFixture().state)
        #expect(throws: DerivationRefusal.notOnCards(.byte(bytes.count))) {
            try Self.operation(keys).requireAllowed(review)
        }
        #expect(throws: DerivationRefusal.notOnCards(.byte(bytes.count))) {
            let request = try #require(
                AnswerDerivations(DerivationPayload.request(["//a"], genesis: polkadot.genesisHash)))
            try request.requireAllowed(review)
        }
    }

    @Test func `a no leaves a line in the log and nothing else`() throws {
        let fixture = try CeremonyFixture()
        let operation = try Self.operation([try Self.exported("//a")])
        #expect(throws: CeremonyError.declined) { try fixture.device.preview(operation).confirm { false } }
        let event = try #require(try fixture.device.store().journalled.last)
        #expect(event.kind == .derivationsRefused && event["reason"] == "answered-no")
        #expect(try fixture.state.keys.isEmpty)
    }

    @Test func `unattended, only a development vault imports`() throws {
        let operation = try Self.operation([try Self.exported("//a")])
        let real = try CeremonyFixture(isDevelopment: false)
        #expect(throws: CeremonyError.approveNeedsPolicy) {
            try real.device.preview(operation).confirmUnattended()
        }
        let fixture = try CeremonyFixture()
        let approval = try fixture.device.preview(operation).confirmUnattended()
        #expect(try fixture.session().perform(approval).outcome == 1)
    }

    @Test func `a payload of another kind is none of its own`() throws {
        let request = try DerivationPayload.request(["//a"], genesis: polkadot.genesisHash)
        #expect(ImportDerivations(request) == nil)
        #expect(AnswerDerivations(try DerivationPayload.export([])) == nil)
    }

    @Test func `the laws of every operation hold`() throws {
        try expectLaws(of: Self.operation([try Self.exported("//a"), try Self.exported("//b")])) {
            try CeremonyFixture()
        } whenChanged: { fixture, session in
            try fixture.derive("//a", in: session)
        }
    }
}

@Suite struct AnswerDerivationsTests {
    private static func operation(_ paths: [String], root: PublicKey? = nil) throws -> AnswerDerivations {
        try #require(
            AnswerDerivations(DerivationPayload.request(paths, genesis: polkadot.genesisHash, root: root)))
    }

    private static func answer(_ paths: [String]) throws -> [UInt8] {
        let derived = try paths.map {
            DynamicDerivationsResponse.Derived(
                path: $0, scheme: .sr25519, key: try CeremonyFixture.key("main", $0))
        }
        let response = DynamicDerivationsResponse(root: try CeremonyFixture.key("main"), derived: derived)
        return [0x53, 0xff, 0xdf] + SCALEWriter.encode { response.encode(into: &$0) }
    }

    @Test func `a request is answered with keys that are added, and with those that are there`() throws {
        let fixture = try CeremonyFixture.withKey()
        let operation = try Self.operation(["//0", "//1", "/soft", "//p///word"])
        #expect(try fixture.act(operation) == (try Self.answer(["//0", "//1", "/soft"])))
        #expect(try fixture.state.keys.map(\.path) == ["/soft", "//0", "//1"].sorted())
        let facts = [
            LogEvent.Fact("seed", "main"), LogEvent.Fact("keys", "3"), LogEvent.Fact("added", "2"),
            LogEvent.Fact("payload", Hex.encode(BLAKE2b.hash(operation.payload.bytes))),
        ]
        #expect(try fixture.events.last == LogEvent(.derivationsAnswered, facts))
    }

    @Test func `known keys are answered again`() throws {
        let fixture = try CeremonyFixture.withKey()
        #expect(try fixture.act(Self.operation(["//0"])) == (try Self.answer(["//0"])))
        #expect(try fixture.state.keys.count == 1)
    }

    /// A request has no addresses to compare, so that only the keys themselves tell.
    @Test func `another spelling of a path is a collision here, too`() throws {
        let fixture = try CeremonyFixture()
        try expectRefusal(DerivationRefusal.collision(path: "//00"), of: fixture) {
            try fixture.act(Self.operation(["//0", "//00"]))
        }
        try fixture.derive("//0")
        try expectRefusal(DerivationRefusal.collision(path: "//00"), of: fixture) {
            try fixture.act(Self.operation(["//00"]))
        }
        #expect(try fixture.act(Self.operation(["//0"])) == (try Self.answer(["//0"])))
    }

    /// A key that is held with a password, of another seed or of a group is not the one that its request
    /// means.
    @Test func `a key that is held under another origin is a collision`() throws {
        let state = try CeremonyFixture().state
        let operation = try Self.operation(["//a"])
        let key = try CeremonyFixture.key("main", "//a")
        let origins: [KeySource] = [
            .seed("main", path: "//a", hasPassword: true), .seed("other", path: "//a", hasPassword: false),
            .seed("main", path: "//b", hasPassword: false), .group(.blake2b(of: [1]), path: ""),
        ]
        for origin in origins {
            var trust = state
            trust.keys = [KeyRecord(publicKey: key, source: origin, networks: [polkadot.genesisHash])]
            let review = try #require(DerivationReview(operation.payload, seed: nil, trust))
            #expect(throws: DerivationRefusal.collision(path: "//a"), "\(origin)") {
                try DerivedKeys(review, trust) { _, path, scheme in
                    try CeremonyFixture.key("main", path.description, scheme: scheme)
                }
            }
        }
    }

    @Test func `only the seed of its root answers a request`() throws {
        let fixture = try CeremonyFixture(seeds: ["main", "other"])
        let stranger = PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 7, count: 32))!
        let request = try DerivationPayload.request(["//a"], genesis: polkadot.genesisHash, root: stranger)
        try expectRefusal(DerivationRefusal.seedUnknown(root: stranger.bytes), of: fixture) {
            try fixture.act(try #require(AnswerDerivations(request, seed: "main")))
        }
        #expect(throws: VaultError.noSuchSeed("Main")) {
            try fixture.device.preview(try #require(AnswerDerivations(request, seed: "Main")))
        }
    }

    /// The store's roots are public and could name the wrong seed; the seed itself is asked.
    @Test func `a seed whose root is another answers nothing`() throws {
        let state = try CeremonyFixture().state
        let operation = try Self.operation(["//a"])
        var lying = state
        lying.settings[TrustState.seedRootPrefix + "main"] = try CeremonyFixture.key("main").bytes
        let review = try #require(DerivationReview(operation.payload, seed: nil, lying))
        #expect(throws: DerivationRefusal.rootDiffers(seed: "main")) {
            try DerivedKeys(review, lying) { _, path, scheme in
                try CeremonyFixture.key("other", path.description, scheme: scheme)
            }
        }
    }

    @Test func `the laws of every operation hold`() throws {
        try expectLaws(of: Self.operation(["//a", "//b"])) {
            try CeremonyFixture()
        } whenChanged: { fixture, session in
            try fixture.derive("//a", in: session)
        }
    }
}
