import Glibc
import Keys
import Synchronization
import Testing
import TrustStore
import Vault

@testable import Ceremony

/// What one yes is good for.
@Suite struct ApprovalTests {
    @Test func `a yes for one vault does nothing in another`() throws {
        let one = try CeremonyFixture()
        let other = try CeremonyFixture()
        let change = ChangePassphrase(to: held("new passphrase"), keyFile: HeldSecret(SecretBytes()))
        let approval = try one.device.preview(change).confirm()
        let session = try other.session()
        let before = try (other.state, other.log, other.device.vault().revision)
        #expect(throws: CeremonyError.changedSinceShown) { _ = try session.perform(approval) }
        #expect(try (other.state, other.log, other.device.vault().revision) == before)

        let phrase = try one.session().preview(RevealPhrase(seed: "main")).confirm()
        #expect(throws: CeremonyError.changedSinceShown) { _ = try session.perform(phrase) }
        _ = try one.session().perform(phrase)
    }

    /// Whoever can write to the disk puts another key there while a person reads, and the old one back before
    /// the passphrase.
    @Test func `a yes to a screen that sealed trust does not give does nothing`() throws {
        let fixture = try CeremonyFixture(verifier: try CeremonyFixture.key("nobody"))
        let session = try fixture.session()
        func approval() throws -> Approval<NoteInLog> {
            let (text, preview) = try session.preview(NoteInLog("once")).reading { _, trust in
                (trust.generalVerifier?.bytes ?? []).map { String($0) }
            }
            #expect(text == (try fixture.state.generalVerifier?.bytes ?? []).map { String($0) })
            return try preview.confirm()
        }
        _ = try session.perform(try approval())
        let early = try approval()
        try session.store.change([.setGeneralVerifier(CeremonyFixture.key("somebody"))], events: [])
        let before = try fixture.snapshot
        #expect(throws: CeremonyError.changedSinceShown) { _ = try session.perform(early) }
        #expect(try fixture.snapshot == before)
    }

    /// `K` and the Kelvin sign are equal texts to the standard library.
    @Test func `screens are compared by their bytes`() throws {
        let fixture = try CeremonyFixture()
        let session = try fixture.session()
        let calls = Mutex(0)
        let (_, preview) = try session.preview(NoteInLog("once")).reading { _, _ in
            calls.withLock {
                $0 += 1; return $0 == 1 ? "K" : "\u{212A}"
            }
        }
        let approval = try preview.confirm()
        #expect(throws: CeremonyError.changedSinceShown) { _ = try session.perform(approval) }
    }

    @Test func `a yes is good for one act, whoever keeps a copy of it`() throws {
        let fixture = try CeremonyFixture()
        let session = try fixture.session()
        let approval = try session.preview(RevealPhrase(seed: "main")).confirm()
        let copy = approval
        _ = try session.perform(approval)
        let before = try fixture.snapshot
        #expect(throws: CeremonyError.changedSinceShown) { _ = try session.perform(approval) }
        #expect(throws: CeremonyError.changedSinceShown) { _ = try session.perform(copy) }
        #expect(try fixture.snapshot == before)
    }

    /// The commit is on the disk, although the last step failed: a second act would be one that nobody said
    /// yes to.
    @Test func `a yes is spent once its act is on the disk, whatever fails after`() throws {
        let fixture = try CeremonyFixture()
        let session = try fixture.session()
        let approval = try session.preview(NoteInLog("once")).confirm()
        fixture.block(CeremonyFixture.vaultFile)
        #expect(throws: StoreError.vaultFileUnwritten(code: EEXIST)) { _ = try session.perform(approval) }
        fixture.unblock(CeremonyFixture.vaultFile)
        let before = try fixture.snapshot
        #expect(before.log.last?.event == LogEvent(.userNote, [LogEvent.Fact("text", "once")]))
        #expect(throws: CeremonyError.changedSinceShown) { _ = try session.perform(approval) }
        #expect(try fixture.snapshot == before)
    }

    /// Nothing is on the disk, so nothing was done with it.
    @Test func `a yes whose act could not be written is good for the next try`() throws {
        let fixture = try CeremonyFixture()
        let session = try fixture.session()
        let approval = try session.preview(AddSeed("second", entropy: .entropy(of: "second"), origin: .new))
            .confirm()
        fixture.block(CeremonyFixture.intent)
        #expect(throws: StoreError.inputOutput(code: EEXIST)) { _ = try session.perform(approval) }
        fixture.unblock(CeremonyFixture.intent)
        _ = try session.perform(approval)
        #expect(try fixture.device.vault().seedNames == ["main", "second"])
        #expect(throws: CeremonyError.changedSinceShown) { _ = try session.perform(approval) }
    }

    @Test func `a question that nobody could be asked is no refusal of the payload`() throws {
        struct NoTerminal: Error {}
        let fixture = try SigningFixture()
        let preview = try fixture.vault.device.preview(fixture.operation(fixture.transfer()))
        #expect(throws: NoTerminal.self) { try preview.confirm { throw NoTerminal() } }
        #expect(try fixture.vault.device.store().journalled.isEmpty)
        #expect(throws: CeremonyError.declined) { try preview.confirm { false } }
        #expect(try fixture.vault.device.store().journalled.map { $0["reason"] } == ["answered-no"])
    }

    @Test func `a yes for one directory makes and resets no vault in another`() throws {
        let one = CeremonyFixture(empty: ())
        let other = CeremonyFixture(empty: ())
        let create = CreateVault(verifier: nil, networks: [], isDevelopment: true, cost: .development)
        let approval = try one.device.preview(create).confirm()
        #expect(throws: CeremonyError.changedSinceShown) {
            _ = try other.device.perform(approval) {
                Issue.record("nobody is asked")
                return CeremonyFixture.passphrase
            }
        }
        #expect(!Vault.exists(directory: other.path))
    }
}
