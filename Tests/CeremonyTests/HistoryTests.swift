import Cards
import FixtureRuntime
import Hashing
import Review
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore
import UOS
import Vault

@testable import Ceremony

/// Signatures are remembered in the transaction that logs them, and looked up again under the seal.
@Suite struct SigningHistoryLaws {
    private static func warnings(_ fixture: SigningFixture, _ payload: [UInt8], in session: Session? = nil) throws -> [String] {
        let operation = try fixture.operation(payload)
        let items = try session.map { try $0.preview(operation).shown } ?? fixture.vault.device.preview(operation).shown
        return items.flatMap { $0.history?.warnings ?? [] }.map { $0.fields.first.map { "\($0.fact)" } ?? "" }
    }

    @Test func `what is signed is known afterwards, locked and unlocked alike`() throws {
        let fixture = try SigningFixture()
        let payload = fixture.transfer()
        #expect(try Self.warnings(fixture, payload).isEmpty)
        try fixture.vault.act(fixture.operation(payload))
        #expect(try Self.warnings(fixture, payload).count == 1)
        let session = try fixture.vault.session()
        #expect(try Self.warnings(fixture, payload, in: session).count == 1)
        let shown = try session.preview(fixture.operation(fixture.transfer(nonce: 1))).shown
        guard case .paid(let record, _)? = ReviewSummary(shown[0]).recipients[0].history else {
            Issue.record("not paid")
            return
        }
        #expect(record.count == 1 && record.first == 1_700_000_000 && record.largest[0].raw.utf8Equals("60"))
        _ = try session.checkLog()
    }

    /// Nothing is remembered of a signature that nobody got.
    @Test func `without the line of the log there is no row`() throws {
        let fixture = try SigningFixture()
        let approval = try fixture.vault.device.preview(fixture.operation(fixture.transfer())).confirm()
        do {
            let session = try fixture.vault.session()
            let root = try session.trust().state.history
            try fixture.vault.blockLog()
            #expect(throws: StoreError.self) { try session.perform(approval) }
            #expect(try fixture.vault.state.history == root)
        }
        #expect(try Self.warnings(fixture, fixture.transfer()).isEmpty)
    }

    @Test func `a yes that was given before something else was signed is asked for again`() throws {
        let fixture = try SigningFixture()
        let approval = try fixture.vault.device.preview(fixture.operation(fixture.transfer(61))).confirm()
        try fixture.vault.act(fixture.operation(fixture.transfer(60)))
        // The same nonce now makes two transactions of one, and the person has not seen that.
        #expect(throws: CeremonyError.changedSinceShown) { try fixture.vault.session().perform(approval) }
    }

    /// Somebody without the passphrase who takes a payment out of the history, or the whole of it.
    @Test(arguments: ["DELETE FROM history", "DELETE FROM history; DELETE FROM history_node", "UPDATE history SET value = X'00'"])
    func `a history that was edited is refused by the review that reads it`(sql: String) throws {
        let fixture = try SigningFixture()
        try fixture.vault.act(fixture.operation(fixture.transfer()))
        try fixture.vault.write(sql: sql)
        #expect(throws: StoreError.self) { try Self.warnings(fixture, fixture.transfer()) }
        let session = try fixture.vault.session()
        #expect(throws: StoreError.self) { try Self.warnings(fixture, fixture.transfer(), in: session) }
        // With a root that fits, what a person sees while it is locked is what the intruder chose; the unlock refuses it.
        #expect(throws: StoreError.self) { _ = try session.checkLog() }
    }

    @Test func `clearing the log leaves the history, and so does a restored backup`() throws {
        let fixture = try SigningFixture()
        try fixture.vault.act(fixture.operation(fixture.transfer()))
        try fixture.vault.act(ClearLog())
        #expect(try Self.warnings(fixture, fixture.transfer()).count == 1)
        let backup = try fixture.vault.act(BackUpVault())
        let other = CeremonyFixture(empty: ())
        let restore = RestoreVault(backup, passphrase: HeldSecret(CeremonyFixture.passphrase), keyFile: held(""))
        _ = try other.device.perform(other.device.preview(restore).confirm()) { CeremonyFixture.passphrase }
        let items = try other.device.preview(fixture.operation(fixture.transfer())).shown
        #expect(items[0].history?.warnings.count == 1)
    }

    @Test func `a new passphrase leaves the history`() throws {
        let fixture = try SigningFixture()
        try fixture.vault.act(fixture.operation(fixture.transfer()))
        let change = ChangePassphrase(to: held(CeremonyFixture.strong), keyFile: held(""))
        try fixture.vault.act(change)
        let session = try fixture.vault.session()
        #expect(try Self.warnings(fixture, fixture.transfer(), in: session).count == 1)
        _ = try session.checkLog()
    }
}

/// A vault of the layout without history, made by the program of commit ea680e5: `fixtures/vaults/README.md`. It signed one transfer of 1.5 HLO.
@Suite struct OlderEntriesLaws {
    static func vault() throws -> CeremonyFixture {
        let fixture = CeremonyFixture(empty: (), passphrase: "correct horse")
        for name in ["vault", "attempts", "journal", "store.sqlite"] {
            try fixture.directory.write(Checkout.read("fixtures/vaults/format-2/\(name)"), to: name)
        }
        return fixture
    }

    static func payload() throws -> SignPayload {
        let hex = String(decoding: try Checkout.read("fixtures/derived/transfer-root-path-0.hex"), as: UTF8.self)
        return SignPayload(try Payload(try #require(Hex.decode(String(hex.filter { !$0.isWhitespace })))))
    }

    @Test func `the signatures of its log are read into the history once`() throws {
        let fixture = try Self.vault()
        #expect(try fixture.device.preview(Self.payload()).shown[0].history == nil)
        let created = try #require(try fixture.log.first).time
        do {
            let session = try fixture.session()
            let history = try #require(try session.trust().state.history)
            #expect(history.pending == 0 && !history.isIncomplete && history.since == created)
            let shown = try session.preview(Self.payload()).shown[0]
            #expect(shown.history?.warnings.first?.fields.first == Card.Field("code", "signed_before"))
            // Nobody but its sender vouched for what it was read with, so the account was named and not paid.
            guard case .notPaid(_, let record?)? = ReviewSummary(shown).recipients[0].history else {
                Issue.record("not named")
                return
            }
            let signed = try #require(try fixture.log.first { $0.event.kind == .transactionSigned })
            #expect(record.count == 1 && record.first == signed.time && record.largest.isEmpty)
            _ = try session.checkLog()
        }
        let generation = try fixture.state.generation
        // Nothing is read again.
        _ = try fixture.session()
        #expect(try fixture.state.generation == generation)
    }

    @Test func `a signature whose metadata is gone makes the history incomplete`() throws {
        let fixture = try Self.vault()
        let entries = try fixture.log
        let state = try fixture.state
        let data = ChainData(state: state) { _ in throw StoreError.missing }
        var older = OlderEntries(data, log: state.log, firstTime: 5)
        for entry in entries { older.read(entry) }
        let signed = try #require(entries.first { $0.event.kind == .transactionSigned })
        #expect(older.write == HistoryWrite([], filled: .init(since: signed.time + 1, isIncomplete: true)))
        var cleared = state.log
        cleared.first = 3
        #expect(OlderEntries(data, log: cleared, firstTime: 7).write == HistoryWrite([], filled: .init(since: 7, isIncomplete: true)))
    }
}
