import Diagnostics
import Extrinsics
import FixtureRuntime
import Keys
import Metadata
import SCALE
import SubstratePrimitives
import Synchronization
import Testing
import TrustStore
import UOS
import Vault

@testable import Accounts
@testable import Ceremony
@testable import Review
@testable import TrustUpdates

/// What leaves a line in the log, and what only ends a command.
@Suite struct RefusalTests {
    private static let noRule = CeremonyError.noRuleApproves(
        PersonNeeded(
            transaction: 2,
            cause: .rules([PersonNeeded.Obstacle(rule: 1, reason: .violation(.metadataHash(.disabled)))])))

    @Test func `a no, a change and what the vault cannot do refuse a payload`() {
        for error in CeremonyError.examples + [.keyOnTwoNetworks(1)] {
            let isOne =
                [
                    CeremonyError.declined, .changedSinceShown, .approveNeedsPolicy, Self.noRule,
                    .keyOnTwoNetworks(1), .keyOnTwoNetworks(2),
                ]
                .contains(
                    error)
            #expect(Refusal.isOne(error) == isOne, "\(error)")
        }
        for error in ReviewError.examples { #expect(Refusal.isOne(error), "\(error)") }
        for error in UpdateRefusal.examples { #expect(Refusal.isOne(error), "\(error)") }
        for error in DerivationRefusal.examples { #expect(Refusal.isOne(error), "\(error)") }
        for error in StoreError.examples {
            #expect(Refusal.isOne(error) == (error == .changedSinceShown || error.isBeyondRepair), "\(error)")
        }
        for error in VaultError.examples { #expect(!Refusal.isOne(error), "\(error)") }
        for error in KeyRefusal.examples { #expect(!Refusal.isOne(error), "\(error)") }
    }

    @Test func `the log keeps the code of each error that ends a ceremony`() throws {
        let fixture = try SigningFixture()
        let operation = try fixture.operation(fixture.transfer())
        func expectLines<E: DiagnosticError>(of errors: [E]) throws {
            for error in errors {
                fixture.vault.device.record(refusal: error, of: operation, nil)
                let event = try #require(try fixture.vault.device.store().journalled.last)
                #expect(
                    event.kind == .transactionRefused && event["reason"] == error.code.rawValue, "\(error)")
            }
        }
        try expectLines(of: CeremonyError.examples)
        try expectLines(of: ReviewError.examples)
        try expectLines(of: [StoreError.busy, .changedSinceShown])
        try expectLines(of: [VaultError.full])
        struct Foreign: Error {}
        fixture.vault.device.record(refusal: Foreign(), of: operation, nil)
        #expect(try fixture.vault.device.store().journalled.last?["reason"] == "internal")
    }

    @Test func `only a new store helps where this one is not as its seal has it`() {
        let repairable = StoreError.examples.filter { !$0.isBeyondRepair }.map(\.code.rawValue)
        #expect(
            repairable == [
                "vault-exists", "store-busy", "input-output", "journal-too-large", "vault-rolled-back",
                "vault-file-unwritten",
                "changed-since-shown",
                "content-broken", "conflict", "key-on-two-networks",
            ])
    }

    @Test func `an act that the log cannot take refuses no payload`() throws {
        let fixture = try SigningFixture()
        let approval = try fixture.vault.device.preview(fixture.operation(fixture.transfer())).confirm()
        let session = try fixture.vault.session()
        try fixture.vault.blockLog()
        #expect(throws: StoreError.conflict(table: "constraint")) { try session.perform(approval) }
        #expect(try fixture.vault.device.store().journalled.isEmpty)
    }

    @Test func `a payload of fewer or more transactions is another one`() throws {
        let fixture = try SigningFixture()
        let operation = try fixture.operation(fixture.transfer())
        let shown = try fixture.vault.device.preview(operation).shown
        #expect(operation.isSame(shown, shown))
        #expect(
            !operation.isSame([], shown) && !operation.isSame(shown, [])
                && !operation.isSame(shown, shown + shown))
    }

    @Test func `a bulk is refused for any of its transactions`() throws {
        let (fixture, forbidden) = (try SigningFixture(), try SigningFixture(allowed: false))
        let operation = try fixture.operation(fixture.transfer())
        let shown = try fixture.vault.device.preview(operation).shown
        let refused = try forbidden.vault.device.preview(operation).shown
        #expect(throws: ReviewError.keyNotAllowed(network: "heliotest")) {
            try operation.requireAllowed(shown + refused)
        }
        try operation.requireAllowed(shown)
    }

    @Test func `another key than the one that was shown signs nothing`() throws {
        let fixture = try SigningFixture()
        let session = try fixture.vault.session()
        let shown = try session.preview(fixture.operation(fixture.transfer())).shown
        let other = try KeyPair.derive(
            entropy: CeremonyFixture.entropy(of: "main"), path: DerivationPath("//1"),
            password: SecretBytes(), scheme: .sr25519)
        let trust = try session.trust()
        #expect(throws: ReviewError.derivedKeyDiffers(hasPassword: false)) {
            _ = try SignPayload.sign(shown[0].signable(), with: other, trust)
        }
    }

    @Test func `a message goes back as a bare signature, a transaction with its scheme`() throws {
        let fixture = try SigningFixture()
        let message = try fixture.vault.act(fixture.operation(fixture.message("hello")))[0]
        #expect(message.answer == .message(message.signature))
        let transaction = try fixture.vault.act(fixture.operation(fixture.transfer()))[0]
        #expect(transaction.answer == .transaction(transaction.multiSignature))
    }

    @Test func `a refused transaction names the metadata that read it`() throws {
        let fixture = try SigningFixture()
        let preview = try fixture.vault.device.preview(fixture.operation(fixture.transfer()))
        #expect(throws: CeremonyError.declined) { try preview.confirm { false } }
        let event = try fixture.vault.device.store().journalled.last
        #expect(event?.metadataHash == .blake2b(of: SigningFixture.runtime.metadata()))
    }

    @Test func `a transaction with another refusal, signer or metadata is another one`() throws {
        let fixture = try SigningFixture()
        let shown = try fixture.vault.device.preview(fixture.operation(fixture.transfer())).shown[0]
        func copy(refusal: ReviewError? = nil, isKnown: Bool = true, metadataHash: Hash32? = nil)
            -> ReviewedTransaction
        {
            let reading = shown.reading!
            let content = ReviewedTransaction.Content.transaction(
                TransactionReading(
                    decoded: reading.decoded, specs: reading.specs,
                    metadataHash: metadataHash ?? reading.metadataHash,
                    voucher: reading.voucher, vouching: reading.vouching))
            var copy = ReviewedTransaction(
                content, payload: shown.payload, cards: shown.cards, signer: shown.signer,
                signatory: isKnown ? shown.signatory : .stranger, signingBytes: shown.signingBytes,
                refusal: refusal)
            copy.history = shown.history
            return copy
        }
        #expect(copy().shows(the: shown))
        // The mark of a destination stands on no card.
        var paid = copy()
        paid.history?.payments = [:]
        #expect(paid.history != shown.history && !paid.shows(the: shown))
        #expect(!copy(refusal: .unknownSigner).shows(the: shown))
        #expect(!copy(isKnown: false).shows(the: shown))
        #expect(!copy(metadataHash: .blake2b(of: [1])).shows(the: shown))
        // What is only shown is nothing that the signing takes.
        #expect(throws: Never.self) { try copy().signable() }
        #expect(throws: ReviewError.unknownSigner) { try copy(isKnown: false).signable() }
        #expect(throws: ReviewError.ownDomain) { try copy(refusal: .ownDomain).signable() }
    }

    @Test func `nobody is asked for a password that a key does not have`() throws {
        struct Unasked: Person {
            func password(path: String, address: String?) throws -> SecretBytes {
                Issue.record("asked for the password of \(path)")
                return SecretBytes()
            }
            func word(for reuse: [KeyReuse], in trust: TrustState) throws -> GivenWord? { nil }
            func word(for concerns: [DiceRolls.Concern]) throws -> GivenWord? { nil }
        }
        let fixture = try SigningFixture()
        try fixture.vault.act(fixture.operation(fixture.transfer()), asking: Unasked())
    }

    @Test func `what an open session refuses to preview is written down`() throws {
        let fixture = try SigningFixture()
        let session = try fixture.vault.session()
        var payload = fixture.transfer()
        payload[payload.count - 1] ^= 1
        let other = try #require(GenesisHash(Array(payload.suffix(32))))
        #expect(throws: ReviewError.unknownNetwork(other)) { try session.preview(fixture.operation(payload)) }
        #expect(try fixture.vault.device.store().journalled.map(\.kind) == [.transactionRefused])
    }

    @Test func `a session that finds the seal broken writes it down`() throws {
        let fixture = try CeremonyFixture()
        let session = try fixture.session()
        try fixture.breakSeal()
        #expect(throws: CeremonyFixture.brokenSeal) { try session.refresh() }
        #expect(try fixture.device.store().journalled.map(\.kind) == [.sealBroken])
    }
}

/// What happens between the last look under the seal and the commit.
@Suite struct CommitTests {
    /// A device whose detector, which is asked after the sealed state was read, lets somebody act once.
    private func device(of fixture: CeremonyFixture, _ meddler: Meddler) -> Device {
        let device = fixture.device
        return Device(
            directory: fixture.path,
            detector: {
                meddler.act()
                return device.report()
            }, clock: device.clock)
    }

    private final class Meddler: Sendable {
        private let deed = Mutex<(@Sendable () -> Void)?>(nil)
        func arm(_ deed: @escaping @Sendable () -> Void) { self.deed.withLock { $0 = deed } }
        func act() {
            let deed = deed.withLock { deed in
                defer { deed = nil }
                return deed
            }
            deed?()
        }
    }

    @Test func `a line that is written after the last look keeps the log from being cleared`() throws {
        let (fixture, meddler) = (try CeremonyFixture(), Meddler())
        let session = try device(of: fixture, meddler).unlock { CeremonyFixture.passphrase }
        let approval = try session.preview(ClearLog()).confirm()
        let store = session.store
        nonisolated(unsafe) let other = store
        meddler.arm { #expect(throws: Never.self) { try other.append([LogEvent(.userNote)]) } }
        #expect(throws: CeremonyError.changedSinceShown) { try session.perform(approval) }
        #expect(try fixture.events.last?.kind == .userNote)
    }

    @Test func `a seed is taken back where the seal breaks before the commit`() throws {
        let (fixture, meddler) = (try CeremonyFixture(), Meddler())
        let session = try device(of: fixture, meddler).unlock { CeremonyFixture.passphrase }
        let entropy = HeldSecret(CeremonyFixture.entropy(of: "second"))
        let approval = try session.preview(AddSeed("second", entropy: entropy, origin: .phrase)).confirm()
        meddler.arm { #expect(throws: Never.self) { try fixture.breakSeal() } }
        #expect(throws: CeremonyFixture.brokenSeal) { try session.perform(approval) }
        #expect(try fixture.device.vault().seedNames == ["main"])
    }

    /// Lets a key sign for one network, this once.
    private struct Borrow: Operation {
        let borrowed: TrustChange
        func preview(_ view: VaultView) throws -> Bool { true }
        func perform(_ shown: Bool, in context: CommitContext<Borrow>) throws -> PreparedCommit<Void> {
            PreparedCommit((), events: [], borrowing: [borrowed])
        }
    }

    @Test func `a key that signs for another network once needs the word, too`() throws {
        let fixture = try CeremonyFixture.withKey()
        let key = try fixture.state.keys[0].publicKey
        let operation = Borrow(borrowed: .allowKey(key, kusama.genesisHash))
        #expect(throws: CeremonyError.keyOnTwoNetworks(1)) { try fixture.act(operation) }
        try fixture.act(operation, asking: Answers(word: .typed("reuse key")))
        #expect(try fixture.state.keys.map(\.networks) == [[polkadot.genesisHash]])
    }

    @Test func `an unlocking makes the store's roots those of the vault's seeds`() throws {
        let fixture = try CeremonyFixture()
        let ghost = try CeremonyFixture.key("ghost")
        try fixture.session().store.change(
            [.putSeedRoot("ghost", ghost), .removeSeedRoot("main")], events: [])
        _ = try fixture.session()
        #expect(try fixture.state.seedRoots.map(\.seed) == ["main"])
    }
}

/// What a device tells and writes down without the passphrase.
@Suite struct LockedDeviceTests {
    /// A store that cannot be read.
    private func unreadable(isDevelopment: Bool) throws -> CeremonyFixture {
        let fixture = try CeremonyFixture(isDevelopment: isDevelopment)
        try fixture.write(sql: "DROP TABLE network")
        return fixture
    }

    @Test func `a preview of a store that cannot be read writes it down`() throws {
        let fixture = try unreadable(isDevelopment: true)
        #expect(throws: StoreError.sealBroken([.rowRemoved(table: "sqlite_schema", row: "table/network")])) {
            try fixture.device.preview(NoteInLog("x"))
        }
        #expect(try fixture.device.store().journalled.map(\.kind) == [.sealBroken])
    }

    @Test func `beside a store that cannot be read the network counts, but for a development vault`() throws {
        let fixture = try unreadable(isDevelopment: false)
        try fixture.device.requireOffline()
        fixture.goOnline()
        #expect(throws: CeremonyError.online([.interfaceUp("wlan0")])) { try fixture.device.requireOffline() }
        let development = try unreadable(isDevelopment: true)
        development.goOnline()
        try development.device.requireOffline()
    }

    @Test func `only a store beyond repair is written down as broken`() throws {
        let fixture = try CeremonyFixture()
        fixture.device.record(broken: StoreError.conflict(table: "key"))
        fixture.device.record(broken: CeremonyError.declined)
        #expect(try fixture.device.store().journalled.isEmpty)
        fixture.device.record(broken: StoreError.rolledBack(found: 1, confirmed: 2))
        #expect(try fixture.device.store().journalled.map { $0["reason"] } == ["rolled-back"])
    }

    @Test func `a directory without a vault is told from one without a store`() throws {
        let empty = CeremonyFixture(empty: ())
        #expect(throws: VaultError.missing(empty.path)) { _ = try empty.device.store() }
        let fixture = try CeremonyFixture()
        fixture.remove("store.sqlite")
        #expect(throws: StoreError.missing) { _ = try fixture.device.store() }
    }

    @Test func `nobody types a passphrase for a vault that another program holds`() throws {
        let fixture = try CeremonyFixture()
        let holder = try fixture.session()
        var isAsked = false
        #expect(throws: VaultError.inUse) {
            _ = try fixture.device.unlock {
                isAsked = true
                return CeremonyFixture.passphrase
            }
        }
        #expect(!isAsked)
        withExtendedLifetime(holder) {}
    }

    @Test func `a wrong passphrase is told where no store can keep it`() throws {
        let fixture = try CeremonyFixture()
        fixture.remove("store.sqlite")
        #expect(throws: VaultError.wrongPassphrase(failures: 1, delay: 0)) {
            _ = try fixture.device.unlockVault(keyFile: SecretBytes(), telling: { _ in }) {
                SecretBytes(utf8: "wrong")
            }
        }
    }

    @Test func `a payload that is refused before it is known what it asks for leaves a line`() throws {
        let fixture = try SigningFixture()
        let payload = try Payload(fixture.transfer())
        fixture.vault.device.record(refusalOf: payload, reason: "compressed-damaged")
        let event = try #require(try fixture.vault.device.store().journalled.last)
        #expect(
            event.kind == .transactionRefused && event["reason"] == "compressed-damaged"
                && event.payload == payload.bytes)
    }
}
