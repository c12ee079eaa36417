import Lines
import TerminalIO
import TestSupport
import Testing

/// Laws of the review on a screen, without a terminal.
@Suite struct PagerTests {
    typealias Key = Pager.Key

    private static func page(summary: Int = 4, cards: Int = 60, word: String? = nil) -> ReviewPage {
        ReviewPage(
            summary: (0..<summary).map { StyledLine("summary \($0)") },
            question: ReviewQuestion("Sign this?", word: word)
        ) { view in
            (0..<cards).flatMap { card in
                [StyledLine(indent: 2, [.init("card \(card) "), .init(amount(card, view), .amount)])]
                    + (view.docs ? [StyledLine(indent: 4, "docs of card \(card)", .dim)] : [])
            }
        }
    }

    private static func amount(_ card: Int, _ view: CardView) -> String {
        switch view.amounts {
        case .plain: "1,000 DOT"
        case .prefixed: "1.000 kDOT"
        case .raw: "\(card)0000"
        }
    }

    private static func reader(_ page: ReviewPage = page(), columns: Int = 80, rows: Int = 24) -> Reader {
        Reader(Pager(page, columns: columns, rows: rows))
    }

    /// Every key that a person has, apart from the end.
    private static let others: [Key] =
        [.up, .pageUp, .home, .backspace, .other]
        + "bgkadh/nN?yx1\u{1}\u{2}\u{10}\u{15}".unicodeScalars.map(Key.character)

    // MARK: The question comes last

    @Test(arguments: [Key.character(" "), .character("f"), .pageDown, .down, .character("j"), .enter])
    func theQuestionComesAfterEveryLineWasShown(key: Key) {
        let reader = Self.reader()
        var seen = Set<String>()
        for _ in 0..<200 {
            seen.formUnion(reader.pager.frame.text)
            if reader.press(key) { break }
            #expect(reader.pager.outcome == nil)
        }
        #expect(reader.asks == (key != .down && key != .character("j")))
        for card in 0..<60 { #expect(seen.contains("  card \(card) 1,000 DOT"), "card \(card)") }
        // A line down never opens it by itself, and Enter does then.
        if !reader.asks { #expect(reader.press(.enter)) }
        #expect(reader.asks)
    }

    @Test(arguments: [Key.character("G"), .end, .character(">")])
    func aKeyThatMeansTheEndLeadsToTheQuestion(key: Key) {
        let reader = Self.reader()
        #expect(!reader.press(.character("y"), .enter))
        #expect(!reader.press(key))
        #expect(reader.shows("card 59") && !reader.asks)
        #expect(reader.press(.enter))
        #expect(reader.asks && reader.shows("card 59"))
    }

    @Test func noOtherKeyOpensTheQuestion() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<60 {
            let reader = Self.reader(Self.page(cards: 45))
            for _ in 0..<80 {
                #expect(!reader.press(Self.others[Int(generator.next() % UInt64(Self.others.count))]))
                #expect(!reader.asks)
            }
            #expect(reader.pager.outcome == nil)
        }
    }

    @Test func aPageThatFitsWholeIsReadAtOnce() {
        let reader = Self.reader(Self.page(cards: 5))
        #expect(!reader.asks)
        #expect(reader.press(.enter))
        #expect(reader.asks)
    }

    @Test func anotherWindowIsNotTheEnd() {
        let reader = Self.reader()
        reader.pager.resize(columns: 80, rows: 200)
        #expect(reader.shows("card 59"))
        #expect(!reader.press(.home, .up, .pageUp, .character("b"), .enter))
        reader.pager.resize(columns: 80, rows: 24)
        #expect(!reader.press(.enter) && !reader.asks)
        // A deliberate key in the large window is.
        reader.pager.resize(columns: 80, rows: 200)
        #expect(!reader.press(.character("G")))
        #expect(reader.press(.enter))
    }

    @Test func anotherViewOfTheCardsIsNotTheEnd() {
        var reader = Self.reader(Self.page(cards: 15))
        reader.press(.character("d"))
        reader = Self.reader(Self.page(cards: 20))
        reader.press(.character("d"), .character("a"), .character("d"))
        #expect(!reader.press(.enter))
        #expect(!reader.asks)
    }

    @Test func aSearchIsNotTheEnd() {
        let reader = Self.reader()
        reader.press(.character("/"))
        reader.type("card 59")
        reader.press(.enter)
        #expect(reader.shows("card 59"))
        #expect(!reader.press(.enter))
        #expect(!reader.asks)
    }

    @Test func whatWasReadStaysReadInAnotherWindowAndView() {
        let reader = Self.reader()
        reader.press(.character("G"), .character("g"), .character("d"))
        reader.pager.resize(columns: 60, rows: 30)
        reader.press(.character("G"))
        #expect(reader.press(.enter))
    }

    // MARK: The summary

    @Test func theSummaryStaysOnTopWhateverIsPressed() {
        var generator = SeededGenerator(seed: 11)
        let reader = Self.reader()
        let keys =
            Self.others.filter { $0 != .character("?") && $0 != .character("h") } + [
                .down, .pageDown, .end, .enter, .character(" "),
            ]
        for _ in 0..<400 {
            reader.press(keys[Int(generator.next() % UInt64(keys.count))])
            #expect(Array(reader.pager.frame.text.prefix(4)) == (0..<4).map { "summary \($0)" })
        }
    }

    @Test(arguments: [15, 40, 300])
    func aTallSummaryIsPassedBeforeTheQuestion(count: Int) {
        for key in [Key.character("G"), .character(" "), .down, .enter, .end] {
            let reader = Self.reader(Self.page(summary: count, cards: 20))
            var seen = Set<String>()
            var presses = 0
            while presses < 2 * count + 100 {
                seen.formUnion(reader.pager.frame.text)
                presses += 1
                if reader.press(key) { break }
            }
            for line in 0..<count { #expect(seen.contains("summary \(line)"), "\(key) skipped line \(line)") }
        }
    }

    @Test func aSummaryStaysAsLongAsTheCardsKeepAThirdOfTheWindow() {
        for (count, stays) in [(14, true), (15, false)] {
            let reader = Self.reader(Self.page(summary: count))
            reader.press(.pageDown)
            #expect((reader.pager.frame.text[0] == "summary 0") == stays)
        }
    }

    @Test func aTallSummarySaysHowMuchIsLeft() {
        let reader = Self.reader(Self.page(summary: 40, cards: 20))
        #expect(reader.shows("summary: 17 more lines"))
        reader.press(.character(" "))
        #expect(!reader.shows("more line") && reader.shows("page 2 of 3"))
    }

    @Test func aSearchDoesNotLeadPastATallSummary() {
        let reader = Self.reader(Self.page(summary: 40, cards: 20))
        reader.press(.character("/"))
        reader.type("card 19")
        reader.press(.enter)
        #expect(!reader.shows("card 19"))
        #expect(!reader.press(.enter, .enter))
    }

    @Test func aLowerWindowDoesNotPassTheSummary() {
        let reader = Self.reader(Self.page(summary: 40, cards: 1), rows: 10)
        reader.press(.character("G"), .character("G"))
        reader.pager.resize(columns: 80, rows: 12)
        reader.pager.resize(columns: 60, rows: 10)
        #expect(reader.shows("summary: 13 more lines"))
        #expect(!reader.press(.enter))
    }

    @Test func aQuestionBelowATallSummaryStandsBesideItsStart() {
        let reader = Self.reader(Self.page(summary: 40, cards: 20))
        while !reader.press(.character(" ")) {}
        #expect(reader.pager.frame.text[0] == "summary 0" && reader.asks)
        #expect(reader.shows("19 lines hidden; Home shows them"))
    }

    @Test func aQuestionKeepsTheWarningsAtTheEndOfALongSummary() {
        let warnings = (0..<5).flatMap { number in
            [StyledLine("warning \(number)", number == 2 ? .error : .warning)]
        }
        let lines = (0..<40).map { StyledLine("summary \($0)") } + warnings
        let page = ReviewPage(summary: lines, question: ReviewQuestion("Sign this?")) { _ in
            (0..<30).map { StyledLine("card \($0)") }
        }
        for rows in [24, 12] {
            let reader = Reader(Pager(page, columns: 80, rows: rows))
            while !reader.press(.character(" ")) {}
            for number in 0..<5 { #expect(reader.shows("warning \(number)")) }
            #expect(reader.pager.frame.text[0] == "summary 0")
            #expect(reader.shows("\(45 - (rows - 3)) lines hidden; Home shows them"))
        }
        // Where not even these fit, the last ones stay.
        let many = (0..<60).map { StyledLine("warning \($0)", .warning) }
        let reader = Reader(
            Pager(ReviewPage(summary: many, question: page.question) { _ in [] }, columns: 80, rows: 24))
        while !reader.press(.character(" ")) {}
        #expect(reader.shows("warning 59") && reader.shows("39 lines hidden;"))
    }

    @Test func aLargeWindowForAMomentDoesNotPassTheSummary() {
        let page = Self.page(summary: 40, cards: 60)
        for begins in [true, false] {
            let reader = Reader(Pager(page, columns: begins ? 200 : 80, rows: begins ? 300 : 24))
            var seen = Set<String>()
            if !begins {
                seen.formUnion(reader.pager.frame.text)
                reader.pager.resize(columns: 200, rows: 300)
            }
            reader.pager.resize(columns: 80, rows: 24)
            seen.formUnion(reader.pager.frame.text)
            #expect(!reader.press(.character("G")) && !reader.shows("card 59"))
            seen.formUnion(reader.pager.frame.text)
            while !reader.press(.character(" ")) { seen.formUnion(reader.pager.frame.text) }
            for number in 0..<40 { #expect(seen.contains("summary \(number)")) }
        }
    }

    @Test func theBriefSummaryStaysOnTopWhileTheWholeScrolls() {
        let page = ReviewPage(
            summary: (0..<300).map { StyledLine("recipient \($0)") },
            brief: [StyledLine("300 recipients"), StyledLine("warning", .warning)],
            question: ReviewQuestion("Sign this?")
        ) { _ in [StyledLine("card")] }
        let reader = Reader(Pager(page, columns: 80, rows: 24))
        var seen = Set<String>()
        repeat {
            seen.formUnion(reader.pager.frame.text)
            #expect(reader.pager.frame.text[0] == "300 recipients" && reader.pager.frame.text[1] == "warning")
        } while !reader.press(.character(" "))
        for number in 0..<300 { #expect(seen.contains("recipient \(number)")) }
        #expect(seen.contains("card") && reader.asks && reader.pager.frame.text[1] == "warning")
        reader.pager.resize(columns: 80, rows: 10)
        #expect(reader.pager.frame.text[1] == "warning")
    }

    @Test(arguments: 10...40)
    func `a block of lines stands on one screen where the window has its rows`(rows: Int) {
        let block = (0..<13).map { StyledLine(indent: 2, "proven: fact \($0)") }
        let page = ReviewPage(
            summary: (0..<12).map { StyledLine("summary \($0)") }, question: ReviewQuestion("Sign this?"),
            block: { _ in block }
        ) { _ in (0..<30).map { StyledLine("card \($0)") } + block }
        let reader = Reader(Pager(page, columns: 80, rows: rows))
        var (most, top) = (0, "")
        var seen = Set<String>()
        repeat {
            let text = reader.pager.frame.text
            seen.formUnion(text)
            let shown = text.count { $0.hasPrefix("  proven: ") }
            if shown >= most { (most, top) = (shown, text[0]) }
        } while !reader.press(.character(" "))
        #expect(most == min(13, rows < 14 ? rows - 1 : 13))
        // The summary stays on top where both have room.
        #expect((top == "summary 0") == (rows >= 12 + 13 + 2))
        for number in 0..<12 { #expect(seen.contains("summary \(number)")) }
    }

    // MARK: Answers

    @Test(arguments: [nil, "transfer all"])
    func onlyTheExpectedWordConfirms(word: String?) {
        let wrong = [
            "", " ", "ye", "yess", "y y", "yes!", "Transfer all", "transfer  all", "transfer", "ｙ",
            "transfer\u{a0}all", "ja", "1",
        ]
        for answer in wrong + (word == nil ? ["transfer all"] : ["y", "yes", "Y"]) {
            let reader = Self.reader(Self.page(word: word))
            reader.press(.end, .enter)
            reader.type(answer)
            reader.press(.enter)
            #expect(reader.pager.outcome == nil, "\(answer)")
            #expect(
                reader.shows(
                    "please type \(word.map { "\"\($0)\"" } ?? "y or yes") and Enter, or no"))
            reader.type(word ?? "yes")
            reader.press(.enter)
            #expect(reader.pager.outcome == .confirmed)
        }
        for answer in word.map({ [$0, " \($0) "] }) ?? ["y", "yes", "Y", "YES", " yes "] {
            #expect(ReviewQuestion("", word: word).reading(answer) == true)
        }
        for answer in ["n", "no", "No", " no "] {
            #expect(ReviewQuestion("", word: word).reading(answer) == false)
        }
    }

    @Test func escapeAndControlCRefuseEverywhere() {
        let ways: [[Key]] = [[], [.end], [.end, .enter], [.end, .enter, .character("y")]]
        for way in ways {
            for (key, outcome) in [
                (Key.character("\u{1b}"), Pager.Outcome.refused), (.character("\u{3}"), .interrupted),
                (.character("\u{4}"), .interrupted),
            ] {
                let reader = Self.reader()
                for one in way { reader.press(one) }
                reader.press(key)
                #expect(reader.pager.outcome == outcome)
            }
        }
        let reader = Self.reader()
        reader.press(.character("q"))
        #expect(reader.pager.outcome == .refused)
    }

    @Test func anAnswerIsTypedAndTakenBack() {
        let reader = Self.reader()
        reader.press(.end, .enter)
        reader.type("nox")
        #expect(reader.pager.frame.text.last == "> nox" && reader.pager.frame.cursor == 5)
        reader.press(.backspace, .backspace, .backspace, .backspace)
        reader.type("q")
        #expect(reader.pager.outcome == nil)
        reader.press(.character("\u{15}"))
        reader.type("yes")
        reader.press(.enter)
        #expect(reader.pager.outcome == .confirmed)
    }

    @Test func anArrowLeadsBackToTheCardsWithoutTheAnswer() {
        let reader = Self.reader()
        reader.press(.end, .enter)
        reader.type("ye")
        reader.press(.pageUp)
        #expect(!reader.asks)
        #expect(reader.press(.end, .enter))
        reader.type("s")
        reader.press(.enter)
        #expect(reader.pager.outcome == nil)
    }

    @Test func aLongAnswerKeepsItsCursorInTheWindow() {
        let reader = Self.reader()
        reader.press(.end, .enter)
        for _ in 0..<3 { reader.type(String(repeating: "漢x", count: 100)) }
        #expect(reader.pager.frame.cursor! < 80)
        checkFits(reader)
    }

    // MARK: Windows

    private func checkFits(_ reader: Reader) {
        let frame = reader.pager.frame
        #expect(frame.rows.count == reader.pager.size.rows)
        for row in frame.text {
            let width = row.unicodeScalars.reduce(0) { $0 + StyledLine.columns($1) }
            #expect(width <= reader.pager.size.columns, "\(row)")
        }
    }

    @Test func everyFrameFitsItsWindow() {
        var generator = SeededGenerator(seed: 3)
        let long = ReviewPage(
            summary: [
                StyledLine("Signer", .heading),
                StyledLine(indent: 2, String(repeating: "漢字", count: 90), .ownAccount),
            ],
            question: ReviewQuestion(
                "Sign these 300 transactions, all of them, and nothing else?", word: "transfer all of it")
        ) { _ in
            (0..<50).map {
                StyledLine(indent: 2 * $0, [.init("0x" + String(repeating: "ab", count: $0 * 7), .account)])
            }
        }
        let keys = Self.others + [.down, .pageDown, .end, .enter, .character(" ")]
        for _ in 0..<8 {
            let reader = Reader(
                Pager(
                    long, columns: 80, rows: 24, notes: [.init("ONLINE", .error), .init("development vault")])
            )
            for _ in 0..<40 where reader.pager.outcome == nil {
                reader.press(keys[Int(generator.next() % UInt64(keys.count))])
                if generator.next() % 4 == 0 {
                    reader.pager.resize(
                        columns: Int(generator.next() % 150) + 1, rows: Int(generator.next() % 60) + 1)
                }
                checkFits(reader)
            }
        }
    }

    @Test(arguments: [(20, 5), (47, 24), (80, 9), (1, 1)])
    func aWindowThatIsTooSmallShowsWhatIsNeededAndNothingElse(columns: Int, rows: Int) {
        let reader = Self.reader(Self.page(cards: 1), columns: columns, rows: rows)
        checkFits(reader)
        #expect(!reader.shows("card") && !reader.shows("summary"))
        if columns >= 20 {
            #expect(reader.pager.frame.text.joined(separator: " ").contains("at least 48 x 10"))
        }
        #expect(!reader.press(.end, .enter))
        reader.type("y")
        reader.press(.enter)
        #expect(reader.pager.outcome == nil)
        // What could not be shown was not read.
        reader.pager.resize(columns: 80, rows: 10)
        #expect(!reader.press(.enter) && !reader.asks)
        reader.press(.character("q"))
        #expect(reader.pager.outcome == .refused)
    }

    @Test func aWindowThatShrinksClosesTheQuestion() {
        let reader = Self.reader()
        reader.press(.end, .enter)
        reader.type("yes")
        reader.pager.resize(columns: 20, rows: 5)
        reader.press(.enter)
        #expect(reader.pager.outcome == nil)
        reader.pager.resize(columns: 80, rows: 24)
        reader.press(.enter)
        #expect(reader.pager.outcome == nil)
    }

    @Test func theLineOnTopStaysInAnotherWindowAndView() {
        let reader = Self.reader()
        reader.press(.pageDown)
        let first = reader.pager.frame.text[5]
        reader.press(.character("d"))
        #expect(reader.pager.frame.text[5] == first)
        reader.press(.down)
        #expect(reader.pager.frame.text[5].contains("docs"))
        reader.press(.character("d"))
        #expect(reader.pager.frame.text[5] == first)
        reader.pager.resize(columns: 100, rows: 30)
        #expect(reader.pager.frame.text[5] == first)
        reader.press(.character("a"))
        #expect(reader.pager.frame.text[5].contains("1.000 kDOT"))
        reader.press(.character("a"))
        #expect(reader.pager.frame.text[5].contains("0000") && !reader.pager.frame.text[5].contains("DOT"))
    }

    // MARK: Nothing is hidden

    @Test func aRemarkOfThirtyThousandBlanksHidesNothing() {
        let remark = "\"" + String(repeating: " \\u{20}", count: 15_000) + "\""
        let page = ReviewPage(summary: [StyledLine("summary")], question: ReviewQuestion("Sign this?")) { _ in
            [StyledLine("first"), StyledLine(indent: 4, remark), StyledLine("last")]
        }
        var reader = Reader(Pager(page, columns: 80, rows: 24))
        var pages = 0
        var text = ""
        while !reader.press(.character(" ")) {
            pages += 1
            text += reader.pager.frame.text.joined()
        }
        #expect(pages > 50 && text.contains("last"))
        // The end is one key away, and says that it is the end.
        reader = Reader(Pager(page, columns: 80, rows: 24))
        reader.press(.character("G"))
        #expect(reader.shows("last") && reader.shows("Enter: to the question"))
    }

    @Test func aBatchOf300CallsIsShownWhole() {
        let page = Self.page(cards: 3_000)
        let reader = Reader(Pager(page, columns: 80, rows: 24))
        var seen = Set<String>()
        repeat { seen.formUnion(reader.pager.frame.text) } while !reader.press(.character(" "))
        for card in 0..<3_000 { #expect(seen.contains("  card \(card) 1,000 DOT")) }
        #expect(seen.contains { $0.contains("page 167 of 167") })
    }

    @Test func withASCIIAloneOtherLettersAreEscaped() {
        let page = ReviewPage(summary: [StyledLine("für")], question: ReviewQuestion("Sign?")) { _ in
            [StyledLine("да \\u{202e}")]
        }
        let reader = Reader(Pager(page, columns: 80, rows: 24, isASCII: true))
        #expect(reader.pager.frame.text[0] == "f\\u{fc}r")
        #expect(reader.pager.frame.text[2] == "\\u{434}\\u{430} \\u{202e}")
        #expect(reader.pager.frame.text.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    }

    // MARK: Search and help

    @Test func aSearchFindsTextAcrossTheBreaksOfALine() {
        let address = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"
        let page = ReviewPage(summary: [StyledLine("summary")], question: ReviewQuestion("Sign?")) { _ in
            (0..<40).map { StyledLine("line \($0)") } + [
                StyledLine(indent: 20, [.init("dest Id "), .init(address, .account)])
            ]
                + (0..<40).map { StyledLine("tail \($0)") }
        }
        let reader = Reader(Pager(page, columns: 50, rows: 24))
        reader.press(.character("/"))
        reader.type("XGXGS5MUIVEU4SBTYGBZ")
        #expect(reader.pager.frame.text.last == "/XGXGS5MUIVEU4SBTYGBZ")
        reader.press(.enter)
        let reversed = reader.pager.frame.rows.dropLast().flatMap { $0 }.filter(\.isReversed).map(\.text)
            .joined()
        #expect(reversed == "xGXgs5mUiveU4sbTyGBz")
    }

    @Test func matchesFollowOneAnotherAndGoAround() {
        let reader = Self.reader()
        reader.press(.character("/"))
        reader.type("card 2")
        reader.press(.enter)
        var found: [String] = []
        for _ in 0..<11 {
            found.append(reader.pager.frame.text[5])
            reader.press(.character("n"))
        }
        #expect(found == ([2] + Array(20...29)).map { "  card \($0) 1,000 DOT" })
        #expect(reader.pager.frame.text[5] == "  card 2 1,000 DOT" && reader.shows("continued from the top"))
        reader.press(.character("N"))
        #expect(reader.pager.frame.text[5] == "  card 29 1,000 DOT" && reader.shows("continued from the end"))
        reader.press(.character("/"))
        reader.type("nowhere")
        reader.press(.enter)
        #expect(reader.shows("not found: nowhere"))
        reader.press(.character("/"), .character("x"), .character("\u{1b}"))
        #expect(reader.pager.outcome == nil)
    }

    @Test func helpNamesEveryKeyAndLeadsBack() {
        let reader = Self.reader(rows: 10)
        let before = reader.pager.frame.text
        reader.press(.character("?"))
        var text = reader.pager.frame.text.joined(separator: "\n")
        reader.press(.character(" "))
        text += reader.pager.frame.text.joined(separator: "\n")
        for key in [
            "Space", "PageDown", "PageUp", "Home", "End", "/", "n  N", "amounts", "docs", "Esc", "Ctrl-C",
        ] {
            #expect(text.contains(key))
        }
        reader.press(.character("x"))
        #expect(reader.pager.frame.text == before && reader.pager.outcome == nil)
    }
}

/// A person at the screen.
private final class Reader {
    var pager: Pager

    init(_ pager: Pager) { self.pager = pager }

    /// - Returns: whether one of the keys opened the question.
    @discardableResult
    func press(_ keys: Pager.Key...) -> Bool { keys.map { pager.press($0) }.contains(true) }

    func type(_ text: String) { for scalar in text.unicodeScalars { press(.character(scalar)) } }

    var asks: Bool { pager.frame.text.contains { $0.utf8.starts(with: "Sign this?".utf8) } }
    func shows(_ text: String) -> Bool { pager.frame.text.contains { $0.contains(text) } }
}
