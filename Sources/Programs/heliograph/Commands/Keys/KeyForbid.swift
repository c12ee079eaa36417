import ArgumentParser
import Ceremony
import CommandKit
import Presentation
import TerminalIO

/// `key forbid`: the opposite of `key allow`.
struct KeyForbid: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "forbid", abstract: "Stop a key from signing for a network.")

    @Argument(help: "The key's address.") var address: String
    @Argument(help: "The network's name.") var network: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let preview = try context.device(self).preview(ChangeKey(address, .forbid(network: network)))
        let approval = try preview.confirm()
        _ = try context.unlock(self).perform(approval)
        context.console.note(Wording.forbidden(address, network: preview.shown.network?.name ?? network))
        if json { JSONText.print(["address": address, "network": preview.shown.network?.name ?? network], context.console) }
    }
}
