import ArgumentParser
import Ceremony
import CommandKit
import Presentation
import TerminalIO

/// `key remove`: forgets a key; its seed can derive it again.
struct KeyRemove: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a key; its seed can derive it again.")

    @Argument(help: "The key's address.") var address: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let approval = try context.device(self).preview(ChangeKey(address, .remove)).confirm()
        _ = try context.unlock(self).perform(approval)
        context.console.note(Wording.removedKey(address))
        if json { JSONText.print(["address": address], context.console) }
    }
}
