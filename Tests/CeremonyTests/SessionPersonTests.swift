import Keys
import Testing
import TrustStore
import Vault

@testable import Ceremony

@Suite struct SessionPersonTests {
    @Test func `the passphrase of an open vault can be asked for again`() throws {
        let fixture = try CeremonyFixture()
        let session = try fixture.session()
        try session.requirePerson { CeremonyFixture.passphrase }
        // The session goes on.
        try session.refresh()
    }

    @Test func `a wrong passphrase is counted, delayed and written down`() throws {
        let fixture = try CeremonyFixture()
        let session = try fixture.session()
        for count in 1...3 {
            #expect { try session.requirePerson { SecretBytes(utf8: "wrong") } } throws: {
                guard case VaultError.wrongPassphrase(failures: UInt32(count), delay: _) = $0 else { return false }
                return true
            }
        }
        #expect(throws: VaultError.self) { try session.requirePerson { CeremonyFixture.passphrase } }
        #expect(try fixture.device.vault().failedAttempts().count == 3)
        #expect(try fixture.device.waiting().map(\.event.kind) == [.wrongPassphrase, .wrongPassphrase, .wrongPassphrase])
    }

    @Test func `nobody is asked while the device is online`() throws {
        let fixture = try CeremonyFixture()
        let session = try fixture.session()
        fixture.goOnline()
        #expect(throws: CeremonyError.self) {
            try session.requirePerson {
                Issue.record("the passphrase was asked for")
                return CeremonyFixture.passphrase
            }
        }
    }
}
