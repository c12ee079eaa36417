import Keys
import SubstratePrimitives
import Testing
import TrustStore

@testable import CommandKit
@testable import Presentation
@testable import TerminalIO

@Suite struct PromptLaws {
    @Test func onlyYesAndNoAreAnswers() {
        for yes in ["y", "Y", "yes", "YES", " yes ", "Yes\t"] { #expect(Console.yesOrNo(yes) == true) }
        for no in ["n", "N", "no", "No", " no"] { #expect(Console.yesOrNo(no) == false) }
        for unclear in ["", "ye", "yess", "yes no", "nope", "ja", "0", "1", "y\u{301}", "\u{443}"] {
            #expect(Console.yesOrNo(unclear) == nil, "\(unclear)")
        }
    }

    private static let phrase = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"

    private func text(_ secret: borrowing SecretBytes) -> String {
        secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    @Test func wordsAreNumberedFourARow() {
        let page = PhrasePage(SecretBytes(utf8: Self.phrase), of: "main")
        #expect(page.words == 12)
        let rows = text(page.page(columns: 80)).split(separator: "\n").map(String.init)
        #expect(
            rows == [
                " 1. bottom       2. drive        3. obey         4. lake",
                " 5. curtain      6. smoke        7. basket       8. hold",
                " 9. race        10. lonely      11. fit         12. walk",
            ])
    }

    @Test func theLongestWordsOfALongPhraseFit() {
        let words = Array(repeating: "absolute", count: 24).joined(separator: " ")
        for (columns, perRow) in [(nil, 4), (80, 4), (60, 4), (59, 3), (48, 3), (43, 2), (20, 2)] {
            let rows = text(PhrasePage(SecretBytes(utf8: words), of: "main").page(columns: columns))
                .split(separator: "\n", omittingEmptySubsequences: false)
            #expect(rows.count == 24 / perRow)
            for row in rows {
                #expect(row.utf8.count <= 16 * perRow - 4 && row.split(separator: " ").count == 2 * perRow)
            }
        }
    }

    /// A share of 33 words has a row that is not full, and ends without a line's end.
    @Test func aRowOfWordsEndsWithItsLastWord() {
        let words = (0..<33).map { String(repeating: "x", count: 1 + $0 % 8) }
        let page = PhrasePage(SecretBytes(utf8: words.joined(separator: " ")), of: "main")
        for columns in [80, 50, 30] {
            let shown = text(page.page(columns: columns))
            #expect(!shown.contains(" \n") && shown.utf8.last == UInt8(ascii: "x"))
            let found = shown.split { $0 == " " || $0 == "\n" }.filter { $0.hasPrefix("x") }
            #expect(found.map(String.init) == words)
        }
    }

    @Test func eachWordOfAPageIsTheOneOfItsNumber() {
        let page = PhrasePage(SecretBytes(utf8: Self.phrase), of: "main")
        for (index, word) in Self.phrase.split(separator: " ").enumerated() {
            #expect(text(page.word(index)) == word)
        }
    }

    @Test func aWordIsTheWholeOfItOrItsFirstLetters() {
        func index(_ typed: String) -> Int? { PhrasePrompt.index(of: SecretBytes(utf8: typed)) }
        #expect(index("bottom") == WordList.english.words.firstIndex(of: "bottom"))
        #expect(index(" bott ") == index("bottom") && index("BOTTOM") == index("bottom"))
        // A whole word may begin others.
        #expect(index("act") == WordList.english.words.firstIndex(of: "act"))
        #expect(index("ac") == nil && index("") == nil && index("zzz") == nil && index("bottom drive") == nil)
    }

    @Test func aQuizAsksForDifferentWords() {
        for _ in 0..<200 {
            let drawn = Console.drawnPositions(3, below: 12)
            #expect(drawn.count == 3 && Set(drawn).count == 3 && drawn.allSatisfy { (0..<12).contains($0) })
        }
        #expect(Set((0..<300).flatMap { _ in Console.drawnPositions(3, below: 12) }).count == 12)
        #expect(Console.drawnPositions(3, below: 2).count == 2)
    }

    @Test func diceTellWhatIsMissing() {
        #expect(Wording.diceProgress(0, of: 99, last: nil, slip: nil) == "0 of 99 rolls, 99 more needed: ")
        #expect(
            Wording.diceProgress(98, of: 99, last: 0x36, slip: nil)
                == "98 of 99 rolls, 1 more needed, last 6: ")
        #expect(
            Wording.diceProgress(99, of: 99, last: 0x31, slip: nil)
                == "99 of 99 rolls, enough, Enter ends, last 1: ")
        #expect(
            Wording.diceProgress(2, of: 99, last: 0x31, slip: Wording.noFace).hasSuffix(
                "; press 1 to 6, or h or t for a coin: "))
    }

    /// A line that the next one replaces has one row, with room for the cursor.
    @Test func aLineThatIsReplacedIsCutToTheWindow() {
        let line = Wording.diceProgress(3, of: 99, last: 0x31, slip: Wording.noFace)
        #expect(line.utf8.count > 60)
        for columns in [20, 60, line.utf8.count] {
            let cut = Console.cut(line, to: columns)
            #expect(cut.utf8.count == columns - 1 && line.hasPrefix(cut))
        }
        for columns in [line.utf8.count + 1, 200, nil] { #expect(Console.cut(line, to: columns) == line) }
    }

    /// Bytes of the keys of several terminals: arrows, editing and function keys, with and without Alt, Ctrl
    /// and Shift, and letters beyond ASCII.
    @Test(arguments: [
        "\u{1b}[A", "\u{1b}OA", "\u{1b}[3~", "\u{1b}[15~", "\u{1b}[1;5C", "\u{1b}[1;3D", "\u{1b}[200~",
        "\u{1b}[[A",
        "\u{1b}\u{1b}[B", "\u{1b}3", "\u{1b}h", "\u{1b}OP", "\u{1b}[Z", "\u{1b}[?1u", "\u{1b}é", "é", "…",
        "🎲",
    ]) func aKeyOfSeveralBytesIsWholeAtItsLastByte(_ key: String) {
        let bytes = Array(key.utf8)
        var press = KeySequence(bytes[0])
        for byte in bytes.dropFirst() {
            #expect(!press.isWhole, "\(key.debugDescription)")
            press.add(byte)
        }
        #expect(press.isWhole && press.last == bytes.last, "\(key.debugDescription)")
    }

    @Test func whatNeverEndsIsAKeyAtItsLimit() {
        var press = KeySequence(0x1b)
        press.add(UInt8(ascii: "["))
        for _ in 0..<30 {
            #expect(!press.isWhole)
            press.add(UInt8(ascii: "1"))
        }
        press.add(UInt8(ascii: "1"))
        #expect(press.isWhole)
    }

    @Test func theFirstKeysAreThoseOfDifferentPaths() {
        var state = TrustState()
        state.networks = NetworkSpecs.defaults
        #expect(
            FirstKeysOption.networks(of: state).map(\.path.description) == [
                "//polkadot", "//kusama", "//westend",
            ])
        var same = NetworkSpecs.defaults[1]
        same.pathID = "//polkadot"
        var broken = NetworkSpecs.defaults[2]
        broken.pathID = "polkadot///password"
        state.networks = [NetworkSpecs.defaults[0], same, broken]
        #expect(FirstKeysOption.networks(of: state).map(\.specs.name) == ["polkadot"])
    }
}
