import Accounts
import Hashing
import Keys
import SubstratePrimitives
import Testing
import TrustStore
import Vault

@testable import Ceremony

@Suite struct DeriveKeysTests {
    @Test(arguments: SignatureScheme.allCases)
    func `a key of each scheme is derived for its network`(scheme: SignatureScheme) throws {
        let fixture = try CeremonyFixture(networks: SchemeNetwork.all)
        let before = try fixture.log
        let key = try #require(try fixture.derive("//a//0", network: scheme.name).first)
        #expect(key == (try CeremonyFixture.key("main", "//a//0", scheme: scheme)))
        let record = KeyRecord(
            publicKey: key, ethereumAddress: scheme == .ethereum ? key.accountID : nil, seed: "main",
            path: "//a//0", hasPassword: false,
            networks: [SchemeNetwork.genesis(scheme)])
        #expect(try fixture.state.keys == [record])
        let facts = [
            ("key", hex(key)), ("scheme", scheme.name), ("seed", "main"), ("path", "//a//0"),
            ("network", scheme.name),
        ]
        let event = LogEvent(.keyAdded, facts.map { LogEvent.Fact($0.0, $0.1) })
        #expect(try fixture.events(since: before).suffix(1) == [event])
    }

    @Test func `without a network the key may sign nowhere and is an sr25519 key`() throws {
        let fixture = try CeremonyFixture()
        let keys = try fixture.derive("", network: nil)
        #expect(keys == [try CeremonyFixture.key("main")])
        #expect(try fixture.state.keys.map(\.networks) == [[]])
        #expect(
            try fixture.derive("//e", network: nil, scheme: .ed25519) == [
                try CeremonyFixture.key("main", "//e", scheme: .ed25519)
            ])
    }

    @Test func `the age of a key begins when it is added, and goes with the key`() throws {
        let fixture = try CeremonyFixture()
        fixture.wait(100_000)
        let key = try #require(try fixture.derive("//e", network: nil).first)
        #expect(try fixture.state.timeAdded(key) == fixture.now)
        let record = try #require(try fixture.state.key(key))
        #expect(try fixture.state.timeHeld(record) == fixture.now - 100_000)
        fixture.wait(5)
        _ = try fixture.act(ChangeKey(key.address(prefix: 42), .label("old")))
        #expect(try fixture.state.timeAdded(key) == fixture.now - 5)
        _ = try fixture.act(ChangeKey(key.address(prefix: 42), .remove))
        #expect(try fixture.state.timeAdded(key) == nil)
        // Of a key without a record of its seed nothing is known.
        #expect(
            try fixture.state.timeHeld(KeyRecord(publicKey: key, seed: "x", path: "", hasPassword: false))
                == nil)
    }

    @Test func `a count derives the next free paths of a base`() throws {
        let fixture = try CeremonyFixture()
        try fixture.derive("//p//4")
        let keys = try fixture.derive("//p", count: 3)
        #expect(keys == (try ["//p//5", "//p//6", "//p//7"].map { try CeremonyFixture.key("main", $0) }))
        #expect(try fixture.state.keys.map(\.path) == ["//p//4", "//p//5", "//p//6", "//p//7"])
        #expect(try fixture.events.filter { $0.kind == .keyAdded }.count == 4)
    }

    @Test func `no path follows the highest index`() throws {
        let fixture = try CeremonyFixture()
        try fixture.derive("//p//\(UInt64.max)")
        try expectRefusal(KeyRefusal.noNextPath(base: "//p"), of: fixture) {
            try fixture.derive("//p", count: 1)
        }
    }

    @Test func `a password makes another key and is asked for once`() throws {
        let fixture = try CeremonyFixture()
        let keys = try fixture.derive("//p", count: 2, password: "word")
        #expect(
            keys == (try ["//p//0", "//p//1"].map { try CeremonyFixture.key("main", $0, password: "word") }))
        #expect(try fixture.state.keys.allSatisfy { $0.hasPassword && !$0.path.utf8Contains("word") })
    }

    @Test func `a key that is there gains a network and is never added twice`() throws {
        let fixture = try CeremonyFixture()
        let key = try fixture.derive("//0", network: nil)[0]
        try fixture.derive("//0")
        #expect(try fixture.state.key(key)?.networks == [polkadot.genesisHash])
        try expectRefusal(KeyRefusal.exists(holder: "seed main", path: "//0"), of: fixture) {
            try fixture.derive("//0")
        }
        try expectRefusal(KeyRefusal.exists(holder: "seed main", path: "//0"), of: fixture) {
            try fixture.derive("//0", network: nil)
        }
    }

    @Test func `another way to a key that is there is refused`() throws {
        let fixture = try CeremonyFixture.withKey()
        try expectRefusal(KeyRefusal.collision(holder: "seed main", path: "//0"), of: fixture) {
            try fixture.derive("//00")
        }
        try expectRefusal(KeyRefusal.collision(holder: "seed main", path: "//0"), of: fixture) {
            try fixture.derive("//0", password: "")
        }
    }

    @Test func `a path of numbers gives the key of the other wallet, kept with its kind`() throws {
        let fixture = try CeremonyFixture(networks: SchemeNetwork.all)
        let path = try AccountPath("m/44h/60h/0h/0", scheme: .ethereum)
        let keys = try fixture.act(DeriveKeys(seed: "main", path: path, count: 2, network: "ethereum"))
        #expect(
            try fixture.state.keys.map(\.path) == ["bip32:m/44'/60'/0'/0/0", "bip32:m/44'/60'/0'/0/1"])
        #expect(try fixture.state.keys.map(\.publicKey) == keys)
        let ledger = try HDPath("ledger:m/44'/354'/0'/0'/0'")
        let key = try fixture.act(DeriveKeys(seed: "main", path: .hd(ledger), network: "ed25519"))
        #expect(
            try fixture.state.keys.last?.source == .seed("main", path: ledger.description, hasPassword: false)
        )
        #expect(try fixture.state.key(key[0])?.networks == [SchemeNetwork.genesis(.ed25519)])
        let context = HDPathError.schemeHasNone(.ledger, .sr25519)
        try expectRefusal(context, of: fixture) {
            _ = try fixture.act(DeriveKeys(seed: "main", path: .hd(ledger), network: "sr25519"))
        }
    }

    @Test func `what names nothing is refused before the passphrase`() throws {
        let fixture = try CeremonyFixture(networks: SchemeNetwork.all)
        func preview(_ seed: String, network: String?, _ scheme: SignatureScheme? = nil) throws {
            _ = try fixture.device.preview(
                DeriveKeys(seed: seed, path: .root, network: network, scheme: scheme))
        }
        #expect(throws: VaultError.noSuchSeed("ma\u{131}n")) { try preview("ma\u{131}n", network: nil) }
        #expect(throws: LookupError.noSuchNetwork("polkadot")) { try preview("main", network: "polkadot") }
        #expect(throws: LookupError.networkOfOtherScheme("ecdsa", has: [.ecdsa], asked: .ethereum)) {
            try preview("main", network: "ecdsa", .ethereum)
        }
    }

    @Test func `the preview says which parts of a path polkadot-js reads otherwise`() throws {
        let shown = try CeremonyFixture().device.preview(
            DeriveKeys(seed: "main", path: DerivationPath("//a//0xff//1//+2"))
        ).shown
        #expect(shown.differingInPolkadotJS.map(\.name) == ["0xff", "+2"])
    }

    @Test func `a soft part of a path is refused for a scheme without one`() throws {
        let fixture = try CeremonyFixture(networks: SchemeNetwork.all)
        try expectRefusal(KeyError.softJunction(index: 1), of: fixture) {
            try fixture.derive("//a/b", network: "ecdsa")
        }
    }

    @Test func `the laws of every operation hold`() throws {
        try expectLaws(
            of: DeriveKeys(seed: "main", path: DerivationPath("//p"), count: 2, network: "polkadot")
        ) {
            try CeremonyFixture()
        } whenChanged: { fixture, session in
            try fixture.derive("//p//0", in: session)
        }
    }

    @Test func `a network that changes after the preview is refused`() throws {
        let fixture = try CeremonyFixture()
        let approval = try fixture.device.preview(DeriveKeys(seed: "main", path: .root, network: "polkadot"))
            .confirm()
        let session = try fixture.session()
        try fixture.act(ChangeTrust(.removeNetwork(polkadot.genesisHash)), in: session)
        try expectRefusal(LookupError.noSuchNetwork("polkadot"), of: fixture) {
            _ = try session.perform(approval)
        }
    }

    @Test func `unattended, only a development vault derives`() throws {
        let operation = DeriveKeys(seed: "main", path: .root)
        let fixture = try CeremonyFixture()
        let approval = try fixture.device.preview(operation).confirmUnattended()
        #expect(try fixture.session().perform(approval).consent == .developmentVault)
        let real = try CeremonyFixture(isDevelopment: false)
        #expect(throws: CeremonyError.approveNeedsDevelopmentVault) {
            try real.device.preview(operation).confirmUnattended()
        }
    }
}

func hex(_ key: PublicKey) -> String { Hex.encode(key.bytes) }
