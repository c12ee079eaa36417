import ArgumentParser
import Ceremony
import CommandKit
import Presentation
import TerminalIO

/// `seed remove`: the seed and all keys that were derived from it.
struct SeedRemove: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a seed and its keys.")

    @Argument(help: "The seed's name.") var name: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Skip the confirmation.")
    var yes = false

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let preview = try context.device(self).preview(RemoveSeed(name))
        let keys = preview.shown.keys.count
        let approval = try preview.confirm { try yes || context.console.confirm(Wording.removeSeed(name, keys: keys)) }
        _ = try context.unlock(self).perform(approval)
        context.console.note(Wording.removedSeed(name, keys: keys))
        if json { JSONText.print(["seed": name], context.console) }
    }
}
