import Diagnostics
import Terminal

/// What stands at a prompt, and what an answer that does not fit it gets.
extension Wording {
    static let answerYesOrNo = "answer yes or no"
    static func wordPrompt(_ question: String, word: String) -> String { "\(question) Type \"\(word)\" to confirm, or no: " }
    static func answerName(_ names: [String]) -> String { "type one of \(names.map(Escape.terminal).joined(separator: ", ")), or no" }
    static func answerWord(_ word: String) -> String { "type exactly \"\(word)\", or no" }
}
