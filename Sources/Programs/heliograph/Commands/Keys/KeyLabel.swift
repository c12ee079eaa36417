import ArgumentParser
import Ceremony
import CommandKit
import Presentation
import TerminalIO

/// `key label`
struct KeyLabel: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "label", abstract: "Label a key; an empty label removes it.")

    @Argument(help: "The key's address.") var address: String
    @Argument(help: ArgumentHelp("The label, up to \(KeyRefusal.maximumLabelLength) bytes.")) var text: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard text.utf8.count <= KeyRefusal.maximumLabelLength else {
            throw ValidationError("a label has at most \(KeyRefusal.maximumLabelLength) bytes")
        }
    }

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let change = ChangeKey(address, .label(text.isEmpty ? nil : text))
        let approval = try context.device(self).preview(change).confirm()
        _ = try context.unlock(self).perform(approval)
        context.console.note(Wording.labelled(address))
        if json { JSONText.print(["address": address, "label": text], context.console) }
    }
}
