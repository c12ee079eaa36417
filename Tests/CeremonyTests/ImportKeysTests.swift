import Accounts
import Hashing
import Keys
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import Vault

@testable import Ceremony

/// What another program put into keystores, and signatures by it.
struct ForeignAccount: Decodable {
    let id: Int
    let scheme: String
    let password: String
    let publicKeys: [String]
    let file: String
    let message: String
    let signatures: [String]

    static func all() throws -> [ForeignAccount] {
        let cases = try Checkout.json("fixtures/wallets/keystores.json", as: [ForeignAccount].self)
        try #require(cases.count == 13)
        return cases
    }

    func keys() throws -> [ForeignKey] {
        try Keystore(Array(file.utf8)).open(password: SecretBytes(utf8: password))
    }
}

@Suite struct ImportKeysTests {
    static func secret(_ byte: UInt8, _ scheme: SignatureScheme = .sr25519) throws -> ForeignKey {
        let bytes = SecretBytes(count: 32) { $0.initializeMemory(as: UInt8.self, repeating: byte) }
        return ForeignKey(try KeyPair.importing(bytes, scheme: scheme))
    }

    private static func text(_ held: HeldSecret) throws -> ForeignKey {
        let (secret, _) = try held.withSecret { (text: borrowing SecretBytes) in
            guard let read = SecretKeyText(text) else { throw CeremonyError.declined }
            return (HeldSecret(read.secret.copy()), read.genesis)
        }
        return try secret.withSecret { (bytes: borrowing SecretBytes) in
            ForeignKey(try KeyPair.importing(bytes, scheme: .sr25519))
        }
    }

    @Test func `an imported key of every keystore signs as the program that made it`() throws {
        for sample in try ForeignAccount.all() {
            let fixture = try CeremonyFixture(networks: SchemeNetwork.all)
            let keys = try fixture.act(ImportKeys(try sample.keys(), origin: .keystore))
            #expect(keys.map { hex($0) } == sample.publicKeys, "case \(sample.id)")
            let message = try #require(Hex.decode(sample.message))
            // Read again from the disk, as each signature does.
            let vault = try fixture.session().vault
            for (key, signature) in zip(keys, sample.signatures) {
                let theirs = try #require(Hex.decode(signature))
                #expect(Signature.verify(theirs, message: message, key: key), "case \(sample.id)")
                let pair = try vault.keyPair(imported: key)
                let ours = try pair.sign(message)
                // Those of sr25519 are drawn anew each time.
                #expect(key.scheme == .sr25519 || ours == theirs, "case \(sample.id)")
                #expect(Signature.verify(ours, message: message, key: key))
            }
        }
    }

    @Test func `the vault has the keys, their secrets and lines of its log, and no name of theirs`() throws {
        let fixture = try CeremonyFixture()
        let keys = try [Self.secret(1), Self.secret(2, .ed25519), Self.secret(1)]
        let added = try fixture.act(ImportKeys(keys, origin: .secret))
        #expect(added == [keys[0].publicKey, keys[1].publicKey])
        #expect(try fixture.state.keys.map(\.source) == [.imported, .imported])
        #expect(try fixture.state.keys.allSatisfy { $0.label == nil && $0.networks.isEmpty && $0.path == "" })
        #expect(Set(try fixture.device.vault().importedKeys) == Set(added))
        let facts = [("key", hex(added[0])), ("scheme", "sr25519"), ("how", "secret")]
        #expect(
            try fixture.events.dropLast().last
                == LogEvent(.keyAdded, facts.map { LogEvent.Fact($0.0, $0.1) }))
    }

    @Test func `a network is allowed for keys of its scheme only`() throws {
        let fixture = try CeremonyFixture(networks: SchemeNetwork.all)
        let keys = try [Self.secret(1), Self.secret(2, .ed25519)]
        try fixture.act(ImportKeys([keys[0]], origin: .secret, network: "sr25519"))
        #expect(try fixture.state.keys[0].networks == [SchemeNetwork.genesis(.sr25519)])
        let refusal = LookupError.networkOfOtherScheme("sr25519", has: [.sr25519], asked: .ed25519)
        try expectRefusal(refusal, of: fixture) {
            try fixture.act(ImportKeys([keys[1]], origin: .secret, network: "sr25519"))
        }
    }

    @Test func `a key that the vault holds stays as it is, and alone it is refused`() throws {
        let fixture = try CeremonyFixture.withKey()
        let derived = try KeyPair.derive(
            entropy: CeremonyFixture.entropy(of: "main"), path: DerivationPath("//0"), scheme: .sr25519)
        let same = ForeignKey(try KeyPair.importing(derived.exportSecret(), scheme: .sr25519))
        try expectRefusal(KeyRefusal.exists(holder: "seed main", path: "//0"), of: fixture) {
            try fixture.act(ImportKeys([same], origin: .secret))
        }
        let held = try fixture.state.keys
        let added = try fixture.act(ImportKeys([same, Self.secret(1)], origin: .keystore))
        #expect(added == [try Self.secret(1).publicKey])
        #expect(try fixture.state.keys.filter { !$0.isImported } == held)
        #expect(try fixture.device.vault().importedKeys == added)
        try expectRefusal(KeyRefusal.exists(holder: nil, path: ""), of: fixture) {
            try fixture.act(ImportKeys([Self.secret(1)], origin: .secret))
        }
    }

    @Test func `a seed does not derive a key that was imported`() throws {
        let fixture = try CeremonyFixture()
        let pair = try KeyPair.derive(
            entropy: CeremonyFixture.entropy(of: "main"), path: DerivationPath("//0"), scheme: .sr25519)
        try fixture.act(
            ImportKeys(
                [ForeignKey(try KeyPair.importing(pair.exportSecret(), scheme: .sr25519))], origin: .secret))
        try expectRefusal(KeyRefusal.collision(holder: nil, path: ""), of: fixture) {
            try fixture.derive("//0")
        }
    }

    @Test func `what is exported of an imported key imports the same key`() throws {
        let fixture = try CeremonyFixture()
        let key = try fixture.act(ImportKeys([Self.secret(3)], origin: .secret, network: "polkadot"))[0]
        let exported = try fixture.act(RevealKeySecret(key: key.address(prefix: 0)))
        #expect(try Self.text(exported).publicKey == key)
        let facts = [
            ("key", hex(key)), ("scheme", "sr25519"), ("how", "imported"), ("networks", "Polkadot"),
        ]
        #expect(
            try fixture.events.last == LogEvent(.keySecretExported, facts.map { LogEvent.Fact($0.0, $0.1) }))
    }

    @Test func `an imported key goes with its secret`() throws {
        let fixture = try CeremonyFixture()
        let keys = try [Self.secret(1), Self.secret(2)]
        let added = try fixture.act(ImportKeys(keys, origin: .keystore))
        try fixture.act(ChangeKey(added[0].address(prefix: 42), .remove))
        #expect(try fixture.state.keys.map(\.publicKey) == [added[1]])
        #expect(try fixture.device.vault().importedKeys == [added[1]])
        // Its label and its networks leave the secret where it is.
        try fixture.act(ChangeKey(added[1].address(prefix: 42), .label("savings")))
        #expect(try fixture.device.vault().importedKeys == [added[1]])
    }

    @Test func `a store that is made anew lists the imported keys of its vault`() throws {
        let fixture = try CeremonyFixture()
        let added = try fixture.act(ImportKeys([Self.secret(1)], origin: .keystore, network: "polkadot"))
        do {
            let session = try fixture.session()
            try session.store.change([.removeKey(added[0])], events: [])
        }
        #expect(try fixture.state.keys.isEmpty)
        let again = try fixture.session().trust().state.keys
        #expect(again == [KeyRecord(imported: added[0])])
        let line = try #require(try fixture.events.last { $0.kind == .keyAdded })
        #expect(line.facts.contains(LogEvent.Fact("key", Hex.encode(added[0].bytes))))
        #expect(line.facts.contains(LogEvent.Fact("how", "imported")))
    }

    @Test func `a backup brings imported keys back`() throws {
        let fixture = try CeremonyFixture()
        let added = try fixture.act(ImportKeys([Self.secret(1)], origin: .keystore, network: "polkadot"))
        let backup = try fixture.act(BackUpVault())
        #expect(
            try fixture.events.last
                == LogEvent(
                    .vaultBackedUp, [LogEvent.Fact("seeds", "1"), LogEvent.Fact("imported_keys", "1")]))
        let other = CeremonyFixture(empty: ())
        let restore = RestoreVault(
            backup, passphrase: HeldSecret(CeremonyFixture.passphrase), keyFile: HeldSecret(SecretBytes()))
        let report = try other.device.perform(other.device.preview(restore).confirm()) { SecretBytes() }
            .outcome
        #expect(report.importedKeys == added)
        #expect(try other.state.keys == fixture.state.keys)
        _ = try other.session().vault.keyPair(imported: added[0])
    }

    @Test func `the laws of every operation hold`() throws {
        try expectLaws(
            of: ImportKeys([Self.secret(1), Self.secret(2)], origin: .secret, network: "polkadot")
        ) {
            try CeremonyFixture()
        } whenChanged: { fixture, session in
            try fixture.act(ImportKeys([Self.secret(2)], origin: .secret), in: session)
        }
        let key = try Self.secret(1)
        try expectLaws(of: ChangeKey(key.publicKey.address(prefix: 42), .remove)) {
            let fixture = try CeremonyFixture()
            try fixture.act(ImportKeys([key], origin: .secret))
            return fixture
        } whenChanged: { fixture, session in
            try fixture.act(ChangeKey(key.publicKey.address(prefix: 42), .label("new")), in: session)
        }
    }
}
