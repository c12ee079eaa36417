import Lines
import TestSupport
import Testing

/// Lines fitted to a width: nothing is lost, nothing is torn, nothing passes for a card.
@Suite struct WrappingTests {
    private static let address = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
    private static let hash = "0x" + String(repeating: "0123456789abcdef", count: 4)

    private static func texts(_ line: StyledLine, _ columns: Int) -> [String] {
        line.wrapped(to: columns).map(\.text)
    }

    /// The runs without the mark of a continuation.
    private static func content(_ lines: [StyledLine]) -> [StyledLine.Run] {
        lines.enumerated().flatMap { index, line in
            index == 0 ? line.runs : Array(line.runs.dropFirst())
        }
    }

    private static func columns(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x3001 ? 2 : 1) }
    }

    @Test func aLineThatFitsIsLeftAlone() {
        let line = StyledLine(indent: 4, [.init("dest Id ", .dim), .init(Self.address, .account)])
        #expect(line.wrapped(to: 60) == [line])
        #expect(line.wrapped(to: 59) != [line])
        #expect(StyledLine("").wrapped(to: 80) == [StyledLine("")])
    }

    @Test func aWordGoesToTheNextLineWhole() {
        let line = StyledLine(
            indent: 2, [.init("real account of the proxy ", .dim), .init(Self.address, .account)])
        #expect(Self.texts(line, 60) == ["  real account of the proxy ", "    | " + Self.address])
        #expect(
            Self.texts(StyledLine(indent: 2, "one two three four five six seven eight nine ten eleven"), 48)
                == ["  one two three four five six seven eight nine ", "    | ten eleven"])
    }

    @Test func aHashThatDoesNotFitBreaksAfterGroupsOfEight() {
        #expect(
            Self.texts(StyledLine(indent: 2, "block hash " + Self.hash), 60) == [
                "  block hash 0x0123456789abcdef0123456789abcdef01234567", "    | 89abcdef0123456789abcdef",
            ])
        // A whole address that fits a line of its own is never parted.
        for columns in 48...80 {
            let lines = Self.texts(StyledLine("to " + Self.address), columns)
            #expect(lines.count == (columns < 51 ? 2 : 1) || lines[1] == "  | " + Self.address)
        }
    }

    @Test func anEscapeIsNeverParted() {
        let text =
            "\"" + String(repeating: "\\u{20}", count: 500) + String(repeating: "\\n\\\\\\\"", count: 100)
            + "\""
        for columns in 48...90 {
            let lines = StyledLine(indent: 6, text).wrapped(to: columns)
            for line in lines {
                let piece = line.runs.last?.text ?? ""
                #expect(EscapeTests.decoded(piece) != nil, "\(piece)")
                #expect(!piece.hasSuffix("\\") || piece.hasSuffix("\\\\"))
            }
            #expect(Self.content(lines).map(\.text).joined() == text)
        }
    }

    @Test func theLinesAreTogetherTheTextAndNoneIsWider() {
        var generator = SeededGenerator.printed("wrapped lines")
        let words = [
            "a", "dest", Self.address, Self.hash, "\\u{20}", "漢字かな交じり文", "Привет,", "  ", "", "text \"x\"",
            String(repeating: "x", count: 90),
        ]
        for _ in 0..<3_000 {
            let runs = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                StyledLine.Run(
                    words.randomElement(using: &generator)! + (Bool.random(using: &generator) ? " " : ""),
                    TextStyle.allCases.randomElement(using: &generator)!)
            }
            let line = StyledLine(indent: Int.random(in: 0...20, using: &generator), runs)
            let columns = Int.random(in: 48...120, using: &generator)
            let lines = line.wrapped(to: columns)
            #expect(Self.content(lines).map(\.text).joined() == runs.map(\.text).joined())
            #expect(lines.allSatisfy { Self.columns($0.text) <= columns })
            #expect(
                lines.dropFirst().allSatisfy {
                    $0.indent == line.indent + 2 && $0.runs.first == .init("| ", .dim)
                })
            // Each scalar keeps its style.
            func styles(_ runs: [StyledLine.Run]) -> [TextStyle] {
                runs.flatMap { run in run.text.unicodeScalars.map { _ in run.style } }
            }
            #expect(styles(Self.content(lines)) == styles(runs))
        }
    }

    @Test func noLineOfACardStartsLikeAContinuation() {
        #expect(StyledLine.unmarked("| 5Grw") == "\\u{7c} 5Grw")
        #expect(StyledLine.unmarked("|") == "\\u{7c}")
        #expect(StyledLine.unmarked("a | b") == "a | b")
        #expect(StyledLine.unmarked("") == "")
    }

    @Test func aDeepLineSaysItsLevel() {
        let lines = Self.texts(StyledLine(indent: 60, "amount 5"), 80)
        #expect(lines == [String(repeating: " ", count: 40) + "(level 30) amount 5"])
        #expect(
            Self.texts(StyledLine(indent: 40, "amount 5"), 80) == [
                String(repeating: " ", count: 40) + "amount 5"
            ])
    }

    @Test func aNarrowTerminalStillShowsEverything() {
        let lines = StyledLine(indent: 8, "x " + Self.hash).wrapped(to: 0)
        #expect(Self.content(lines).map(\.text).joined() == "x " + Self.hash)
        #expect(lines.allSatisfy { Self.columns($0.text) <= 48 })
    }

    @Test func longTextsTakeTimeInProportion() {
        for unit in [
            "a", " ", "\\u{20}", "\\", "\\u{", "a ", "漢", "\\u{" + String(repeating: "0", count: 100),
        ] {
            let line = StyledLine(indent: 4, String(repeating: unit, count: (1 << 19) / unit.utf8.count))
            let took = ContinuousClock().measure { _ = line.wrapped(to: 80) }
            #expect(took < .seconds(20), "\(unit)")
        }
    }
}
