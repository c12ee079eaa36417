import SubstratePrimitives
import TrustStore
import Vault

/// Makes one encrypted file of the vault and its store. The passphrase of the vault at that time opens it,
/// even after the vault's own is changed.
public struct BackUpVault: Operation {
    /// A backup of the whole vault.
    public init() {}

    /// The names of the seeds in it.
    public func preview(_ view: VaultView) throws -> [String] { view.seedNames }

    public func isSame(_ one: [String], _ other: [String]) -> Bool { one.utf8ElementsEqual(other) }

    /// The bytes of the file, which ``RestoreVault`` reads. The store in it has the line of the log that this
    /// backup wrote.
    public func perform(_ shown: [String], at bench: Workbench<Self>) throws -> Work<[UInt8]> {
        let session = bench.session
        let event = LogEvent(.vaultBackedUp, [LogEvent.Fact("seeds", "\(shown.count)")])
        return Work(
            events: [event],
            outcomeAfterwards: {
                let attachments = try session.store.backup().compactMap {
                    VaultBackup.Attachment(name: $0.name, bytes: $0.bytes)
                }
                return VaultBackup.make(session.vault, attachments: attachments)
            })
    }
}
