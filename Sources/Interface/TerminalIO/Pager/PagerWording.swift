import Lines

/// What the screen says itself: ASCII, no line wider than the smallest window.
enum PagerWording {
    static func page(_ number: Int, of count: Int) -> String { "page \(number) of \(count)" }
    static func moreSummary(_ lines: Int) -> String { "summary: \(lines) more line\(lines == 1 ? "" : "s")" }
    static func summaryAbove(_ lines: Int) -> String {
        lines == 1 ? "1 line hidden; Home shows it" : "\(lines) lines hidden; Home shows them"
    }
    static let summaryFirst = "the summary comes first"
    static func unclear(_ question: ReviewQuestion) -> String { "please \(question.expectation)" }
    static let toQuestion = "Enter: to the question"
    static let toQuestionInShort = "Enter: question"
    static let nothingToFind = "type / and a text first"
    static func notFound(_ text: String) -> String { "not found: \(Escape.terminal(text))" }
    static func around(forward: Bool) -> String {
        forward ? "continued from the top" : "continued from the end"
    }
    /// Word by word, because no line of it may be wider than the window.
    static func tooSmall(_ columns: Int, _ rows: Int) -> [String] {
        [
            "The", "window", "is", "too", "small:", "make", "it", "at", "least", "\(columns)", "x",
            "\(rows),", "or", "press", "q", "to",
            "refuse.",
        ]
    }
    static let anyKey = "any key: back to the review"
    static let moreHelp = "Space: more help, any other key: back"

    /// What the status line names, the most needed first.
    static func keys(_ view: CardView, goesOn: Bool) -> [String] {
        (goesOn ? ["Space next", "G end"] : []) + ["? help", "q refuse", "b back", "/ search"]
            + ["a amounts: \(name(view.amounts))", "d docs: \(view.docs ? "on" : "off")"]
    }

    private static func name(_ amounts: CardView.Amounts) -> String {
        switch amounts {
        case .plain: "plain"
        case .prefixed: "prefixed"
        case .raw: "raw"
        }
    }

    static let help = [
        "Space  f  PageDown    next page",
        "b  PageUp             page before",
        "j  k  arrows          one line",
        "g  Home               to the start",
        "G  End                to the end",
        "/                     search, Enter to start",
        "n  N                  next match, match before",
        "a                     amounts: plain, prefixed, raw",
        "d                     docs on or off",
        "Enter at the end      to the question",
        "q  Esc  Ctrl-C        refuse",
        "",
        "The question comes after the end of the cards.",
        "While it is open, arrows and pages lead back.",
    ]
}
