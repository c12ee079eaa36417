import Keys
import SubstratePrimitives
import Testing
import TrustStore
import Vault

@testable import Accounts
@testable import Ceremony

/// Seeds without a phrase: SLIP-39 master secrets.
@Suite struct MasterSeedTests {
    private static let bytes = [UInt8](repeating: 0x5a, count: 16)

    private func held(_ bytes: [UInt8] = bytes) -> HeldSecret {
        var bytes = bytes
        return HeldSecret(SecretBytes(wiping: &bytes))
    }

    private func fixture() throws -> CeremonyFixture {
        let fixture = try CeremonyFixture()
        try fixture.act(AddSeed("trezor", entropy: held(), origin: .slip39, kind: .master))
        return fixture
    }

    private func path(_ text: String, _ scheme: SignatureScheme) throws -> AccountPath {
        try AccountPath(text, scheme: scheme)
    }

    @Test func `a master secret is stored, named and found as one`() throws {
        let fixture = try fixture()
        #expect(try fixture.state.kind(ofSeed: "trezor") == .master)
        #expect(try fixture.state.kind(ofSeed: "main") == .phrase)
        let event = try #require(try fixture.events.last)
        #expect(event.kind == .seedAdded && event["how"] == "slip_39_shares")
        let session = try fixture.session()
        #expect(try session.kind(ofSeed: "trezor") == .master)
        let own = SeedSecret(.master, held().withSecret { (s: borrowing SecretBytes) in s.copy() })!
        let (isTrezor, isMain) = try (session.isSecret(own, of: "trezor"), session.isSecret(own, of: "main"))
        #expect(isTrezor && !isMain)
        // The same bytes as entropy are another seed.
        let isEntropy = try held().withSecret { (s: borrowing SecretBytes) in
            try session.isEntropy(s, of: "trezor")
        }
        #expect(!isEntropy)
        try fixture.act(AddSeed("words", entropy: held(), origin: .phrase), in: session)
        let shown = try fixture.device.preview(AddSeed("more", entropy: held(), origin: .phrase)).shown
        #expect(shown.otherNames == ["words"])
    }

    /// It has no // path, and so no host key: what looks through all seeds for one passes over it.
    @Test func `a vault with a master secret takes part in groups`() throws {
        let fixture = try fixture()
        try fixture.act(AddHostContact(GroupFixture.card(of: "bob"), name: "Robert"))
        #expect(try fixture.state.hostContacts.map(\.name) == ["Robert"])
    }

    @Test func `its keys are at paths of numbers only`() throws {
        let fixture = try fixture()
        let ethereum = DeriveKeys(
            seed: "trezor", path: try path("bip32:m/44'/60'/0'/0/0", .ethereum), scheme: .ethereum)
        let key = try #require(try fixture.act(ethereum).first)
        #expect(try fixture.state.key(key)?.seed == "trezor")
        let named = try fixture.act(
            DeriveKeys(seed: "trezor", path: try path("slip10:m/44'/0'", .ed25519), scheme: .ed25519))
        #expect(named.count == 1)
        for path in ["", "//polkadot", "/soft"] {
            let derive = DeriveKeys(seed: "trezor", path: try DerivationPath(path))
            #expect(throws: KeyError.masterSecretPath) { _ = try fixture.device.preview(derive) }
        }
        let before = try fixture.snapshot
        let password = DeriveKeys(
            seed: "trezor", path: try path("bip32:m/1", .ethereum), scheme: .ethereum, hasPassword: true)
        #expect(throws: KeyError.masterSecretPassword) {
            _ = try fixture.act(password, asking: Answers(passwords: ["x"]))
        }
        #expect(try fixture.snapshot == before)
    }

    @Test func `what needs a phrase is refused`() throws {
        let fixture = try fixture()
        #expect(throws: VaultError.noPhrase("trezor")) { _ = try fixture.act(RevealPhrase(seed: "trezor")) }
        #expect(throws: VaultError.noPhrase("trezor")) {
            _ = try fixture.act(SplitSeed("trezor", passphrase: held(), total: 3, required: 2))
        }
        #expect(throws: VaultError.noPhrase("trezor")) {
            _ = try fixture.act(SplitIntoXOR("trezor", count: 2))
        }
        #expect(try !fixture.events.contains { $0.kind == .seedSplit || $0.kind == .seedShown })
    }

    @Test func `its kind comes back with a store that is made anew, and goes with the seed`() throws {
        let fixture = try fixture()
        let session = try fixture.session()
        try session.store.change([.removeSeedRoot("trezor")], events: [])
        #expect(try fixture.state.kind(ofSeed: "trezor") == .phrase)
        // Whoever removed the mark has not won: the vault knows better.
        let derive = DeriveKeys(seed: "trezor", path: try DerivationPath("//a"))
        let approval = try fixture.device.preview(derive).confirm()
        #expect(throws: KeyError.masterSecretPath) { _ = try session.perform(approval) }
    }

    @Test func `shares of a seed join to it, under one passphrase`() throws {
        let fixture = try fixture()
        for (seed, kind) in [("main", SeedSecret.Kind.phrase), ("trezor", .master)] {
            let passphrase = HeldSecret(SecretBytes(utf8: "pass"))
            let split = SplitIntoSLIP39(seed, passphrase: passphrase, total: 3, required: 2)
            #expect(try fixture.device.preview(split).shown.kind == kind)
            let phrases = try fixture.act(split)
            let event = try #require(try fixture.events.last)
            #expect(event.kind == .seedSplit && event["form"] == "slip_39" && event["required"] == "2")
            let shares = try phrases.dropFirst().map { phrase in
                try phrase.withSecret { (words: borrowing SecretBytes) in try SLIP39Share(words) }
            }
            let session = try fixture.session()
            let joined = SeedSecret(kind, try SLIP39.join(shares, passphrase: SecretBytes(utf8: "pass")))!
            let isJoined = try session.isSecret(joined, of: seed)
            let other = SeedSecret(kind, try SLIP39.join(shares, passphrase: SecretBytes()))!
            let isOther = try session.isSecret(other, of: seed)
            #expect(isJoined && !isOther)
        }
    }

    @Test func `parts of a seed join to it`() throws {
        let fixture = try CeremonyFixture()
        let phrases = try fixture.act(SplitIntoXOR("main", count: 3))
        #expect(try fixture.events.last?["form"] == "seed_xor")
        let parts = try phrases.map { phrase in
            try phrase.withSecret { (words: borrowing SecretBytes) in
                HeldSecret(try Mnemonic(phrase: words).entropy.copy())
            }
        }
        let joined = try SeedXOR.join(parts)
        #expect(try fixture.session().isEntropy(joined, of: "main"))
    }

    @Test func `a child stands in the log with its parent and index`() throws {
        let fixture = try fixture()
        for seed in ["main", "trezor"] {
            let derive = DeriveChild(of: seed, words: 12, index: 7)
            #expect(
                try fixture.device.preview(derive).shown.path.numbers == "m/83696968'/39'/0'/12'/7'")
            let child = try fixture.act(derive)
            #expect(child.count == 16)
            let event = try #require(try fixture.events.last)
            #expect(event.kind == .seedShown && event["seed"] == seed && event["child"] == "7")
        }
        #expect(throws: KeyError.self) {
            _ = try fixture.device.preview(DeriveChild(of: "main", words: 15, index: 0))
        }
    }

    @Test(arguments: Obstacle.allCases)
    func `no share, part or child leaves without its line in the log`(obstacle: Obstacle) throws {
        let none = HeldSecret(SecretBytes())
        try expectNothing(
            of: SplitIntoSLIP39("main", passphrase: none, total: 3, required: 2), after: obstacle,
            in: CeremonyFixture())
        try expectNothing(of: SplitIntoXOR("main", count: 2), after: obstacle, in: CeremonyFixture())
        try expectNothing(
            of: DeriveChild(of: "main", words: 12, index: 0), after: obstacle, in: CeremonyFixture())
    }

    @Test func `a backup holds a master secret`() throws {
        let fixture = try fixture()
        let session = try fixture.session()
        let backup = try VaultBackup.make(session.vault, attachments: [])
        let report = try VaultBackup.check(backup, passphrase: SecretBytes(utf8: CeremonyFixture.strong))
        #expect(report.seedNames == ["main", "trezor"])
    }
}
