import ArgumentParser
import Ceremony

/// `log clear`
struct LogClear: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: "Clear the log, recording that it was cleared.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try approval.requireAllowed(vault)
        // What waited for the unlocking is in the log before it is counted.
        let session = try context.unlock(self)
        let preview = try session.preview(ClearLog())
        _ = try session.perform(approval.confirm(preview, Wording.clearQuestion(preview.shown), console))
        console.note(Wording.changed)
    }
}
