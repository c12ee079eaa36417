import Accounts
import Hashing
import Keys
import Review
import SCALE
import SubstratePrimitives
import Testing
import TrustStore
import UOS
import Vault

@testable import Ceremony

@Suite struct ExportKeysTests {
    @Test(arguments: SignatureScheme.allCases)
    func `another vault with the seed imports what was exported`(scheme: SignatureScheme) throws {
        let fixture = try CeremonyFixture(networks: SchemeNetwork.all)
        try fixture.derive("", network: scheme.name)
        try fixture.derive("//a//0", network: scheme.name)
        let payload = try Payload(try fixture.act(ExportKeys(seed: "main")))
        let other = try CeremonyFixture(networks: SchemeNetwork.all)
        #expect(try other.act(try #require(ImportDerivations(payload))) == 2)
        #expect(try other.state.keys == fixture.state.keys)
    }

    @Test func `an export names its seed, its root and what its vault can do`() throws {
        let fixture = try CeremonyFixture.withKey()
        let payload = try Payload(try fixture.act(ExportKeys(seed: "main")))
        guard case .importDerivations(let export) = payload.content else {
            Issue.record("another payload")
            return
        }
        let key = try DerivationPayload.exported("//0", genesis: polkadot.genesisHash)
        #expect(export.features == [.bulkOperations, .dynamicDerivations])
        #expect(export.seeds.map(\.name) == ["main"])
        #expect(export.seeds[0].root == (try CeremonyFixture.key("main")))
        #expect(export.seeds[0].keys.map(\.path) == [key.path])
        #expect(export.seeds[0].keys[0].address == (try CeremonyFixture.address()))
        let facts = [
            LogEvent.Fact("seed", "main"), LogEvent.Fact("keys", "1"), LogEvent.Fact("networks", "Polkadot"),
        ]
        #expect(try fixture.events.last == LogEvent(.keysExported, facts))
    }

    @Test func `keys with a password, of no network or of another seed are left out`() throws {
        let fixture = try CeremonyFixture(seeds: ["main", "other"])
        try fixture.derive("//secret", password: "word")
        try fixture.derive("//homeless", network: nil)
        try fixture.derive("//theirs", seed: "other")
        try fixture.derive("//mine")
        let shown = try fixture.device.preview(ExportKeys(seed: "main")).shown
        #expect(shown.withPassword == 1)
        #expect(shown.derivations.map(\.path) == ["//mine"])
    }

    @Test func `a key is exported once for each of its networks`() throws {
        let fixture = try CeremonyFixture.withKey()
        try fixture.derive("//0", network: "kusama", word: .typed("reuse key"))
        let shown = try fixture.device.preview(ExportKeys(seed: "main")).shown
        #expect(Set(shown.derivations.map(\.genesisHash)) == [polkadot.genesisHash, kusama.genesisHash])
    }

    @Test func `a seed that is not there has no export`() throws {
        let fixture = try CeremonyFixture()
        #expect(throws: VaultError.noSuchSeed("Main")) {
            try fixture.device.preview(ExportKeys(seed: "Main"))
        }
    }

    @Test func `the laws of every operation hold`() throws {
        try expectLaws(of: ExportKeys(seed: "main")) {
            try CeremonyFixture.withKey()
        } whenChanged: { fixture, session in
            try fixture.derive("//1", in: session)
        }
    }
}

@Suite struct RevealKeySecretTests {
    private static func text(_ held: HeldSecret) -> String {
        held.withSecret { $0.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
    }

    @Test(arguments: SignatureScheme.allCases)
    func `the secret makes the same key elsewhere`(scheme: SignatureScheme) throws {
        let fixture = try CeremonyFixture(networks: SchemeNetwork.all)
        let key = try fixture.derive("//0", network: scheme.name)[0]
        let held = try fixture.act(RevealKeySecret(key: "0x" + hex(key)))
        let parts = Self.text(held).split(separator: ":").map(String.init)
        #expect(parts.count == 3 && parts[0] == "secret" && parts[2] == SchemeNetwork.genesis(scheme).hex)
        var bytes = try #require(Hex.decode(parts[1]))
        #expect(try KeyPair.derive(miniSecret: SecretBytes(wiping: &bytes), scheme: scheme).publicKey == key)
        let facts = [
            ("key", hex(key)), ("scheme", scheme.name), ("seed", "main"), ("path", "//0"),
            ("networks", scheme.name),
        ]
        #expect(
            try fixture.events.last == LogEvent(.keySecretExported, facts.map { LogEvent.Fact($0.0, $0.1) }))
    }

    @Test func `a key below a soft part has 64 bytes`() throws {
        let fixture = try CeremonyFixture()
        let key = try fixture.derive("/soft")[0]
        let parts = Self.text(try fixture.act(RevealKeySecret(key: key.address(prefix: 0)))).split(
            separator: ":")
        #expect(parts[1].utf8.count == 2 + 128)
    }

    @Test func `the secret names the network that was asked for`() throws {
        let fixture = try CeremonyFixture.withKey()
        try fixture.derive("//0", network: "kusama", word: .typed("reuse key"))
        let address = try CeremonyFixture.address()
        for network in [polkadot, kusama] {
            let held = try fixture.act(RevealKeySecret(key: address, network: network.name))
            #expect(Self.text(held).hasSuffix(":" + network.genesisHash.hex))
        }
        #expect(throws: LookupError.keyNotOfNetwork("westend")) {
            try fixture.device.preview(RevealKeySecret(key: address, network: "westend"))
        }
    }

    @Test func `a key without a network has no secret to show`() throws {
        let fixture = try CeremonyFixture()
        let key = try fixture.derive("//0", network: nil)[0]
        #expect(throws: LookupError.keyHasNoNetwork) {
            try fixture.device.preview(RevealKeySecret(key: key.address(prefix: 42)))
        }
    }

    @Test func `a wrong password is logged and reveals nothing`() throws {
        let fixture = try CeremonyFixture.withKey(password: "word")
        let operation = RevealKeySecret(key: try CeremonyFixture.address(password: "word"))
        try expectRefusal(
            ReviewError.derivedKeyDiffers(hasPassword: true), of: fixture, logging: [.wrongPassword]
        ) {
            try fixture.act(operation, asking: Answers(passwords: ["Word"]))
        }
        let key = try CeremonyFixture.key("main", "//0", password: "word")
        #expect(try fixture.events.last == LogEvent(.wrongPassword, [LogEvent.Fact("key", hex(key))]))
        let held = try fixture.act(operation, asking: Answers(passwords: ["word"]))
        #expect(Self.text(held).utf8.count == "secret:0x".utf8.count + 64 + 1 + 64)
    }

    @Test func `after a no, and online, nothing is revealed or asked`() throws {
        let fixture = try CeremonyFixture.withKey()
        let preview = try fixture.device.preview(RevealKeySecret(key: CeremonyFixture.address()))
        #expect(throws: CeremonyError.declined) { try preview.confirm { false } }
        let approval = try preview.confirm()
        fixture.goOnline()
        #expect(throws: CeremonyError.online([.interfaceUp("wlan0")])) {
            try preview.confirm {
                Issue.record("asked online")
                return true
            }
        }
        #expect(throws: CeremonyError.online([.interfaceUp("wlan0")])) {
            try fixture.session().perform(approval)
        }
        #expect(try !fixture.events.contains { $0.kind == .keySecretExported })
    }

    @Test func `the laws of every operation hold`() throws {
        try expectLaws(of: RevealKeySecret(key: CeremonyFixture.address())) {
            try CeremonyFixture.withKey()
        } whenChanged: { fixture, session in
            try fixture.derive("//0", network: "kusama", word: .typed("reuse key"), in: session)
        }
    }

    /// A program that holds the file for longer than the store waits.
    @Test func `a store that another program holds gives no secret`() throws {
        let fixture = try CeremonyFixture.withKey()
        let approval = try fixture.device.preview(RevealKeySecret(key: CeremonyFixture.address())).confirm()
        let session = try fixture.session()
        let before = try fixture.snapshot
        try whileHeld(fixture) {
            #expect(throws: StoreError.busy) { try session.perform(approval) }
        }
        #expect(try fixture.snapshot == before)
    }
}
