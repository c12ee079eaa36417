import SubstratePrimitives
import Testing

@Suite struct PrintableTextTests {
    @Test func everyScalarThatHidesOrIsUnknownMakesBytesHex() {
        for scalar in (0...0x10ffff as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init) {
            let properties = scalar.properties
            let isHidden =
                switch properties.generalCategory {
                case .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
                case .control: scalar != "\n" && scalar != "\t"
                case .spaceSeparator: scalar != " "
                default: properties.isDefaultIgnorableCodePoint || scalar.value == 0x2800
                }
            let text = "a\(scalar)b"
            #expect(
                (String.printable(Array(text.utf8)) == nil) == isHidden,
                "U+\(String(scalar.value, radix: 16))")
        }
    }

    @Test(arguments: [0x34f, 0xfe0f, 0x3164, 0x115f, 0x2800, 0xe0101, 0x202e, 0xa0, 0x378, 0xe000])
    func theCharactersOfAnAttackMakeBytesHex(value: UInt32) throws {
        #expect(String.printable(Array("a\(try #require(Unicode.Scalar(value)))".utf8)) == nil)
    }

    @Test(arguments: ["0x", "0x00", "0x\u{301}", "0x\u{336}ff", "0x\u{300}\u{301}"])
    func textThatStartsLikeHexIsHexWhateverMarksFollow(text: String) {
        #expect(String.printable(Array(text.utf8)) == nil)
    }

    @Test func whatIsNoUTF8OrNothingIsHex() {
        #expect(String.printable([]) == nil)
        #expect(String.printable([0xc0, 0x80]) == nil)
        #expect(String.printable([0xed, 0xa0, 0x80]) == nil)
    }

    @Test func readableTextIsText() {
        for text in ["hello", "a\tb\nc", "Привет", "e\u{301}", "€ 5", "x0x", "0", " 0x00"] {
            #expect(String.printable(Array(text.utf8)).map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test func aNameIsOneLineWithoutBlanksAtItsEnds() {
        for text in ["Alice", "Ana Ivić", "Μαρία", "a b"] {
            #expect(String.printableLine(Array(text.utf8))?.utf8.elementsEqual(text.utf8) == true)
        }
        for text in ["", " a", "a ", " ", "a\tb", "a\nb", "0x12", "a\u{202e}b"] {
            #expect(String.printableLine(Array(text.utf8)) == nil)
        }
    }
}
