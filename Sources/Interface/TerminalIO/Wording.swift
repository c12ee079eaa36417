import Diagnostics
import Lines
import QRCode

/// What this program says besides its errors, by area. An error states its row beside its type.
package enum Wording {
    package static func diagnostic(_ error: any Error) -> Diagnostic {
        guard let error = error as? any DiagnosticError else {
            return .badInput("internal", "unexpected failure: \(error)")
        }
        return error.diagnostic
    }
}

/// What a terminal says by itself: at a prompt for keys, below a list of choices, beside a code.
extension Wording {
    static func notWritten(_ path: String) -> String {
        "\(Escape.terminal(path)) was not written; the result is made, and it follows as text"
    }
    static let cannotClear =
        "This terminal cannot be cleared: close it, or the window, when you have copied this."
    static func enoughKeyPresses(_ count: Int) -> String { "\(count) of \(count) key presses; press Enter: " }
    static func keyPressProgress(_ have: Int, of need: Int) -> String {
        "\(have) of \(need) key presses, \(need - have) more needed: "
    }
    static func moreCandidates(_ count: Int) -> String { "and \(count) more: type another letter" }
    static func animated(_ caption: String, frames: Int) -> String {
        caption
            + (frames > 1
                ? ". \(frames) codes follow one another; hold the camera on them until it has read all" : "")
            + ". Press a key to end"
    }
    /// Nothing tells a program which characters a console's font has.
    static let consoleFont =
        ". If it is no square of blocks, this font lacks them: --out FILE.png writes a picture"
    /// A window that is too small may be made larger while the program waits.
    static func enlargeWindow(_ failure: PictureFailure) -> String {
        """
        heliograph: \(failure.sentence): enlarge it or make its font smaller, or press a key to go on \
        without
        """
    }
}

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

/// What a review on the whole terminal says beside the page.
extension Wording {
    package static let developmentNote = "development vault"
    package static let onlineNote = "ONLINE"
    static func moreOfSummary(_ lines: Int) -> String {
        "(\(lines) more line\(lines == 1 ? "" : "s") of the summary were shown)"
    }

    /// The question with its answer, as it stays on the terminal.
    static func answered(_ question: ReviewQuestion, _ outcome: Pager.Outcome) -> String {
        let answer =
            switch outcome {
            case .confirmed: question.word ?? "yes"
            case .refused: "no"
            case .interrupted: "interrupted"
            }
        return "\(question.text) \(answer)"
    }
}
