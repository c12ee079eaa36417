import Keys
import Review
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
