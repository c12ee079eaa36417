import ArgumentParser
import Ceremony

/// `policy clear`: every transaction is allowed again.
struct PolicyClear: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: "Remove the policy; everything is allowed again.")

    @OptionGroup var vault: VaultOptions

    @Flag(help: "Skip the confirmation.")
    var yes = false

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let approval = try context.device(self).preview(ClearPolicy()).confirm { try yes || console.confirm(Wording.clearPolicy) }
        _ = try context.unlock(self).perform(approval)
        console.note(Wording.policyCleared)
    }
}
