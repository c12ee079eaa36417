import Keys
import SubstratePrimitives
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

    /// - Throws: `VaultError.emptyPassphrase`; ``CeremonyError/recoveryKeyUnchecked(exists:)`` where a key
    ///   file, which can be lost, would be needed from now on, as in ``ChangeFactors``
    public func preview(_ view: VaultView) throws -> Shown {
        // Whoever lost the old key file opens by the words, and names another one.
        if keyFile.count > 0, !view.slots.contains(where: \.needsKeyFile) {
            try ChangeFactors.requireRecovery(view)
        }
        guard passphrase.count > 0 || view.isDevelopment else { throw VaultError.emptyPassphrase }
        return Shown(needsKeyFile: keyFile.count > 0)
    }

    /// - Throws: ``CeremonyError/weakPassphrase(_:)``, ``CeremonyError/repeatedWords(_:)`` or
    ///   ``CeremonyError/knownPhrase``
    public func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        let vault = context.session.vault
        try passphrase.withSecret { (passphrase: borrowing SecretBytes) in
            try PassphraseStrength.require(passphrase, isDevelopment: vault.isDevelopment)
        }
        let (change, sealed) = try context.changeSlots(to: passphrase, keyFile, recovery: .kept)
        let event = LogEvent(.passphraseChanged, context.uncounted)
        return PreparedCommit((), sealed, events: [event], vault: change)
    }
}

/// Overwrites and removes the files of a vault, the key slots first. It needs no passphrase: who holds the
/// directory can remove it in any case, and who has to destroy it may not have the time.
public struct EraseVault: FoundingOperation {
    /// What a person must see.
    public struct Shown: Sendable, Equatable {
        /// The directory of the vault, as it was named.
        public let directory: String
        /// Seeds that go with it; nil where the vault cannot be read.
        public let seedNames: [String]?
        /// Keys that go with it and that no seed gives.
        public let importedKeys: Int
        /// Names of the files that are removed if the file `vault` was not made by this program; empty
        /// otherwise.
        public let unknown: [String]
        /// What else is in the directory, and stays there.
        public let left: [String]

        public static func == (one: Shown, other: Shown) -> Bool {
            one.directory.utf8Equals(other.directory) && (one.seedNames == nil) == (other.seedNames == nil)
                && (one.seedNames ?? []).utf8ElementsEqual(other.seedNames ?? [])
                && one.importedKeys == other.importedKeys
                && one.unknown.utf8ElementsEqual(other.unknown)
                && one.left.utf8ElementsEqual(other.left)
        }
    }

    /// What a person types instead of yes.
    public static let word = "erase"

    /// The vault of the device that previews it.
    public init() {}

    /// A damaged vault, or one with foreign files beside it, cannot be opened but can be erased.
    /// - Throws: `VaultError.missing(_:)`
    public func preview(_ device: Device) throws -> Shown {
        let vault: Vault?
        do throws(VaultError) { vault = try device.vault() } catch {
            guard (try? Vault.isErasable(directory: device.directory)) == true else { throw error }
            vault = nil
        }
        return Shown(
            directory: device.directory, seedNames: vault?.seedNames,
            importedKeys: vault?.importedKeys.count ?? 0,
            unknown: try Vault.erasedUnknown(directory: device.directory),
            left: try Vault.notErased(directory: device.directory))
    }

    /// An online device is no reason to keep secrets.
    public func requireOffline(_ device: Device) throws {}

    public func perform(_ shown: Shown, in context: FoundingContext<Self>) throws -> Vault.Erasure {
        guard try preview(context.device) == shown else { throw CeremonyError.changedSinceShown }
        return try Vault.erase(directory: shown.directory)
    }
}
