import SubstratePrimitives
import Testing

@Suite struct ExactTextLaws {
    static let allScalars = (0...0x10ffff as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)

    /// What makes a comparison with most ASCII literals exact, and why `tools/dev laws` leaves out `K`, `;`
    /// and the grave accent.
    @Test func onlyThreeScalarsEqualASCIIWithoutBeingIt() {
        let ascii = Set((0...0x7f as ClosedRange<UInt8>).map { String(Unicode.Scalar($0)) })
        let others = Self.allScalars.filter { !$0.isASCII && ascii.contains(String($0)) }
        #expect(others.map(\.value).sorted() == [0x37e, 0x1fef, 0x212a])
        #expect(others.map { String($0) }.sorted() == [";", "K", "`"].sorted())
    }

    @Test func equivalentTextIsNotTheSameText() {
        for (one, other) in [
            ("KSM", "\u{212a}SM"), ("é", "e\u{301}"), (";", "\u{37e}"), ("Å", "\u{212b}"),
            ("한", "\u{1112}\u{1161}\u{11ab}"),
        ] {
            #expect(one == other)
            #expect(!one.utf8Equals(other) && !other.utf8Equals(one))
            #expect(!Optional(one).utf8Equals(other))
            #expect(![one].containsUTF8(of: other) && [one, other].containsUTF8(of: other))
            #expect(
                !"x\(one)".utf8Ends(with: other) && !"\(one)x".utf8Starts(with: other)
                    && !"x\(one)x".utf8Contains(other))
        }
        #expect("KSM".utf8Equals("KSM") && "xKSM".dropFirst().utf8Equals("KSM"))
        #expect(!"KSM".utf8Equals("KS") && !"KS".utf8Equals("KSM") && "".utf8Equals(""))
    }

    @Test func aMarkBehindAPrefixHidesNothing() {
        #expect(!"0x\u{301}ff".hasPrefix("0x"))
        #expect("0x\u{301}ff".utf8Starts(with: "0x"))
        #expect("//a///\u{301}b".utf8Contains("///"))
        #expect("a>".utf8Ends(with: ">") && !"a>\u{301}".utf8Ends(with: ">"))
        #expect(
            !"0".utf8Starts(with: "0x") && "0x".utf8Starts(with: "") && "0x".utf8Ends(with: "")
                && "".utf8Contains(""))
        #expect(
            "abcabd".utf8Contains("abd") && !"abcab".utf8Contains("abd") && "aab".utf8Contains("ab")
                && !"a".utf8Contains("aa"))
    }

    @Test func exactTextIsAKeyByItsBytes() {
        let (latin, kelvin): (ExactText, ExactText) = ("KSM", "\u{212a}SM")
        #expect(latin == ExactText("KSM") && latin != kelvin && latin.hashValue == ExactText("KSM").hashValue)
        #expect(Set([latin, kelvin, "KSM"]).count == 2)
        #expect([latin: 1, kelvin: 2][ExactText("\u{212a}SM")] == 2)
        #expect(Set([ExactText("é"), ExactText("e\u{301}")]).count == 2)
        switch kelvin {
        case "KSM": Issue.record("equivalent text is taken for the name")
        case "\u{212a}SM": break
        default: Issue.record("the text itself is not found")
        }
    }

    @Test func listsOfTextAreComparedInOrder() {
        #expect(["a", "K"].utf8ElementsEqual(["a", "K"]) && [String]().utf8ElementsEqual([String]()))
        #expect(
            !["a", "K"].utf8ElementsEqual(["a", "\u{212a}"]) && !["a", "K"].utf8ElementsEqual(["K", "a"]))
        #expect(!["a"].utf8ElementsEqual(["a", "b"]) && !["a", "b"].utf8ElementsEqual(["a"]))
    }

    @Test func parsedJSONIsEqualByItsBytes() throws {
        func value(_ text: String) throws -> StrictJSON.Value {
            try StrictJSON.parse(Array(text.utf8), depthLimit: 3)
        }
        for text in [#""K""#, #"["K"]"#, #"{"K":1}"#, #"{"a":["K"]}"#] {
            let other = text.replacing("K", with: "\u{212a}")
            #expect(try value(text) == value(text) && value(text) != value(other))
        }
        let different = [
            "null", "true", "false", "1", "2", #""1""#, "[1]", "[2]", #"{"a":1}"#, #"{"b":1}"#, #"{"a":2}"#,
        ]
        for (index, one) in different.enumerated() {
            for (place, other) in different.enumerated() {
                #expect(try (value(one) == value(other)) == (index == place))
            }
        }
    }

    @Test func absenceIsNoText() {
        let (none, empty, some): (String?, String?, String?) = (nil, "", "a")
        #expect(none.utf8Equals(none) && some.utf8Equals(some) && some.utf8Equals("a"))
        #expect(!none.utf8Equals(empty) && !empty.utf8Equals(none) && !some.utf8Equals(empty))
    }

    @Test func dataWithTextIsEqualByItsBytes() {
        let specs = NetworkSpecs(
            name: "kusama", title: "K", base58Prefix: 2, decimals: 12, unit: "KSM",
            genesisHash: Hash32.blake2b(of: []))
        for path in [\NetworkSpecs.name, \.title, \.unit, \.logo, \.color, \.secondaryColor, \.pathID] {
            var plain = specs
            var other = specs
            plain[keyPath: path] = "K"
            other[keyPath: path] = "\u{212a}"
            #expect(plain[keyPath: path] == other[keyPath: path] && plain != other)
        }
        #expect(specs == specs)
        #expect(
            RuntimeVersion(specName: "K", specVersion: 1)
                != RuntimeVersion(specName: "\u{212a}", specVersion: 1))
        #expect(
            RuntimeVersion(specName: "K", specVersion: 1) != RuntimeVersion(specName: "K", specVersion: 2))
        typealias Entry = AssetUnits.Entry
        let entry = Entry(pallet: "K", id: "1", symbol: "K", decimals: 2)
        #expect(entry == Entry(pallet: "K", id: "1", symbol: "K", decimals: 2))
        #expect(entry != Entry(pallet: "\u{212a}", id: "1", symbol: "K", decimals: 2))
        #expect(entry != Entry(pallet: nil, id: "1", symbol: "K", decimals: 2))
        #expect(entry != Entry(pallet: "K", id: "2", symbol: "K", decimals: 2))
        #expect(entry != Entry(pallet: "K", id: "1", symbol: "\u{212a}", decimals: 2))
        #expect(entry != Entry(pallet: "K", id: "1", symbol: "K", decimals: 3))
        #expect(
            SignatureScheme(name: "ed25519") == .ed25519 && SignatureScheme(name: "ed25519\u{301}") == nil)
    }

    @Test func anAssetIdIsHexByItsBytes() {
        for id in ["0x\u{301}00", "0\u{301}x00", "0x00\u{301}", "0\u{301}", "0x"] {
            #expect(
                AssetUnits(
                    genesisHash: Hash32.blake2b(of: []), serial: 1,
                    entries: [.init(pallet: "Assets", id: id, symbol: "A", decimals: 1)])
                    == nil)
        }
        for id in ["0x00", "0", "10"] {
            #expect(
                AssetUnits(
                    genesisHash: Hash32.blake2b(of: []), serial: 1,
                    entries: [.init(pallet: "Assets", id: id, symbol: "A", decimals: 1)])
                    != nil)
        }
    }
}
