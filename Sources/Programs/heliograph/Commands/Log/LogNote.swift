import ArgumentParser
import Ceremony
import CommandKit
import Presentation
import TerminalIO

/// `log note`
struct LogNote: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "note", abstract: "Add a note to the log.")

    @Argument(help: "The note.") var text: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let approval = try context.device(self).preview(NoteInLog(text)).confirm()
        _ = try context.unlock(self).perform(approval)
        context.console.note(Wording.noted)
        if json { JSONText.print(["note": text], context.console) }
    }
}
