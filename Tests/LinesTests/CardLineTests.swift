import Cards
import Lines
import SubstratePrimitives
import TestSupport
import Testing

@Suite struct CardLineTests {
    private static func message(_ value: String, isText: Bool) -> Card {
        Card(.message, value, facts: .message([], isText: isText))
    }

    @Test func textAndBytesAreTold() {
        #expect(CardLine(Card(.text, "hello")).line == #"text "hello""#)
        #expect(CardLine(Card(.bytes, "0x00ff")).line == "bytes 0x00ff")
        #expect(CardLine(Card(.text, "0xff00aa")).line == #"text "0xff00aa""#)
        #expect(CardLine(Self.message("0xff00aa", isText: true)).line == #"text "0xff00aa""#)
        #expect(CardLine(Self.message("0xff00aa", isText: false)).line == "bytes 0xff00aa")
        #expect(CardLine(Card(.text, #"a" bytes 0x00 "b"#)).line == #"text "a\" bytes 0x00 \"b""#)
    }

    @Test func aNameNeverPassesForAValue() {
        let address = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
        let kusama = "GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQYx"
        let values = [
            Card(.account, address), Card(.account, kusama),
            Card(.account, "0xE04CC55ebEE1cBCE552f250e85c57B70B2E2625b"),
            Card(.number, "5"),
            Card(.bool, "true"), Card(.bool, "false"), Card(.none, "None"), Card(.none, "()"),
            Card(.none, "[]"),
            Card(.balance, "100.000000000 mWND"), Card(.text, "x"), Card(.bytes, "0x00"), Card(.bits, "0b01"),
        ]
        for value in values {
            let line = CardLine(value).line
            for name in [line, value.value] {
                for kind in [Card.Kind.fieldName, .enumVariant, .pallet, .call, .identityField, .extension]
                where !(value.kind == .none && name == "None") {
                    #expect(CardLine(Card(kind, name)).line != line)
                }
            }
        }
        #expect(CardLine(Card(.enumVariant, "None")).line == "None")
        #expect(CardLine(Card(.none, "None")).line == "none")
    }

    @Test func anAddressInHexIsNotTheBytesOfAField() {
        let address = "0xE04CC55ebEE1cBCE552f250e85c57B70B2E2625b"
        #expect(CardLine(Card(.account, address)).line == "account \(address)")
        let field = CardLine(Card(.fieldName, "bytes")).line + " " + CardLine(Card(.account, address)).line
        #expect(field != CardLine(Card(.bytes, address)).line)
    }

    /// A stranger chooses the path of a key that signing derives, and of the derivations that he asks for.
    @Test func aPathReadsAsNothingElse() {
        func author(_ path: String) -> String {
            CardLine(
                Card(
                    .author, "main" + path,
                    facts: .signer(.init(.underived(.sr25519), address: nil, seed: "main", path: path)))
            ).line
        }
        func derivation(_ path: String) -> String {
            let key = Card.Derivation(
                path: path, address: nil, status: .new, scheme: .sr25519, network: "westend",
                genesis: GenesisHash([UInt8](repeating: 1, count: 32))!, seed: "main")
            let shown = path.isEmpty ? "(root)" : path
            return CardLine(
                Card(.derivation, shown + "  westend  sr25519: new", facts: .derivation(key))
            ).line
        }
        for path in ["", "//polkadot//0", "/a.b_c-1"] {
            #expect(author(path) == "main" + path)
            #expect(derivation(path) == (path.isEmpty ? "(root)" : path) + "  westend  sr25519: new")
        }
        #expect(author("//Alice ") == #"main"//Alice\u{20}""#)
        #expect(author("//cold, compared (15oF)") == #"main"//cold, compared (15oF)""#)
        #expect(derivation("//Alice ") == #""//Alice\u{20}"  westend  sr25519: new"#)
        #expect(derivation("//a: known") == #""//a: known"  westend  sr25519: new"#)
    }

    @Test func aUnitIsOneWord() {
        #expect(CardLine(Card(.balance, "1.5 DOT")).line == "1.5 DOT")
        #expect(
            CardLine(Card(.balance, "1.5 DOT to \"Bob\"")).line == #"1.5 DOT\u{20}to\u{20}\u{22}Bob\u{22}"#)
        #expect(CardLine(Card(.tip, "1.5 D\u{41e}T")).line == #"tip 1.5 D\u{41e}T"#)
        #expect(CardLine(Card(.balance, "5 ")).line == "5 (no unit)")
    }

    @Test func aRunOfNamesReadsInOneWay() {
        // Printed one after the other with a space between; a name holds no space.
        let parts = [
            "a", "b", "a b", "b \"c\"", "text", "bytes", "0x00", "text \"x\"", "é", "e\u{301}", "\u{212a}",
            "K",
        ]
        var seen: [[UInt8]: [String]] = [:]
        for first in parts {
            for second in parts {
                let line =
                    CardLine(Card(.fieldName, first)).line + " " + CardLine(Card(.enumVariant, second)).line
                if let other = seen.updateValue([first, second], forKey: Array(line.utf8)) {
                    Issue.record("\(other) and \([first, second]) print \(line)")
                }
            }
        }
    }

    /// Values as decoding makes them, with whatever an attacker chooses inside.
    private static func cards(_ generator: inout some RandomNumberGenerator) -> Card {
        let pieces = [
            "a", "K", "\u{212a}", ";", "\u{37e}", "é", "e\u{301}", "\"", "\\", "\\u{430}", "а", "я", " ", "0",
            "x", "text", "bytes", "0x",
            "none", "None", "true", "\n", "\u{34f}", "5Grw", ".",
        ]
        let text = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            pieces.randomElement(using: &generator)!
        }.joined()
        let hex = "0x" + ["", "00", "ff00aa"].randomElement(using: &generator)!
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: return Card(.text, text)
        case 1: return Card(.bytes, hex)
        case 2: return Card(.enumVariant, text)
        case 3: return Card(.balance, "\(Int.random(in: 0...2, using: &generator)).5 \(text)")
        case 4: return Card(.bool, Bool.random(using: &generator) ? "true" : "false")
        case 5: return Card(.number, "\(Int.random(in: 0...5, using: &generator))")
        case 6: return Card(.none, ["None", "()", "[]"].randomElement(using: &generator)!)
        case 7: return Card(.account, hex)
        default: return Card(.bits, "0b" + ["", "0", "01"].randomElement(using: &generator)!)
        }
    }

    @Test func twoDifferentValuesNeverPrintTheSameLine() {
        var generator = SeededGenerator.printed("card lines")
        var seen: [[UInt8]: Card] = [:]
        for _ in 0..<100_000 {
            let card = Self.cards(&generator)
            let line = Array(CardLine(card).line.utf8)
            if let other = seen[line] {
                #expect(
                    other.kind == card.kind && other.value.utf8.elementsEqual(card.value.utf8),
                    "\(other) and \(card)")
            } else {
                seen[line] = card
            }
        }
        #expect(seen.count > 5_000)
    }

    @Test func everyKindPrintsNothingThatATerminalObeys() {
        let text = "\u{1b}[31m\u{202e}\u{34f}\u{fe0f}а\nx"
        for kind in Card.Kind.allCases {
            for card in [Card(kind, text), Card(kind, text, facts: .message([], isText: true))] {
                let line = CardLine(card).line
                #expect(line.utf8.allSatisfy { (0x20...0x7e).contains($0) }, "\(kind)")
            }
        }
    }

    @Test func cardsAreEqualByTheirBytes() {
        #expect(Card(.text, "K") != Card(.text, "\u{212a}"))
        #expect(Card(.text, "é") != Card(.text, "e\u{301}"))
        #expect(Card(.call, "a", facts: .docs("é")) != Card(.call, "a", facts: .docs("e\u{301}")))
        #expect(Card(.call, "a", facts: .docs("c")) == Card(.call, "a", facts: .docs("c")))
        #expect(Card(.text, "a", indent: 1) != Card(.text, "a"))
        #expect(Card(.text, "a") != Card(.number, "a"))
        #expect(Card(.call, "a", facts: .docs("")) != Card(.call, "a"))
    }
}
