import ArgumentParser
import Ceremony
import Keys

/// `seed check`: compares a phrase with a seed without showing either.
struct SeedCheck: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "check", abstract: "Check whether a recovery phrase matches a seed.")

    @Argument(help: "The seed's name.") var name: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var phrase: PhraseOptions

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let session = try context.unlock(self)
        try session.requireSeed(name)
        guard try session.isEntropy(phrase.mnemonic(context.console).entropy, of: name) else {
            throw CommandError.phraseDiffers(seed: name)
        }
        context.console.print(Wording.phraseMatches(name))
    }
}
