import Foundation
import Lines
import SubstratePrimitives
import TestSupport
import Testing

@Suite struct EscapeTests {
    static let allScalars = (0...0x10ffff as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)

    /// What `\\`, `\n`, `\t`, `\"`, `\u{hex}` and `\u{hex*count}` stand for; nil for any other backslash.
    static func decoded(_ text: some StringProtocol) -> String? {
        var scalars = String.UnicodeScalarView()
        var rest = Substring(text).unicodeScalars
        while let first = rest.popFirst() {
            guard first == "\\" else {
                scalars.append(first)
                continue
            }
            switch rest.popFirst() {
            case "\\": scalars.append("\\")
            case "\"": scalars.append("\"")
            case "n": scalars.append("\n")
            case "t": scalars.append("\t")
            case "u":
                guard rest.popFirst() == "{", let end = rest.firstIndex(of: "}") else { return nil }
                let parts = String(rest[..<end]).split(separator: "*", omittingEmptySubsequences: false)
                guard let value = UInt32(parts[0], radix: 16), let scalar = Unicode.Scalar(value),
                    parts.count <= 2,
                    let count = parts.count == 2 ? Int(parts[1]) : 1
                else { return nil }
                scalars.append(contentsOf: repeatElement(scalar, count: count))
                rest = rest[rest.index(after: end)...]
            default: return nil
            }
        }
        return String(scalars)
    }

    static let forms: [(String, @Sendable (String) -> String)] = [
        ("terminal", Escape.terminal), ("quoted", Escape.quoted), ("ascii", Escape.ascii),
        ("unit", Escape.unit), ("name", Escape.name), ("path", Escape.path),
    ]

    /// The body of `\u{…}` is ASCII, so what is left beyond ASCII was printed as it came.
    static func raw(_ printed: String) -> [Unicode.Scalar] {
        printed.unicodeScalars.filter { $0.value > 0x7e || $0.value < 0x20 }
    }

    @Test func nothingButLettersOfTheListedScriptsReachesTheTerminalRaw() {
        var kept = 0
        for scalar in Self.allScalars {
            // Alone, and beside a letter of each script that could carry it.
            for text in ["a\(scalar) \(scalar)", "Я\(scalar)", "Ω\(scalar)", "漢\(scalar)"] {
                for shown in Self.raw(Escape.terminal(text)) where shown == scalar {
                    kept += 1
                    let properties = scalar.properties
                    let category = properties.generalCategory
                    let isLetter = [.uppercaseLetter, .lowercaseLetter, .otherLetter, .modifierLetter]
                        .contains(category)
                    #expect(
                        isLetter || (0x3001...0x300d).contains(scalar.value),
                        "U+\(String(scalar.value, radix: 16)) is \(category)")
                    #expect(
                        !properties.isDefaultIgnorableCodePoint && !properties.isBidiControl
                            && !properties.isBidiMirrored || scalar == "「"
                            || scalar == "」")
                    #expect(properties.canonicalCombiningClass == .notReordered)
                    #expect(properties.numericType == nil || scalar.value >= 0x3400)
                    // Full-width, mathematical, circled, ligature and superscript letters decompose to
                    // others.
                    let folded = String(scalar).precomposedStringWithCompatibilityMapping
                    #expect(
                        folded.unicodeScalars.elementsEqual([scalar]),
                        "U+\(String(scalar.value, radix: 16)) decomposes")
                }
            }
        }
        #expect(kept > 100_000)
    }

    @Test(arguments: [
        0x34f, 0xfe0f, 0x3164, 0x115f, 0x1160, 0xffa0, 0x2800, 0xe0101, 0x336, 0x20d2, 0x20dd, 0x488, 0xa0,
        0x2003, 0x3000, 0x202e, 0x2066,
        0x200b,
        0x200d, 0xad, 0xfeff, 0x7f, 0x9b, 0x85, 0x2028, 0x2029, 0xe000, 0x378, 0xfffe, 0x1d173, 0x180e, 0x61c,
        0xfffc, 0xe0041,
    ])
    func whatHidesOrReordersIsEscapedInEveryForm(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        for (name, form) in Self.forms {
            for text in ["\(scalar)", "a\(scalar)", "да\(scalar)", "漢\(scalar)字"] {
                #expect(
                    !form(text).unicodeScalars.contains(scalar),
                    "\(name) prints U+\(String(value, radix: 16))")
            }
        }
        #expect(!Escape.json("{\"a\":\"\(scalar)\"}").unicodeScalars.contains(scalar))
    }

    /// Single characters that `confusables.txt` of UTS #39 maps to one character of ASCII, a few of each
    /// block.
    static let confusables = Array(
        """
        аеорсухіјѕһԁԛԝӏ АВСЕНІЈКМОРЅТХ бгЬьЗ ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ αγινορστυ ÆæŒœıĳŉſɑɡɩʏᴄᴏᴠᴡᴢƽȷ ℊℎℓℕℙℝ ⅼⅽⅾⅿⅰⅴⅹ ａｂｃＡＢＣ０１ 𝐚𝑎𝒂𝓪𝔞𝕒𝖺𝗮𝘢𝙖𝚊𝟎𝟘 օսոցհ ᎪᎬᎻᎫᏦ ⲟⲣⲥ ꓐꓑꓒ ߀ ०০੦ ٠ ۰ ⁄∕∖∣⧵‚‘’“”′″‐‑‒–—−․‥…‹›〈〉⟨⟩＂＇；： 丶丿ノ
        """.unicodeScalars
    ).filter { $0.value > 0x7f }

    @Test func aLookAlikeNeverStandsAloneBesideAsciiOrAmongItsLikesAlone() {
        for scalar in Self.confusables {
            for text in [
                "\(scalar)", "\(scalar)\(scalar)", "a\(scalar)", "\(scalar)9", "x \(scalar) y",
                "\"\(scalar)\"", "0x\(scalar)",
                "ü\(scalar)",
            ] {
                for (name, form) in Self.forms {
                    let shown = form(text).unicodeScalars.contains(scalar)
                    #expect(!shown, "\(name) prints U+\(String(scalar.value, radix: 16)) of \(text)")
                }
            }
        }
        #expect(Escape.terminal("рау") == "\\u{440}\\u{430}\\u{443}")
        #expect(Escape.terminal("раypal") == "\\u{440}\\u{430}ypal")
        #expect(Escape.terminal("Яа Яαа ЯаO") == "Яа Я\\u{3b1}\\u{430} Я\\u{430}O")
    }

    @Test func wordsOfOneScriptStayReadable() {
        for text in ["Привет, мир!", "für Zoë, naïve façade", "Λόγος", "付款给鲍勃。", "ありがとう", "안녕하세요", "Żółw"] {
            #expect(Escape.terminal(text) == text)
        }
        // A letter and its mark as two scalars: marks are never printed.
        #expect(Escape.terminal("u\u{308}") == "u\\u{308}")
    }

    @Test func noLetterOutsideTheLettersOfOneWordDecidesForIt() {
        // Punctuation of ASCII parts words: the distinct letter behind the point says nothing of those before
        // it.
        #expect(Escape.terminal("рау.я") == "\\u{440}\\u{430}\\u{443}.я")
        #expect(Escape.terminal("рау\u{200b}я") == "\\u{440}\\u{430}\\u{443}\\u{200b}я")
    }

    @Test func namesAndUnitsAreAscii() {
        for scalar in Self.allScalars {
            for printed in [
                Escape.name("a\(scalar)Я"), Escape.unit("a\(scalar)Я"), Escape.ascii("a\(scalar)Я"),
                Escape.json("a\(scalar)Я"),
            ] {
                #expect(
                    printed.utf8.allSatisfy { (0x20...0x7e).contains($0) || $0 == 0x0a },
                    "U+\(String(scalar.value, radix: 16))")
            }
            let name = Escape.name("\(scalar)")
            #expect(!name.utf8.contains(UInt8(ascii: " ")) && !name.utf8.contains(UInt8(ascii: "\"")))
        }
        #expect(Escape.name("transfer_keep_alive") == "transfer_keep_alive")
        #expect(Escape.name("dest Id") == "dest\\u{20}Id")
        #expect(Escape.name("5") == "\\u{35}")
        #expect(Escape.name("true") == "\\u{74}rue")
        #expect(
            Escape.name("GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY")
                != "GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY")
        #expect(Escape.unit("USDC.e") == "USDC.e")
        #expect(Escape.unit("D T") == "D\\u{20}T")
    }

    @Test func everyFormIsReadBackExactly() throws {
        var generator = SeededGenerator.printed("escaped text")
        let pool: [Unicode.Scalar] =
            Array("aZ09_ \\\"\n\t{}uх0я漢ー\u{301}\u{336}\u{34f}\u{202e}Kü".unicodeScalars) + [
                Unicode.Scalar(0x212a)!, Unicode.Scalar(0x37e)!,
            ]
        for _ in 0..<20_000 {
            var view = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...12, using: &generator) {
                let isChosen = Int.random(in: 0..<4, using: &generator) > 0
                let scalar = (isChosen ? pool : Self.allScalars).randomElement(using: &generator)!
                let isRun = Int.random(in: 0..<8, using: &generator) == 0
                view.append(
                    contentsOf: repeatElement(
                        scalar, count: isRun ? Int.random(in: 2...20, using: &generator) : 1))
            }
            let text = String(view)
            for (name, form) in Self.forms {
                let printed = form(text)
                let isQuoted = name == "quoted" || name == "path" && printed.utf8Starts(with: "\"")
                let inner = isQuoted ? String(printed.unicodeScalars.dropFirst().dropLast()) : printed
                let back = try #require(Self.decoded(inner), "\(name): \(printed)")
                #expect(back.utf8.elementsEqual(text.utf8), "\(name): \(printed)")
            }
        }
    }

    @Test func aQuotedTextEndsWhereItSays() {
        for scalar in Self.allScalars {
            let printed = Array(Escape.quoted("\(scalar)\"\\\(scalar)").utf8)
            // The first quote that no backslash escapes is the last byte.
            var place = 1
            while printed[place] != UInt8(ascii: "\"") {
                place += printed[place] == UInt8(ascii: "\\") ? 2 : 1
            }
            #expect(place == printed.count - 1)
        }
        #expect(Escape.quoted("a   b") == "\"a \\u{20}\\u{20}b\"")
    }

    /// What a wallet writes is printed as it is, and whatever could read on as the program's words in quotes.
    @Test func aPathIsQuotedWhereAJunctionIsNoPlainName() {
        for path in [
            "", "/soft/0", "//polkadot//0", "//Alice", "//a.b_c-D//0x12", "//00//18446744073709551616",
        ] {
            #expect(Escape.path(path) == path)
        }
        for path in [
            "//Alice ", "// ", "//a b", "//cold, derived and compared on 2026-11-20 (15oF)", "//a:",
            "//(root)",
            "(root)", "//a\"b", "//a\\b", "//a\nb", "//Привет", "//\u{430}lice", " //a",
        ] {
            let printed = Escape.path(path)
            #expect(
                printed.utf8.first == UInt8(ascii: "\"") && printed.utf8.last == UInt8(ascii: "\""), "\(path)"
            )
            // No blank stands before the last quote, and nothing that it ends is inside.
            #expect(!printed.utf8.dropLast().suffix(1).elementsEqual(" ".utf8))
            #expect(Self.decoded(String(printed.unicodeScalars.dropFirst().dropLast())) == path)
        }
        for path in ["bip32:m", "ledger:m/44'/354'/0'"] { #expect(Escape.path(path) == path) }
        for path in ["ledger:m/x", ":m/0", "ledger: m/0", "Ledger:m", "ledger:m/0'\u{2019}"] {
            #expect(Escape.path(path) != path)
        }
        #expect(Escape.path("//Alice ") == #""//Alice\u{20}""#)
        #expect(Escape.path("//a  ") == #""//a \u{20}""#)
    }

    @Test func aLongRunOfWhatCannotBeSeenTakesOneWord() {
        let blanks = String(repeating: " ", count: 30_000)
        #expect(Escape.quoted("a" + blanks + "b") == "\"a \\u{20*29999}b\"")
        #expect(Escape.quoted("a" + String(repeating: "\n", count: 9) + "b") == "\"a\\u{a*9}b\"")
        #expect(
            Escape.quoted(String(repeating: "\n", count: 8)) == "\"\(String(repeating: "\\n", count: 8))\"")
        #expect(Escape.ascii(String(repeating: "\u{200b}", count: 100)) == "\\u{200b*100}")
        // What a sender writes himself is no count: his backslash is escaped.
        #expect(Escape.quoted("\\u{20*9}") == "\"\\\\u{20*9}\"")
        #expect(
            Escape.quoted(String(repeating: "\\", count: 9)) == "\"\(String(repeating: "\\\\", count: 9))\"")
    }

    @Test func jsonSaysTheSame() throws {
        let chunk = 0x1000
        for start in stride(from: 0, to: Self.allScalars.count, by: chunk) {
            let text = String(
                String.UnicodeScalarView(Self.allScalars[start..<min(start + chunk, Self.allScalars.count)]))
            let document = String(decoding: try JSONEncoder().encode([text]), as: UTF8.self)
            let back = try JSONDecoder().decode([String].self, from: Data(Escape.json(document).utf8))
            #expect(back.count == 1 && back[0].utf8.elementsEqual(text.utf8))
        }
    }

    @Test func aLongTextTakesTimeInProportion() {
        for unit in ["а", "\u{301}", "\"", "Я", " ", "漢a"] {
            let text = String(repeating: unit, count: 1 << 20)
            let took = ContinuousClock().measure { _ = Escape.quoted(text) }
            #expect(took < .seconds(20), "\(unit)")
        }
    }
}
