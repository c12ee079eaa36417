import ArgumentParser
import Ceremony
import CommandKit
import Presentation
import TerminalIO

/// `key allow`: one network more that a key may sign for.
struct KeyAllow: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: "Allow a key to sign for a network.",
        discussion: "A second network needs a typed word, because a signature for one network may be valid on another.")

    @Argument(help: "The key's address.") var address: String
    @Argument(help: "The network's name.") var network: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var word: WordOption

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try word.requireAllowed(vault)
        let preview = try context.device(self).preview(ChangeKey(address, .allow(network: network)))
        let approval = try preview.confirm()
        _ = try context.unlock(self).perform(approval, asking: TerminalPerson(console: console, word: word))
        console.note(Wording.allowed(address, network: preview.shown.network?.name ?? network))
        if json { JSONText.print(["address": address, "network": preview.shown.network?.name ?? network], console) }
    }
}
