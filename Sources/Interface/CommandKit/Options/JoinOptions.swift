import ArgumentParser
import Ceremony
import Keys
import Presentation
import TerminalIO

/// How a set of shares becomes a seed of the vault, for `seed join` and `scan`.
package struct JoinOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The name for a seed from shares, a host contact or a group (default: its own).", valueName: "name"))
    package var name: String?

    @Option(help: ArgumentHelp("Read the shares' passphrase as one line from this descriptor.", valueName: "n"))
    var splitPassphraseFd: Int32?

    package init() {}

    /// - Parameter approve: answers for a person, in a development vault.
    /// - Returns: the name of the seed.
    @discardableResult
    package func restore(_ shares: [BananaShare], in session: Session, approve: Bool = false, _ console: Console) throws -> String {
        let restored = try console.withSharesPassphrase(descriptor: splitPassphraseFd) { passphrase in
            let preview = try session.preview(JoinShares(shares, passphrase: HeldSecret(passphrase()), name: name))
            _ = try session.perform(approve ? preview.confirmUnattended() : preview.confirm())
            return preview.shown.name
        }
        console.note(Wording.restoredSeed(restored))
        return restored
    }
}
