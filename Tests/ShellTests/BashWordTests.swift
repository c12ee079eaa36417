import Testing

@testable import Shell
@testable import TerminalIO

@Suite struct BashWordTests {
    private func text(_ line: String, replaced: String, _ candidate: String) -> String? {
        BashWord(line: line, replaced: replaced).text(candidate)
    }

    @Test func `outside quotes everything that a shell reads is escaped`() {
        #expect(text("h seed show t", replaced: "t", "the $(x)") == #"the\ \$\(x\)"#)
        #expect(text("h seed show ", replaced: "", "~'\"`;") == #"\~\'\"\`\;"#)
        #expect(text("h seed show ", replaced: "", "dé") == "dé")
    }

    @Test func `inside quotes the candidate goes on where the quote began`() {
        #expect(text("h seed show 'th", replaced: "th", "the $(x)") == "the $(x)")
        #expect(text("h seed show 'th", replaced: "'th", "it's") == #"it'\''s"#)
        #expect(text("h seed show \"th", replaced: "th", "the $(x)`\"") == #"the \$(x)\`\""#)
        #expect(text("h seed show \"th", replaced: "th", "the!") == nil)
    }

    @Test func `what bash leaves of the word stays`() {
        #expect(text("h x --network=we", replaced: "we", "--network=westend") == "westend")
        #expect(text("h x a:b", replaced: "b", "a:bc") == "bc")
        #expect(text("h x a:b", replaced: "b", "z:bc") == nil)
    }

    @Test func `a line is divided as the shell divides it`() {
        #expect(BegunLine(#"a 'b c' d\ e "f"#).words == ["a", "b c", "d e"])
        #expect(BegunLine(#"a "f\$ g"#, escapes: ["$"]).word == "f$ g")
        #expect(BegunLine("a ").word.isEmpty)
        #expect(BegunLine("a b").start == 2)
    }
}
