import Presentation
import TerminalIO
import TrustStore

/// A command that prints a part of the trust store, checked under the seal where the vault is open or a
/// passphrase is given; else it says that it is not.
package protocol TrustReport: VaultCommand, PrintsJSON {
    var vault: VaultOptions { get }
    func report(_ state: TrustState, _ console: Console) throws
}

extension TrustReport {
    package func execute(_ context: CommandContext) throws {
        let session = try context.unlockUnasked(self)
        if session == nil { context.console.note(Wording.trustStoreNotChecked) }
        try report(try session?.trust().state ?? context.device(self).trust().state, context.console)
    }
}
