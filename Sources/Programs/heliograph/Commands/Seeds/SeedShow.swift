import ArgumentParser
import Ceremony
import Keys

/// `seed show`: the phrase, for a person who copies it to paper. Every time stands in the log.
struct SeedShow: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the recovery phrase of a seed.")

    @Argument(help: "The seed's name.") var name: String
    @OptionGroup var vault: VaultOptions

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let approval = try context.device(self).preview(RevealPhrase(seed: name)).confirm()
        let phrase = try context.unlock(self).perform(approval).outcome
        phrase.withSecret { (phrase: borrowing SecretBytes) in context.console.print(secret: phrase) }
    }
}
