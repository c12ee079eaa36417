import ArgumentParser
import Ceremony
import CommandKit
import Presentation
import TerminalIO

/// `log clear`
struct LogClear: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: "Clear the log, recording that it was cleared.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try approval.requireAllowed(vault)
        let device = try context.device(self)
        let (log, waiting) = (try device.trust().state.log, try device.waiting().count)
        // Nobody is asked about what would be refused, and the question comes before the passphrase.
        try device.requireOffline()
        if !approval.approve, try !console.confirm(Wording.clearQuestion(log, waiting: waiting)) { throw CeremonyError.declined }
        let session = try context.unlock(self)
        let preview = try session.preview(ClearLog())
        // What waited is in the log now. Anything else that joined it was not in the question.
        let isAsked = preview.shown.last == log.last + UInt64(waiting)
        let approved =
            try approval.approve || !isAsked
            ? approval.confirm(preview, Wording.clearQuestion(preview.shown, waiting: 0), console) : preview.confirm()
        _ = try session.perform(approved)
        console.note(Wording.logCleared)
        if json { JSONText.print(["cleared": preview.shown.last + 1 - preview.shown.first], console) }
    }
}
