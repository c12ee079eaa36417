import Keys
import TrustStore
import Vault

/// Replaces the passphrase and the key file that open the vault. Seeds are not touched.
public struct ChangePassphrase: Operation {
    /// What is known before the act.
    public struct Shown: Sendable, Equatable {
        /// Whether the vault needs a key file from now on.
        public let needsKeyFile: Bool
    }

    let passphrase: HeldSecret
    let keyFile: HeldSecret

    /// - Parameters:
    ///   - passphrase: the new one; empty only in a development vault.
    ///   - keyFile: 32 bytes to 1 MiB; empty where none is needed from now on.
    public init(to passphrase: HeldSecret, keyFile: HeldSecret) {
        self.passphrase = passphrase
        self.keyFile = keyFile
    }

    /// - Throws: ``VaultError/emptyPassphrase``
    public func preview(_ view: VaultView) throws -> Shown {
        guard passphrase.count > 0 || view.isDevelopment else { throw VaultError.emptyPassphrase }
        return Shown(needsKeyFile: keyFile.count > 0)
    }

    /// Writes the vault's file first, so that the log never says that a passphrase was changed when it was not. When the store refuses, the
    /// old key slot is put back. Only a crash between the two files leaves a new passphrase without its line, and then nobody was told that
    /// it is in force.
    public func perform(_ shown: Shown, at bench: Workbench<Self>) throws -> Work<Void> {
        let session = bench.session
        let cost = session.vault.slots[session.vault.currentSlot].cost
        let former = try passphrase.withSecret { (passphrase: borrowing SecretBytes) in
            try keyFile.withSecret { (keyFile: borrowing SecretBytes) in
                try session.vault.changePassphrase(to: passphrase, keyFile: keyFile, cost: cost)
            }
        }
        return Work((), events: [LogEvent(.passphraseChanged)], undo: { _ = try? session.vault.putBack(former) })
    }
}
