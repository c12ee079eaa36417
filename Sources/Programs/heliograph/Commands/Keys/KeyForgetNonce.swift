import ArgumentParser
import Ceremony
import CommandKit
import Lines
import Presentation
import TerminalIO

/// `key forget-nonce`
struct KeyForgetNonce: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget-nonce", abstract: "Forget which nonces a key signed with on a network, after a typed word.",
        discussion: """
            A review compares each nonce with those that the key signed with before, and a rule under approve signs none that it warns of. If the memory is \
            wrong, for example after signatures that were never sent, forget it: the next signature begins it anew. Check the next nonce on the \
            chain before: until then no warning tells a nonce that was used. The log and the budgets keep what was signed.
            """)

    @Argument(help: "The key's address.") var address: String
    @Argument(help: "The network's name.") var network: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions

    /// Whoever finds a shell open may not make rules sign again.
    var place: CommandPlace { .afterLocking }

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try approval.requireAllowed(vault)
        let preview = try context.device(self).preview(ForgetNonce(address, network: network))
        let question = ReviewQuestion(Wording.forgetNonceQuestion(preview.shown), word: ForgetNonce.word)
        let approved = try approval.confirm(preview, question, console)
        _ = try context.unlock(self).perform(approved)
        console.note(Wording.nonceForgotten(preview.shown))
        if json { JSONText.print(["address": address, "network": preview.shown.network.name], console) }
    }
}
