import ArgumentParser
import Ceremony
import CommandKit
import Presentation
import TerminalIO
import TrustStore

/// `group remove`: a group with its accounts, or a making that did not come to its end.
struct GroupRemove: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a group and its accounts, or a group that is being made.",
        discussion: "The seed and the record restore it. What the group signed stays in the log and in the history.")

    @Argument(help: "The group's name; of one that is being made its label or session.") var group: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Skip the confirmation.")
    var yes = false

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()], keepsNonces: true) }

    func execute(_ context: CommandContext) throws {
        let preview = try context.device(self).preview(RemoveGroup(group))
        let question: String
        switch preview.shown {
        case .group(let held, let accounts): question = Wording.removeGroup(held.name, accounts: accounts.count)
        case .making: question = Wording.removeMaking(group)
        }
        let approval = try preview.confirm { try yes || context.console.confirm(question) }
        _ = try context.unlock(self).perform(approval)
        context.console.note(Wording.groupRemoved(group))
        if json { JSONText.print(["group": group], context.console) }
    }
}
