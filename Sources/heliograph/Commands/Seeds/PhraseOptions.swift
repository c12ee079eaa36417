import ArgumentParser
import Keys

/// Where a phrase comes from: a descriptor, or word by word at the terminal.
struct PhraseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read the phrase as one line from this descriptor.", valueName: "n"))
    var phraseFd: Int32?

    func mnemonic(_ console: Console) throws -> Mnemonic {
        guard phraseFd == nil else { return try Mnemonic(phrase: secret("phrase: ", descriptor: phraseFd, console)) }
        return try PhrasePrompt.read(console)
    }
}

/// Asks for a phrase word by word: the first letters of a word are enough where they are its only ones, and an unknown word is asked
/// again with the nearest words of the list.
enum PhrasePrompt {
    /// What was typed for one word.
    enum Answer: Equatable {
        case word(String)
        case several([String])
        case unknown(nearest: [String])
    }

    static func answer(to text: String) -> Answer {
        let typed = text.lowercased()
        let found = WordList.words(startingWith: typed)
        if found.first == typed || found.count == 1 { return .word(found[0]) }
        return found.isEmpty ? .unknown(nearest: WordList.nearest(to: typed)) : .several(found)
    }

    private static let longest = 24

    static func read(_ console: Console) throws -> Mnemonic {
        let phrase = SecretBytes(count: longest * 9)
        var length = 0
        var words = 0
        console.note(Wording.phraseHelp)
        // A line may hold several words, as when a whole phrase is typed at once.
        var typed: ArraySlice<Substring> = []
        while words < longest {
            if typed.isEmpty {
                typed = try console.ask(Wording.wordQuestion(words + 1)).split(whereSeparator: \.isWhitespace)[...]
                if typed.isEmpty { break }
            }
            let text = String(typed.removeFirst())
            switch answer(to: text) {
            case .word(let word):
                if word != text.lowercased() { console.note(Wording.completedWord(word)) }
                phrase.withUnsafeMutableBytes { bytes in
                    for byte in word.utf8 + [0x20] {
                        bytes[length] = byte
                        length += 1
                    }
                }
                words += 1
            case .several(let candidates):
                console.note(Wording.severalWords(candidates))
                typed = []
            case .unknown(let nearest):
                console.note(Wording.unknownWord(text, nearest: nearest))
                typed = []
            }
        }
        return try Mnemonic(phrase: phrase.slice(0..<length))
    }
}
