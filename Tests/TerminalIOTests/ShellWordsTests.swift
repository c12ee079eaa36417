import Testing

@testable import TerminalIO

@Suite struct ShellWordsTests {
    @Test func `blanks divide words, and quotes keep them together`() throws {
        #expect(
            try ShellWords.split(#"scan  a\ b 'c "d' "e \" f" ''"#) == [
                "scan", "a b", #"c "d"#, #"e " f"#, "",
            ])
        #expect(try ShellWords.split("").isEmpty)
        #expect(try ShellWords.split("# key list").isEmpty)
    }

    @Test func `a quote with a combining mark behind it is a quote`() throws {
        #expect(try ShellWords.split("\"\u{301} a\" b") == ["\u{301} a", "b"])
        #expect(throws: CommandError.unfinishedQuote) { try ShellWords.split("a\"\u{301}") }
    }

    @Test(arguments: ["'a", "\"a", "\"a\\\"", "a\\"])
    func `a quote without an end is refused`(line: String) {
        #expect(throws: CommandError.unfinishedQuote) { try ShellWords.split(line) }
    }
}
