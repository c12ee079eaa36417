import Lines
import QRCode
import Testing

@testable import Presentation
@testable import TerminalIO

@Suite struct CaptionLaws {
    private let caption =
        "address of 5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY on westend: scan it with a wallet"

    @Test(arguments: 8...100)
    func noLineIsLongerThanItsRoom(columns: Int) {
        let lines = WordWrap.lines(caption, to: columns)
        #expect(lines.allSatisfy { $0.count <= columns })
        #expect(lines.joined().filter { $0 != " " } == caption.filter { $0 != " " })
    }

    @Test func wordsStayWhole() {
        #expect(
            WordWrap.lines("signature for westend: show it", to: 20) == ["signature for", "westend: show it"])
    }

    /// What a person compares breaks after groups of eight.
    @Test func anAddressBreaksInGroups() {
        let lines = WordWrap.lines("of 5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY now", to: 21)
        #expect(lines == ["of 5GrwvaEF5zXb26Fz", "9rcQpDWS57CtERHp", "NehXCPcNoHGKutQY now"])
    }
}

@Suite struct KeyLaws {
    @Test(arguments: [
        ("\n", KeyPressed.next), (" ", .next), ("\u{1b}[B", .next), ("\u{1b}[C", .next), ("x", .next),
        ("b", .back), ("B", .back),
        ("\u{7f}", .back),
        ("\u{1b}[A", .back), ("\u{1b}[D", .back), ("q", .leave), ("Q", .leave), ("\u{1b}", .leave),
    ])
    func aPressIsRead(sent: String, key: KeyPressed) { #expect(KeyPressed(Array(sent.utf8)) == key) }
}

@Suite struct AnswerPictureLaws {
    /// The payload of four keys takes one code in a file, and few in a small window.
    @Test(arguments: [(426, 23, 1), (426, 6, 4), (1072, 23, 1), (1073, 23, 2), (426, 13, 2)])
    func aShortAnswerTakesFewCodes(length: Int, version: Int, count: Int) throws {
        let codes = try AnswerPicture(framed: [UInt8](repeating: 7, count: length)).codes(ofVersion: version)
        #expect(codes.count == count)
        #expect(codes.allSatisfy { $0.version <= version })
    }

    /// A text is read by programs that know no frames.
    @Test func aTextIsOneCodeWhateverItsLength() throws {
        let codes = try AnswerPicture(text: String(repeating: "a", count: 400)).codes(ofVersion: 5)
        #expect(codes.count == 1)
    }
}
