import Ceremony
import Presentation
import TerminalIO
import TrustStore

extension CommandContext {
    /// What the trust store says, for a command that prints it: under the seal where the vault is open or a
    /// passphrase is given, else as it lies on the disk, which the person is told.
    package func readTrust(_ command: some VaultCommand) throws -> TrustState {
        if let session = try unlockUnasked(command) { return try session.trust().state }
        console.note(Wording.trustStoreNotChecked)
        return try device(command).store().uncheckedTrust().state
    }
}
