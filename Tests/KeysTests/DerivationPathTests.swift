import Hashing
import Keys
import Testing

@Suite struct DerivationPathTests {
    @Test(arguments: [
        ("//Alice", true, "14416c696365"), ("/soft", false, "10736f6674"),
        ("//0", true, "00"), ("//1", true, "01"), ("//256", true, "0001"), ("//007", true, "07"),
        ("//+5", true, "05"),
        ("//18446744073709551615", true, "ffffffffffffffff"),
        ("//18446744073709551616", true, "503138343436373434303733373039353531363136"),
        ("//0x01", true, "1030783031"), ("//1a", true, "083161"), ("//-1", true, "082d31"),
        ("//٣", true, "08d9a3"), ("//+", true, "042b"),
    ])
    func aJunctionIsANumberOrASCALEString(text: String, isHard: Bool, code: String) throws {
        let junction = try #require(DerivationPath(text).junctions.first)
        #expect(junction.isHard == isHard)
        #expect(junction.chainCode.count == 32)
        #expect(Hex.encode(junction.chainCode) == code + String(repeating: "0", count: 64 - code.utf8.count))
    }

    @Test func aLongJunctionIsHashed() throws {
        // 31 letters and their length fill 32 bytes exactly; one more does not fit.
        let fits = try #require(DerivationPath("//" + String(repeating: "x", count: 31)).junctions.first)
        #expect(fits.chainCode == [31 << 2] + [UInt8](repeating: 0x78, count: 31))
        let long = try #require(DerivationPath("//" + String(repeating: "x", count: 32)).junctions.first)
        #expect(long.chainCode == BLAKE2b.hash([32 << 2] + [UInt8](repeating: 0x78, count: 32)))
    }

    @Test func aPathIsReadAsItIsWritten() throws {
        for text in ["", "//a", "/a", "//a/b//c", "//polkadot//0", "//a b/ü🙂"] {
            #expect(try DerivationPath(text).description == text)
        }
    }

    @Test(arguments: [
        ("a", 0), ("/", 0), ("//", 0), ("//a/", 3), ("//a//", 3), ("///a", -1), ("//a///b", -1),
        ("//a////", -1),
    ])
    func emptyPartsAndPasswordsAreRefused(text: String, offset: Int) {
        let expected: DerivationPathError = offset < 0 ? .passwordInPath : .malformed(offset: offset)
        #expect(throws: expected) { try DerivationPath(text) }
    }

    @Test func junctionsThatPolkadotJSReadsOtherwiseAreKnown() throws {
        for text in ["//0x", "//0xAb", "//18446744073709551616", "//+5"] {
            #expect(try DerivationPath(text).junctions[0].differsInPolkadotJS, "\(text)")
        }
        for text in ["//0", "//Alice", "//0xyz", "//18446744073709551615", "//+a", "//-5"] {
            #expect(try !DerivationPath(text).junctions[0].differsInPolkadotJS, "\(text)")
        }
    }

    /// The Kelvin sign U+212A is canonically equivalent to `K`; another name gives another key.
    @Test func junctionsAreEqualByTheirBytes() throws {
        let (latin, kelvin) = (try DerivationPath("//K"), try DerivationPath("//\u{212a}"))
        #expect(
            latin.junctions[0].chainCode != kelvin.junctions[0].chainCode
                && latin.junctions != kelvin.junctions)
        #expect(
            Set([latin.junctions[0], kelvin.junctions[0], try DerivationPath("//K").junctions[0]]).count == 2)
        #expect(
            try latin.junctions == DerivationPath("//K").junctions
                && latin.junctions != DerivationPath("/K").junctions)
    }

    @Test func theNextPathFollowsTheHighestNumber() throws {
        let base = try DerivationPath("//polkadot")
        let paths = try [
            "//polkadot//0", "//polkadot//7", "//polkadot/9", "//kusama//12", "//polkadot//08",
            "//polkadot//7//20", "//polkadot//x",
        ]
        .map { try DerivationPath($0) }
        #expect(DerivationPath.next(after: [], base: base)?.description == "//polkadot//0")
        #expect(DerivationPath.next(after: paths, base: base)?.description == "//polkadot//8")
        #expect(DerivationPath.next(after: try [DerivationPath("//5")], base: .root)?.description == "//6")
        #expect(
            DerivationPath.next(after: try [DerivationPath("//18446744073709551615")], base: .root) == nil)
    }

    @Test func twoSpellingsOfOneLetterAreTwoPaths() throws {
        let composed = try DerivationPath("//\u{e9}")
        let decomposed = try DerivationPath("//e\u{301}")
        #expect(composed != decomposed)
        #expect(try DerivationPath("//\u{301}").junctions.count == 1)
    }
}
