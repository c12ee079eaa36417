import ArgumentParser
import CommandKit
import Keys
import Presentation
import TerminalIO

/// `util words`
struct UtilWords: Command {
    static let configuration = CommandConfiguration(commandName: "words", abstract: "List BIP-39 words with this prefix.")

    @Argument(help: "The first letters.") var prefix: String
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    private struct Document: Encodable {
        let words: [String]
        let nearest: [String]
    }

    func access() throws -> Access { Access() }

    func execute(_ context: CommandContext) throws {
        let words = WordList.words(startingWith: prefix)
        let nearest = words.isEmpty ? WordList.nearest(to: prefix) : []
        if json { return JSONText.print(Document(words: words, nearest: nearest), context.console) }
        for word in words { context.console.print(word) }
        if words.isEmpty { context.console.note(Wording.unknownWord(prefix, nearest: nearest)) }
    }
}
