import Keys
import SubstratePrimitives
import TrustStore
import Vault

/// Makes one encrypted file of the vault and its store. The passphrase of the vault at that time opens it,
/// even after the vault's own is changed.
public struct BackUpVault: Operation {
    private let limit: Int

    /// A backup of the whole vault.
    /// - Parameter limit: of its bytes.
    public init(limit: Int = VaultBackup.lengthLimit) { self.limit = limit }

    /// What a backup holds that nothing else in the vault gives.
    public struct Content: Sendable, Equatable {
        /// Names of the seeds.
        public let seeds: [String]
        /// Keys that no seed gives.
        public let importedKeys: [PublicKey]

        public static func == (one: Content, other: Content) -> Bool {
            one.seeds.utf8ElementsEqual(other.seeds) && one.importedKeys == other.importedKeys
        }
    }

    public func preview(_ view: VaultView) throws -> Content {
        Content(seeds: view.seedNames, importedKeys: view.importedKeys)
    }

    /// The bytes of the file, which ``RestoreVault`` reads. The store in it has the line of the log that this
    /// backup wrote.
    public func perform(_ shown: Content, in context: CommitContext<Self>) throws -> PreparedCommit<[UInt8]> {
        let session = context.session
        // Before the log says that there is a backup.
        try VaultBackup.requireRoom(forBytes: session.store.usedBytes(), limit: limit)
        let keys = shown.importedKeys.count
        let event = LogEvent(
            .vaultBackedUp,
            [LogEvent.Fact("seeds", "\(shown.seeds.count)")]
                + (keys == 0 ? [] : [LogEvent.Fact("imported_keys", "\(keys)")]))
        return PreparedCommit(
            events: [event],
            outcomeAfterwards: {
                try session.writing(.backup) {
                    let attachments = try session.store.backup().compactMap {
                        VaultBackup.Attachment(name: $0.name, bytes: $0.bytes)
                    }
                    return try VaultBackup.make(session.vault, attachments: attachments, limit: limit)
                }
            })
    }
}

/// Makes a vault from a backup, in a directory that holds none.
public struct RestoreVault: FoundingOperation {
    /// What the backup holds.
    public struct Shown: Sendable {
        /// The vault's identifier and revision, and the seeds and imported keys in the backup, each of which
        /// was unsealed.
        public let report: VaultBackup.Report
        /// What the backup trusts. The backup's seal vouches for it.
        public let trust: TrustState
        /// Keys that the backup allows on more than one network. A key may have been forbidden on one of them
        /// after the backup was made, so a person must confirm them by a typed word.
        public let reuse: [KeyReuse]
    }

    let backup: [UInt8]
    let passphrase: HeldSecret
    let keyFile: HeldSecret

    /// - Parameters:
    ///   - backup: the bytes that ``BackUpVault`` made.
    ///   - passphrase: the one that opened the vault when the backup was made.
    ///   - keyFile: empty where the vault needed none.
    public init(_ backup: [UInt8], passphrase: HeldSecret, keyFile: HeldSecret) {
        self.backup = backup
        self.passphrase = passphrase
        self.keyFile = keyFile
    }

    /// Opens the backup and unseals everything in it.
    /// - Throws: `VaultError`, `StoreError`
    public func preview(_ device: Device) throws -> Shown {
        var content = try withSecrets { passphrase, keyFile in
            try VaultBackup.read(backup, passphrase: passphrase, keyFile: keyFile)
        }
        try Vault.requirePrivate(directory: device.directory)
        guard !Vault.exists(directory: device.directory) else { throw VaultError.exists(device.directory) }
        return try shown(content.report, &content.attachments)
    }

    /// Never throws: whether the vault may be online is known only after its backup is opened, so the
    /// passphrase of the backup is asked for on a connected device, too. The restored vault refuses there.
    public func requireOffline(_ device: Device) throws {}

    /// The line of the log is in the store before the vault's file exists.
    public func perform(_ shown: Shown, in context: FoundingContext<Self>) throws -> VaultBackup.Report {
        let device = context.device
        return try withSecrets { passphrase, keyFile in
            try VaultBackup.restore(backup, into: device.directory, passphrase: passphrase, keyFile: keyFile)
            { report, files in
                let now = try self.shown(report, &files)
                guard now.report == shown.report, now.trust == shown.trust, now.reuse == shown.reuse else {
                    throw CeremonyError.changedSinceShown
                }
                try context.person.requireWord(
                    for: now.reuse, in: now.trust, isDevelopment: report.isDevelopment)
            } prepare: { vault in
                let store = try TrustStore(
                    directory: device.directory, clock: device.clock, boot: device.boot
                ).unlock(vault)
                // What was signed after the backup was made is not in it.
                let time = VaultTime(try store.trust().state, at: device.reading).restored(at: device.reading)
                try store.change(
                    // The counter was of the machine and the moment of the backup.
                    [time.change]
                        + (GenerationCounter(store.trust().state.settings) == nil
                            ? [] : [GenerationCounter.removal]),
                    events: [
                        LogEvent(.vaultRestored, [LogEvent.Fact("revision", "\(shown.report.revision)")])
                    ])
            }
        }
    }

    private func shown(_ report: VaultBackup.Report, _ files: inout [VaultBackup.Attachment]) throws -> Shown
    {
        let store = files.firstIndex { $0.name.utf8Equals(TrustStore.fileName) }
        let trust = try store.map { try TrustStore.trust(inBackup: &files[$0].bytes).state } ?? TrustState()
        return Shown(report: report, trust: trust, reuse: KeyReuse.all(in: trust))
    }

    private func withSecrets<R>(_ body: (borrowing SecretBytes, borrowing SecretBytes) throws -> R) throws
        -> R
    {
        try passphrase.withSecret { (passphrase: borrowing SecretBytes) in
            try keyFile.withSecret { (keyFile: borrowing SecretBytes) in try body(passphrase, keyFile) }
        }
    }
}
