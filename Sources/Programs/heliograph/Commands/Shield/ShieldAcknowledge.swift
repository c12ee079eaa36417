import ArgumentParser
import Ceremony

/// `shield acknowledge`
struct ShieldAcknowledge: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "acknowledge", abstract: "Acknowledge that this device was online; it must be offline now.")

    @OptionGroup var vault: VaultOptions

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        // Refused before the passphrase is typed on a device that is connected.
        let approval = try context.device(self).preview(AcknowledgeOnline()).confirm()
        _ = try context.unlock(self, whileUnacknowledged: true).perform(approval)
        context.console.note(Wording.acknowledged)
    }
}
