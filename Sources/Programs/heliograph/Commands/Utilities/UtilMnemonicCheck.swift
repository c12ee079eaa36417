import ArgumentParser
import CommandKit
import Keys
import Presentation
import TerminalIO

/// `util mnemonic check`
struct UtilMnemonicCheck: Command {
    static let configuration = CommandConfiguration(commandName: "check", abstract: "Validate a recovery phrase.")

    @OptionGroup var phrase: PhraseOptions
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    func access() throws -> Access { Access() }

    func execute(_ context: CommandContext) throws {
        let words = try phrase.mnemonic(context.console).wordCount
        if json { return JSONText.print(["words": words], context.console) }
        context.console.print(Wording.phraseIsValid(words: words))
    }
}
