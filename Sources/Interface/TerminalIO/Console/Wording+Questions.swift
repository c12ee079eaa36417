import Diagnostics
import Lines

/// What stands at a prompt, and what an answer that does not fit it gets.
extension Wording {
    static let answerYesOrNo = "answer yes or no"
    static func wordPrompt(_ question: String, word: String) -> String {
        "\(question) Type \"\(word)\" to confirm, or no: "
    }
    static func answerName(_ names: [String]) -> String {
        "type one of \(names.map(Escape.terminal).joined(separator: ", ")), or no"
    }

    package static let newPassphrase = "new passphrase (leave empty to generate one): "
    package static let sameAgain = "repeat the passphrase: "
    package static let passphrasesDiffer = "the two passphrases differ"
    package static let generatedPassphrase = [
        "", "Write this passphrase down: six random words, shown only now.", "",
    ]
    package static let typeGenerated = "type the passphrase that you wrote down: "
    package static let generatedDiffers = "this is not the generated passphrase: it is shown again"
    package static let pressKeyToClear = "Press a key to clear the screen. "
    package static func nextAttempt(in seconds: UInt64) -> String {
        "the next attempt is possible in \(Sentence.duration(seconds)); Ctrl-C leaves"
    }

    static func answerWord(_ word: String) -> String { "type exactly \"\(word)\", or no" }
}
