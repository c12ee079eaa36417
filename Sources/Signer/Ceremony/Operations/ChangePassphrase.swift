import Keys
import TrustStore
import Vault

/// Replaces the passphrase and the key file that open the vault. Everything in the vault file and in the
/// store is sealed under new keys, so that an older vault file with its passphrase opens nothing that was
/// written since.
public struct ChangePassphrase: Operation {
    /// What is known before the act.
    public struct Shown: Sendable, Equatable {
        /// Whether the vault needs a key file from now on.
        public let needsKeyFile: Bool
    }

    let passphrase: HeldSecret
    let keyFile: HeldSecret

    /// - Parameters:
    ///   - passphrase: the new one; empty or weak only in a development vault.
    ///   - keyFile: 32 bytes to 1 MiB; empty where none is needed from now on.
    public init(to passphrase: HeldSecret, keyFile: HeldSecret) {
        self.passphrase = passphrase
        self.keyFile = keyFile
    }

    /// - Throws: `VaultError.emptyPassphrase`
    public func preview(_ view: VaultView) throws -> Shown {
        guard passphrase.count > 0 || view.isDevelopment else { throw VaultError.emptyPassphrase }
        return Shown(needsKeyFile: keyFile.count > 0)
    }

    /// - Throws: ``CeremonyError/weakPassphrase(_:)``
    public func perform(_ shown: Shown, at bench: Workbench<Self>) throws -> Work<Void> {
        let vault = bench.session.vault
        try passphrase.withSecret { (passphrase: borrowing SecretBytes) in
            try PassphraseStrength.require(passphrase, isDevelopment: vault.isDevelopment)
        }
        let cost = vault.slots[vault.currentSlot].cost
        let change = try passphrase.withSecret { (passphrase: borrowing SecretBytes) in
            try keyFile.withSecret { (keyFile: borrowing SecretBytes) in
                try vault.changingPassphrase(to: passphrase, keyFile: keyFile, cost: cost)
            }
        }
        // The data key changes, so what is encrypted under it is encrypted again.
        let sealed = try bench.view.trust.contacts.compactMap { contact -> TrustChange? in
            guard contact.isPrivate else { return nil }
            let name = try PrivateName(contact, in: vault)
            var next = contact
            next.sealed = name.sealed(for: contact.account, in: vault, after: change)
            return .putContact(next)
        }
        return Work((), sealed, events: [LogEvent(.passphraseChanged)], vault: change)
    }
}
