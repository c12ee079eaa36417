import Hashing
import SubstratePrimitives
import TestSupport
import Testing

@testable import Review

/// The rule of look-alikes, against addresses that were made to fit.
@Suite struct LookAlikeLaws {
    static let prefixes: [UInt16] = [0, 2, 42, 63, 64, 1284, 16383]

    /// The characters that thousands of random addresses of a prefix share, found without the rule.
    static func sharedByAll(_ prefix: UInt16, _ generator: inout SeededGenerator) -> Int {
        let texts = (0..<2000).map { _ in Array(SS58Address(prefix: prefix, account: generator.bytes(32))!.text.utf8) }
        return (0..<40).prefix { index in texts.allSatisfy { $0[index] == texts[0][index] } }.count
    }

    @Test(arguments: prefixes)
    func `what every address of a prefix shares is not counted`(prefix: UInt16) throws {
        var generator = SeededGenerator(seed: UInt64(prefix))
        let form = try #require(LookAlike.Form(accountLength: 32, prefix: prefix))
        // No character that is counted as shared is one that differs.
        #expect(form.shared <= Self.sharedByAll(prefix, &generator))
        if prefix == 0 || prefix == 42 { #expect(form.shared == 1) }
    }

    /// An account whose address has the first characters of another one's, by its first bytes, and its last ones, by trying.
    static func grind(_ account: [UInt8], bytes: Int, end: Int, prefix: UInt16, _ generator: inout SeededGenerator) -> [UInt8] {
        let wanted = SS58Address(prefix: prefix, account: account)!.text.utf8.suffix(end)
        while true {
            let made = Array(account.prefix(bytes)) + generator.bytes(32 - bytes)
            if SS58Address(prefix: prefix, account: made)!.text.utf8.suffix(end).elementsEqual(wanted), made != account { return made }
        }
    }

    /// The rule, written once more with strings.
    static func isAlike(_ one: String, _ other: String, shared: Int, end: Int, sum: Int) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one != other else { return false }
        var (start, tail) = (0, 0)
        while start < min(one.count, other.count), one[start] == other[start] { start += 1 }
        while tail < min(one.count, other.count), one[one.count - 1 - tail] == other[other.count - 1 - tail] { tail += 1 }
        return start - shared >= end && tail >= end && start - shared + tail >= sum
    }

    @Test(arguments: [UInt16(0), 42, 1284])
    func `addresses that were made to fit are found exactly where the rule says so`(prefix: UInt16) throws {
        var generator = SeededGenerator(seed: 7 + UInt64(prefix))
        let shared = try #require(LookAlike.Form(accountLength: 32, prefix: prefix)).shared
        var found = [false: 0, true: 0]
        for bytes in 0...6 {
            for end in 0...2 {
                for _ in 0..<3 {
                    let account = generator.bytes(32)
                    let made = Self.grind(account, bytes: bytes, end: end, prefix: prefix, &generator)
                    let texts = [made, account].map { SS58Address(prefix: prefix, account: $0)!.text }
                    let expected = Self.isAlike(texts[0], texts[1], shared: shared, end: 2, sum: 6)
                    let alike = LookAlike(made, resembling: account, prefix: prefix)
                    #expect((alike != nil) == expected, "\(texts)")
                    found[expected]! += 1
                    guard let alike else { continue }
                    try Self.check(alike, texts[0], texts[1])
                    let form = try #require(LookAlike.Form(accountLength: 32, prefix: prefix))
                    #expect(LookAlike.ends(made, prefix: prefix, form) == LookAlike.ends(account, prefix: prefix, form))
                }
            }
        }
        #expect(found[true]! > 5 && found[false]! > 5)
    }

    /// The word stands in the destination, holds a character that differs, and is not in the other address at that place.
    static func check(_ alike: LookAlike, _ text: String, _ other: String) throws {
        let (text, other, word) = (Array(text.utf8), Array(other.utf8), Array(alike.word.utf8))
        #expect(word.count == 6)
        let place = try #require((0...text.count - 6).first { Array(text[$0..<$0 + 6]) == word })
        #expect(place + 6 > other.count || Array(other[place..<place + 6]) != word)
        let marked = Array(alike.markedText.utf8).filter { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") }
        #expect(marked == text)
    }

    @Test func `0x is compared without case, three characters at each end and eight in all`() throws {
        var generator = SeededGenerator(seed: 20)
        var found = 0
        for start in 0...8 {
            for end in 0...8 {
                let account = generator.bytes(20)
                let text = Array(Hex.encode(account).utf8)
                // A digit that is not the other's stands between the equal ends.
                func other(_ digit: UInt8) -> UInt8 { digit == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0") }
                let middle = text[start..<40 - end].map(other)
                let made = try #require(Hex.decode(String(decoding: text[..<start] + middle + text[(40 - end)...], as: UTF8.self)))
                let alike = LookAlike(made, resembling: account, prefix: 42)
                #expect((alike != nil) == (start >= 3 && end >= 3 && start + end >= 8), "\(start) \(end)")
                if let alike {
                    found += 1
                    try Self.check(alike, "0x" + Hex.encode(made), "0x" + Hex.encode(account))
                }
            }
        }
        #expect(found == 33)
    }

    @Test func `an address is not like itself, and not like one of another form`() {
        let account = [UInt8](repeating: 7, count: 32)
        #expect(LookAlike(account, resembling: account, prefix: 42) == nil)
        #expect(LookAlike(account, resembling: [UInt8](repeating: 7, count: 20), prefix: 42) == nil)
        #expect(LookAlike([UInt8](repeating: 7, count: 33), resembling: [UInt8](repeating: 8, count: 33), prefix: 42) == nil)
    }

    /// Where only one character differs, the word goes there.
    @Test(arguments: [2, 5, 20, 36, 41])
    func `the word holds a character that differs, wherever it is`(place: Int) {
        let other = String(repeating: "a", count: 42)
        var bytes = Array(other.utf8)
        bytes[place] = UInt8(ascii: "b")
        let text = String(decoding: bytes, as: UTF8.self)
        let alike = LookAlike(text: text, other: other, start: place, end: 41 - place)
        #expect(alike.word.utf8.count == 6 && alike.word.utf8.contains(UInt8(ascii: "b")))
    }
}

@Suite struct UTCDateTests {
    @Test(
        arguments: [
            (0, "1970-01-01 UTC"), (951_782_400, "2000-02-29 UTC"), (951_868_800, "2000-03-01 UTC"), (1_704_067_199, "2023-12-31 UTC"),
            (4_107_542_400, "2100-03-01 UTC"), (253_402_300_799, "9999-12-31 UTC"), (253_402_300_800, "after 9999-12-31 UTC"),
        ] as [(UInt64, String)])
    func `days are those of the calendar`(seconds: UInt64, text: String) { #expect(UTCDate.day(seconds).utf8Equals(text)) }

    @Test func `minutes and seconds are those of the clock`() {
        #expect(UTCDate.minute(1_704_067_199).utf8Equals("2023-12-31 23:59 UTC"))
        #expect(UTCDate.second(1_704_067_199).utf8Equals("2023-12-31 23:59:59 UTC"))
        // A claimed time may be any number; its year has four digits or is not printed.
        for seconds in [253_402_300_800, 67_768_036_191_676_799, UInt64.max] {
            #expect(UTCDate.second(seconds).utf8Equals("after 9999-12-31 UTC"))
        }
    }
}
