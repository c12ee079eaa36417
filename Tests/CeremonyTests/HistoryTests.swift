import Cards
import FixtureRuntime
import Hashing
import Keys
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
    private static func warnings(_ fixture: SigningFixture, _ payload: [UInt8], in session: Session? = nil)
        throws -> [String]
    {
        let operation = try fixture.operation(payload)
        let items =
            try session.map { try $0.preview(operation).shown }
            ?? fixture.vault.device.preview(operation).shown
        return items.flatMap { $0.history?.warnings ?? [] }.map { $0.warning?.code ?? "" }
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
        #expect(record.count == 1 && record.first == 1_700_000_000 && record.largest[0].raw == 60)
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
            #expect(throws: StoreError.conflict(table: "constraint")) { try session.perform(approval) }
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
    @Test(arguments: [
        "DELETE FROM history", "DELETE FROM history; DELETE FROM history_node",
        "UPDATE history SET value = X'00'",
    ])
    func `a history that was edited is refused by the review that reads it`(sql: String) throws {
        let fixture = try SigningFixture()
        try fixture.vault.act(fixture.operation(fixture.transfer()))
        try fixture.vault.write(sql: sql)
        let error = try #require(
            #expect(throws: StoreError.self) { try Self.warnings(fixture, fixture.transfer()) })
        #expect(error.isOfHistory)
        let session = try fixture.vault.session()
        // Which of the rows is read first, no order says.
        let again = try #require(
            #expect(throws: StoreError.self) { try Self.warnings(fixture, fixture.transfer(), in: session) })
        #expect(again.isOfHistory)
        // With a root that fits, what a person sees while it is locked is what the intruder chose; the unlock
        // refuses it.
        let checked = try #require(#expect(throws: StoreError.self) { _ = try session.checkLog() })
        #expect(checked.isOfHistory)
    }

    @Test func `clearing the log leaves the history, and so does a restored backup`() throws {
        let fixture = try SigningFixture()
        try fixture.vault.act(fixture.operation(fixture.transfer()))
        try fixture.vault.act(ClearLog())
        #expect(try Self.warnings(fixture, fixture.transfer()).count == 1)
        let backup = try fixture.vault.act(BackUpVault())
        let other = CeremonyFixture(empty: ())
        let restore = RestoreVault(
            backup, passphrase: HeldSecret(CeremonyFixture.passphrase), keyFile: held(""))
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

extension StoreError {
    /// Whether the seal is broken in the history, and nowhere else.
    var isOfHistory: Bool {
        guard case .sealBroken(let differences) = self, !differences.isEmpty else { return false }
        return differences.allSatisfy {
            switch $0 {
            case .history, .historyBucket, .historyExtra: true
            case .cell, .rowAdded, .rowRemoved, .seal, .sealMissing, .log, .checkpoint, .content: false
            }
        }
    }
}
