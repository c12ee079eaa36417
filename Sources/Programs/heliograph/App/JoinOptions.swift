import ArgumentParser
import Ceremony
import Keys

/// How a set of shares becomes a seed of the vault, for `seed join` and `scan`.
struct JoinOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The name for a seed restored from shares (default: their title).", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("Read the shares' passphrase as one line from this descriptor.", valueName: "n"))
    var splitPassphraseFd: Int32?

    /// - Parameter approve: answers for a person, in a development vault.
    func restore(_ shares: [BananaShare], in session: Session, approve: Bool = false, _ console: Console) throws {
        let passphrase = HeldSecret(try secret(Wording.splitPassphraseAgain, descriptor: splitPassphraseFd, console))
        let preview = try session.preview(JoinShares(shares, passphrase: passphrase, name: name))
        _ = try session.perform(approve ? preview.confirmUnattended() : preview.confirm())
        console.note(Wording.restoredSeed(preview.shown.name))
    }
}
