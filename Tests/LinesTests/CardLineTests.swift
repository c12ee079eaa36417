import Cards
import Lines
import SubstratePrimitives
import TestSupport
import Testing

@Suite struct CardLineTests {
    @Test func textAndBytesAreTold() {
        #expect(CardLine(Card(.text, "hello")).line == #"text "hello""#)
        #expect(CardLine(Card(.bytes, "0x00ff")).line == "bytes 0x00ff")
        #expect(CardLine(Card(.text, "0xff00aa")).line == #"text "0xff00aa""#)
        #expect(CardLine(Card(.message(.text("0xff00aa")))).line == #"text "0xff00aa""#)
        #expect(CardLine(Card(.message(.bytes([0xff, 0x00, 0xaa])))).line == "bytes 0xff00aa")
        #expect(CardLine(Card(.text, #"a" bytes 0x00 "b"#)).line == #"text "a\" bytes 0x00 \"b""#)
    }

    @Test func aNameNeverPassesForAValue() {
        let address = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
        let kusama = "HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F"
        let values = [
            Card(.account, address), Card(.account, kusama),
            Card(.account, "0xE04CC55ebEE1cBCE552f250e85c57B70B2E2625b"),
            Card(.number, "5"),
            Card(.bool, "true"), Card(.bool, "false"), Card(.none, "None"), Card(.none, "()"),
            Card(.none, "[]"),
            Card(.balance(.init(raw: 100_000_000_000, decimals: 12, unit: "WND"))), Card(.text, "x"),
            Card(.bytes, "0x00"), Card(.bits, "0b01"),
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
        let account = Card(.account, address)
        #expect(CardLine(account).line == "account \(address)")
        let field = CardLine(Card(.fieldName, "bytes")).line + " " + CardLine(account).line
        #expect(field != CardLine(Card(.bytes(account.account?.address.account ?? []))).line)
    }

    /// A stranger chooses the path of a key that signing derives, and of the derivations that he asks for.
    @Test func aPathReadsAsNothingElse() {
        func author(_ path: String) -> String {
            CardLine(
                Card(.signer(.init(.underived(.sr25519), address: nil, seed: "main", path: path)))
            ).line
        }
        func derivation(_ path: String) -> String {
            let key = Card.Derivation(
                path: path, address: nil, status: .new, scheme: .sr25519, network: "westend",
                genesis: GenesisHash([UInt8](repeating: 1, count: 32))!, seed: "main")
            return CardLine(Card(.derivation(key))).line
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
        func amount(_ raw: Planck, _ unit: String) -> Card.Amount { .init(raw: raw, decimals: 1, unit: unit) }
        #expect(CardLine(Card(.balance(amount(15, "DOT")))).line == "1.5 DOT")
        #expect(
            CardLine(Card(.balance(amount(15, "DOT to \"Bob\"")))).line
                == #"1.5 DOT\u{20}to\u{20}\u{22}Bob\u{22}"#)
        #expect(CardLine(Card(.tip(amount(15, "D\u{41e}T")))).line == #"tip 1.5 D\u{41e}T"#)
        #expect(CardLine(Card(.balance(amount(50, "")))).line == "5.0 (no unit)")
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
        let bytes: [UInt8] = [[], [0], [0xff, 0, 0xaa]].randomElement(using: &generator)!
        switch Int.random(in: 0..<9, using: &generator) {
        case 0: return Card(.text, text)
        case 1: return Card(.bytes(bytes))
        case 2: return Card(.enumVariant, text)
        case 3:
            let raw = Planck(UInt128.random(in: 0...2, using: &generator) * 10 + 5)
            return Card(.balance(.init(raw: raw, decimals: 1, unit: text)))
        case 4: return Card(.bool, Bool.random(using: &generator) ? "true" : "false")
        case 5: return Card(.number, "\(Int.random(in: 0...5, using: &generator))")
        case 6: return Card(.none, ["None", "()", "[]"].randomElement(using: &generator)!)
        case 7: return Card(.account(.init(AccountAddress(bytes, prefix: 42))))
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
        let text: ExactText = "\u{1b}[31m\u{202e}\u{34f}\u{fe0f}а\nx"
        let hash = GenesisHash.blake2b(of: [])
        let runtime = RuntimeVersion(specName: text.text, specVersion: 1)
        let contents: [Card.Content] = [
            .pallet(text), .call(text, docs: text), .fieldName(text), .fieldNumber(1),
            .enumVariant(.init(text)), .enumVariant(.init(text, unusual: .init(index: 1, path: text))),
            .account(.init(AccountAddress([1], prefix: 42))),
            .balance(.init(raw: 15, decimals: 1, unit: text.text)),
            .tip(.init(raw: 15, decimals: 1, unit: text.text)), .number(.integer(text)), .text(text),
            .bytes([0x1b]), .bits(.digits([true])), .bits(.names([text])), .bool(true), .none(.unit),
            .none(.variant(text)), .identityField(text, docs: text), .era(.immortal),
            .era(.mortal(MortalEra(period: 64, phase: 0)!)), .nonce(1), .blockHash(hash), .genesisHash(hash),
            .specVersion(runtime, shownName: nil), .specVersion(runtime, shownName: text), .txVersion(1),
            .metadataHash(nil), .extension(text),
            .signer(.init(.key, address: text.text)), .signer(.init(.stranger, address: text.text)),
            .signer(.init(.underived(.sr25519), address: nil, seed: text.text, path: text.text)),
            .warning(.unknownNetwork(text, isKnownName: true)), .verifier(nil),
            .metadata(runtime, hash: hash, length: 1), .types(hash: hash, length: 1),
            .newSpecs(
                NetworkSpecs(
                    name: text.text, title: text.text, base58Prefix: 42, decimals: 1, unit: text.text,
                    genesisHash: hash)), .network(name: text, hash),
            .derivation(
                .init(
                    path: text.text, address: text.text, status: .new, scheme: .sr25519, network: text.text,
                    genesis: hash, seed: nil)),
            .message(.text(text)), .message(.bytes([0x1b])), .notice(.location(text, accounts: []), nil),
        ]
        #expect(Set(contents.map { Card($0).kind }) == Set(Card.Kind.allCases))
        for content in contents {
            let line = CardLine(Card(content)).line
            #expect(line.utf8.allSatisfy { (0x20...0x7e).contains($0) }, "\(content)")
        }
    }

    @Test func cardsAreEqualByTheirBytes() {
        #expect(Card(.text, "K") != Card(.text, "\u{212a}"))
        #expect(Card(.text, "é") != Card(.text, "e\u{301}"))
        #expect(Card(.call("a", docs: "é")) != Card(.call("a", docs: "e\u{301}")))
        #expect(Card(.call("a", docs: "c")) == Card(.call("a", docs: "c")))
        #expect(Card(.text, "a", indent: 1) != Card(.text, "a"))
        #expect(Card(.text, "a") != Card(.number, "a"))
        #expect(Card(.text("a", isBytes: true)) != Card(.text("a")))
    }
}
