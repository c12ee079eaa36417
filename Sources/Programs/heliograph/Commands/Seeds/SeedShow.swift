import ArgumentParser
import Ceremony
import CommandKit
import Keys
import Presentation
import TerminalIO

/// `seed show`: the phrase, for a person who copies it to paper. Every time stands in the log.
struct SeedShow: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the recovery phrase of a seed.",
        discussion: """
            The words stand on the terminal until a key is pressed; then the screen and its scrollback are cleared. Where stdout is not a \
            terminal, the phrase is printed as one line, in a development vault only.
            """)

    @Argument(help: "The seed's name.") var name: String
    @OptionGroup var vault: VaultOptions

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let isShown = console.resultsAreTerminal
        try requireTerminal(isDevelopment: vault.isDevelopment(), isShown)
        let preview = try context.device(self).preview(RevealPhrase(seed: name))
        let approval = try preview.confirm { try !isShown || console.confirm(Wording.showPhrase(name)) }
        let session = try context.unlock(self)
        // The header of a vault is not proof.
        try requireTerminal(isDevelopment: session.isDevelopment, isShown)
        let phrase = try session.perform(approval).outcome
        try phrase.withSecret { (phrase: borrowing SecretBytes) in
            guard isShown else { return console.print(secret: phrase) }
            try console.reveal(PhrasePage(phrase.copy()), of: name)
        }
    }

    private func requireTerminal(isDevelopment: Bool, _ isShown: Bool) throws(CommandError) {
        guard isShown || isDevelopment else { throw .phraseIntoPipe }
    }
}
