import ArgumentParser
import Ceremony
import CommandKit
import Lines
import Presentation
import TerminalIO

/// `policy clear`: every transaction is allowed again.
struct PolicyClear: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: "Remove the policy; everything is allowed again.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var approval: ApproveOption

    @Flag(help: ArgumentHelp("Skip the question.", visibility: .hidden))
    var yes = false

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let preview = try context.device(self).preview(ClearPolicy())
        let page = json ? console.beside : console
        for line in String(decoding: preview.shown, as: UTF8.self).split(whereSeparator: \.isNewline) {
            page.print(Escape.terminal(String(line)))
        }
        let approved = try yes ? preview.confirm() : approval.confirm(preview, Wording.clearPolicy, console)
        _ = try context.unlock(self).perform(approved)
        console.note(Wording.policyCleared)
        if json { JSONText.print(["policy": Explicit<String>(nil)], console) }
    }
}
