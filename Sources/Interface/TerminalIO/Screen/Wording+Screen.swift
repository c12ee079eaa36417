import Lines

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
