import Keys
import TrustStore
import Vault

extension Session {
    /// Refuses unless the person at the device still knows the passphrase. A wrong one is counted, delayed and written down as at an unlock.
    /// - Throws: ``VaultError/wrongPassphrase(failures:delay:)``
    public func requirePerson(keyFile: borrowing SecretBytes = SecretBytes(), passphrase: () throws -> SecretBytes) throws {
        try device.requireOffline()
        let passphrase = try passphrase()
        do {
            try vault.check(passphrase: passphrase, keyFile: keyFile)
        } catch {
            if case .wrongPassphrase = error { _ = try? device.store().journal(LogEvent(.wrongPassphrase)) }
            throw error
        }
    }
}
