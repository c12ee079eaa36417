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
    static func animated(_ caption: String, frames: Int) -> String {
        caption
            + (frames > 1
                ? ". \(frames) codes follow one another; hold the camera on them until it has read all" : "")
            + ". Press a key to end"
    }
}

/// What stands at a prompt, and what an answer that does not fit it gets.
extension Wording {
    package static let newPassphrase = "new passphrase (leave empty to generate one): "
    package static let pressKeyToClear = "Press a key to clear the screen. "
}

/// What a review on the whole terminal says beside the page.
extension Wording {
    static func moreOfSummary(_ lines: Int) -> String {
        lines == 1 ? "1 more line was shown" : "\(lines) more lines were shown"
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
