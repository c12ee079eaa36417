import FixtureRuntime
import Forge
import Hashing
import Keys
import SubstratePrimitives
import Testing
import TrustStore
import UOS

@testable import Accounts
@testable import Ceremony
@testable import Review

/// A vault with its own keys, and a phrase that is given for one act.
private struct UnstoredFixture {
    static let runtime = SigningFixture.runtime
    let fixture: SigningFixture
    var vault: CeremonyFixture { fixture.vault }

    init(isDevelopment: Bool = true, policy: String? = nil) throws {
        fixture = try SigningFixture(isDevelopment: isDevelopment, policy: policy)
    }

    func transfer(_ amount: UInt128 = 60, from key: PublicKey, nonce: UInt64 = 0) -> [UInt8] {
        let call = Self.runtime.call(
            "Balances", "transfer_keep_alive",
            [FixtureValue.address(SigningFixture.bob), FixtureValue.compact(amount)])
        let values = FixtureExtensionValues(
            era: .mortal(MortalEra(period: 64, phase: 0)!), blockHash: Hash32.blake2b(of: [1]), nonce: nonce)
        return Self.runtime.transactionPayload(signer: key.bytes, call: call, values)
    }

    /// The signer of a payload, by the phrase of a seed's name.
    static func signer(
        _ payload: Payload, phrase: String, password: String = "", path: String? = nil
    ) throws -> UnstoredSigner? {
        guard case .transaction(let transaction) = payload.signable else { return nil }
        return try UnstoredSigner(
            transaction.signer, of: Mnemonic(entropy: CeremonyFixture.entropy(of: phrase)),
            password: SecretBytes(utf8: password),
            at: path.map { try AccountPath($0, scheme: .sr25519) },
            among: AccountConvention.known(networks: [], numbers: 2))
    }

    func operation(
        _ payload: [UInt8], phrase: String, password: String = "", path: String? = nil
    ) throws -> SignPayload {
        let payload = try Payload(payload)
        let signer = try Self.signer(payload, phrase: phrase, password: password, path: path)
        return SignPayload(payload, unstored: signer.map { [$0] } ?? [])
    }
}

@Suite struct UnstoredSigningTests {
    @Test func `a phrase that is not stored signs once, and the vault keeps only that it did`() throws {
        let test = try UnstoredFixture()
        let key = try CeremonyFixture.key("other", "//0")
        let before = try test.vault.state
        let signed = try test.vault.act(test.operation(test.transfer(from: key), phrase: "other"))
        let message = try SigningMessage.bytes(signed[0].reviewed, scheme: .sr25519)
        #expect(signed[0].key == key)
        #expect(Signature.verify(signed[0].signature, message: message, key: key))
        let after = try test.vault.state
        #expect(after.keys == before.keys && after.seedRoots.map(\.seed) == before.seedRoots.map(\.seed))
        #expect(try test.vault.device.vault().seedNames == ["main"])
        let event = try #require(try test.vault.events.last)
        #expect(event.kind == .transactionSigned && event["key"] == "not stored")
        #expect(event["signer"] == key.address(prefix: UnstoredFixture.runtime.specs.base58Prefix))
        // Neither the path nor the root of the phrase.
        let facts = event.facts.map(\.value)
        let root = try CeremonyFixture.key("other")
        #expect(!facts.contains { $0.contains("//0") || $0.contains(Hex.encode(root.bytes)) })
        // The next time the vault knows no more of it.
        let again = try test.vault.device.preview(
            SignPayload(Payload(test.transfer(from: key, nonce: 1))))
        #expect(again.shown[0].refusal == .unknownSigner)
    }

    @Test func `a path that is named, and a password, lead to the key that they are of`() throws {
        let test = try UnstoredFixture()
        let key = try CeremonyFixture.key("other", "//far", password: "word")
        let payload = test.transfer(from: key)
        let signed = try test.vault.act(
            test.operation(payload, phrase: "other", password: "word", path: "//far"))
        #expect(signed[0].key == key)
        for (password, path) in [("", "//far"), ("word", "//near"), ("word", nil), ("other", "//far")] {
            let signer = try UnstoredFixture.signer(
                Payload(payload), phrase: "other", password: password, path: path)
            #expect(signer == nil)
        }
    }

    /// What a phrase in another language gives at paths of numbers comes from its words. The vault has the
    /// entropy and the English words, so its seed of that phrase does not give the key.
    @Test func `a key of other words than the vault's is no key of its seed`() throws {
        let words =
            "girafe pavillon sergent pénible assiette garnir digne chimère appuyer nuancer toxine surface"
        let french = try Mnemonic(reading: SecretBytes(utf8: words))
        let english = try Mnemonic(entropy: french.entropy.copy())
        func signer(_ mnemonic: borrowing Mnemonic, _ path: String) throws -> UnstoredKey {
            let path = try AccountPath(path, scheme: .ed25519)
            let key = try KeyPair.derive(mnemonic, path: path, password: SecretBytes(), scheme: .ed25519)
            return try #require(
                try UnstoredSigner(
                    .key(key.publicKey), of: mnemonic, password: SecretBytes(), at: path, among: [])
            ).key
        }
        let ledger = "ledger:m/44'/354'/0'/0'/0'"
        let root = try SeedIdentity.root(of: french.entropy)
        #expect(try signer(french, ledger).root == nil && signer(french, "//0").root == root)
        #expect(try signer(english, ledger).root == root && signer(english, "//0").root == root)
        #expect(try signer(english, ledger).publicKey != signer(french, ledger).publicKey)
        var state = TrustState()
        state.settings[TrustState.seedRootPrefix + "paper"] = root.bytes
        #expect(try state.holder(of: signer(french, ledger)) == nil)
        for (mnemonic, path) in [(0, "//0"), (1, ledger), (1, "//0")] {
            let key = try mnemonic == 0 ? signer(french, path) : signer(english, path)
            #expect(state.holder(of: key) == "seed paper")
        }
    }

    @Test func `the phrase of a stored seed signs nothing beside its record`() throws {
        let test = try UnstoredFixture()
        // A key that the vault never derived, one with a password, and one that it may no longer use.
        for (path, password) in [("//1", ""), ("//0", "word"), ("//far", "")] {
            let key = try CeremonyFixture.key("main", path, password: password)
            let operation = try test.operation(
                test.transfer(from: key), phrase: "main", password: password, path: path)
            #expect(operation.unstored.count == 1)
            let before = try test.vault.snapshot
            #expect(throws: ReviewError.phraseIsStored("seed main")) { try test.vault.act(operation) }
            #expect(try test.vault.state == before.state)
        }
        // The record of a held key decides, whatever phrase is given.
        try test.vault.act(ChangeKey(test.fixture.key.address(prefix: 42), .forbid(network: "heliotest")))
        let forbidden = try test.operation(test.transfer(from: test.fixture.key), phrase: "main")
        #expect(throws: ReviewError.keyNotAllowed(network: "heliotest")) { try test.vault.act(forbidden) }
    }

    @Test func `the policy forbids a key that is not stored what it forbids every key`() throws {
        let key = try CeremonyFixture.key("other", "//0")
        let own = try CeremonyFixture.key("main", "//0")
        for policy in [
            "{\"networks\": [\"kusama\"]}", "{\"maximum_amount\": \"50\"}",
            "{\"calls\": [\"System.remark\"]}",
            "{\"signers\": [\"0x\(Hex.encode(own.bytes))\"]}", "{\"require_metadata_hash\": \"always\"}",
        ] {
            let test = try UnstoredFixture(policy: policy)
            let operation = try test.operation(test.transfer(from: key), phrase: "other")
            let shown = try test.vault.device.preview(operation).shown[0]
            guard case .policy? = shown.refusal else {
                Issue.record("\(policy): \(String(describing: shown.refusal))")
                continue
            }
            #expect(throws: ReviewError.self) { try test.vault.act(operation) }
        }
    }

    @Test func `no rule says yes for a key that is not stored`() throws {
        let test = try UnstoredFixture(
            isDevelopment: false, policy: "{\"approve\": [\(SigningFixture.rule)]}")
        let session = try test.vault.session()
        // The vault's own key, for what the rule approves.
        let own = SignPayload(try Payload(test.transfer(from: test.fixture.key)))
        _ = try session.perform(session.preview(own).confirmUnattended())
        let key = try CeremonyFixture.key("other", "//0")
        let operation = try test.operation(test.transfer(from: key), phrase: "other")
        #expect(throws: CeremonyError.self) { _ = try session.preview(operation).confirmUnattended() }
    }

    @Test func `budgets and the history count what such a key signs`() throws {
        let key = try CeremonyFixture.key("other", "//0")
        let test = try UnstoredFixture(policy: "{\"maximum_per_day\": \"100\"}")
        try test.vault.act(test.operation(test.transfer(60, from: key), phrase: "other"))
        let over = try test.operation(test.transfer(60, from: key, nonce: 1), phrase: "other")
        let refused = try test.vault.device.preview(over).shown[0]
        guard case .policy(.budget)? = refused.refusal else {
            Issue.record("\(String(describing: refused.refusal))")
            return
        }
        let repeated = try test.operation(test.transfer(30, from: key), phrase: "other")
        let codes = try test.vault.device.preview(repeated).shown[0].cards.warning.map { $0.warning?.code }
        #expect(codes.contains("nonce_reused") && codes.contains("key_not_stored"))
    }

    @Test func `a yes holds for one key, and no longer once the vault has its seed`() throws {
        let test = try UnstoredFixture()
        let key = try CeremonyFixture.key("other", "//0")
        let operation = try test.operation(test.transfer(from: key), phrase: "other")
        let approval = try test.vault.device.preview(operation).confirm()
        let session = try test.vault.session()
        try session.store.change(
            [.putSeedRoot("other", try CeremonyFixture.key("other"))], events: [])
        #expect(throws: CeremonyError.changedSinceShown) { _ = try session.perform(approval) }
        let stranger = try test.vault.device.preview(SignPayload(operation.payload)).shown[0]
        #expect(stranger.signatory == .stranger)
    }

    @Test func `a signature comes from the key that was shown`() throws {
        let test = try UnstoredFixture()
        let key = try CeremonyFixture.key("other", "//0")
        let session = try test.vault.session()
        let operation = try test.operation(test.transfer(from: key), phrase: "other")
        let shown = try session.preview(operation).shown[0]
        let wrong = try KeyPair.derive(
            entropy: CeremonyFixture.entropy(of: "third"), path: DerivationPath("//0"), scheme: .sr25519)
        let trust = try session.trust()
        #expect(throws: ReviewError.derivedKeyDiffers(hasPassword: false)) {
            _ = try SignPayload.sign(shown.signable(), with: wrong, trust)
        }
    }
}
