import Cards
import Foundation
import Hashing
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore

@testable import History

/// The rule of look-alikes, against addresses that were made to fit.
@Suite struct LookAlikeLaws {
    static let prefixes: [UInt16] = [0, 2, 42, 63, 64, 1284, 16383]

    /// The first characters that many random addresses have in common, found without the rule.
    static func sharedByAll(_ prefix: UInt16, _ generator: inout SeededGenerator) -> Int {
        let texts = (0..<2000).map { _ in
            Array(SS58Address(prefix: prefix, account: generator.bytes(32))!.text.utf8)
        }
        return (0..<40).prefix { index in texts.allSatisfy { $0[index] == texts[0][index] } }.count
    }

    @Test(arguments: prefixes)
    func `what every address of a prefix shares is not counted, and little more`(prefix: UInt16) throws {
        var generator = SeededGenerator(seed: UInt64(prefix))
        let form = try #require(LookAlike.Form(prefix: prefix))
        let all = Self.sharedByAll(prefix, &generator)
        #expect(form.shared >= all && form.shared <= all + 2)
        if prefix == 0 || prefix == 42 { #expect(form.shared == 1) }
    }

    /// Of 64 samples 16 with the likeliest next character are a quarter; by 13 to 16 the rule is told from
    /// that of a fifth.
    @Test func `a character counts where the likeliest one has no more than a quarter`() {
        let found = [10, 30, 156, 326].map { LookAlike.Form(prefix: $0)?.shared }
        #expect(found == [1, 1, 2, 2])
    }

    /// An account whose address has the first characters of another one's, by its first bytes, and its last
    /// ones, by trying.
    static func grind(
        _ account: [UInt8], bytes: Int, end: Int, prefix: UInt16, _ generator: inout SeededGenerator
    ) -> [UInt8] {
        let wanted = SS58Address(prefix: prefix, account: account)!.text.utf8.suffix(end)
        while true {
            let made = Array(account.prefix(bytes)) + generator.bytes(32 - bytes)
            if SS58Address(prefix: prefix, account: made)!.text.utf8.suffix(end).elementsEqual(wanted),
                made != account
            {
                return made
            }
        }
    }

    /// The rule, written once more with strings.
    static func isAlike(_ one: String, _ other: String, shared: Int, alone: Int, end: Int, sum: Int) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one != other else { return false }
        var (start, tail) = (0, 0)
        while start < min(one.count, other.count), one[start] == other[start] { start += 1 }
        while tail < min(one.count, other.count), one[one.count - 1 - tail] == other[other.count - 1 - tail] {
            tail += 1
        }
        let first = start - shared
        return first >= alone || tail >= alone || first >= end && tail >= end && first + tail >= sum
    }

    private static func texts(_ account: [UInt8], _ prefix: UInt16) -> String {
        SS58Address(prefix: prefix, account: account)!.text
    }

    @Test(arguments: [UInt16(0), 42, 1284])
    func `addresses that were made to fit are found exactly where the rule says so`(prefix: UInt16) throws {
        var generator = SeededGenerator(seed: 7 + UInt64(prefix))
        let forms = LookAlike.forms(prefix: prefix)
        var found = [false: 0, true: 0]
        for bytes in 0...6 {
            for end in 0...2 {
                for _ in 0..<3 {
                    let account = generator.bytes(32)
                    let made = Self.grind(account, bytes: bytes, end: end, prefix: prefix, &generator)
                    let alikeIn = forms.compactMap(\.prefix).first { form in
                        Self.isAlike(
                            Self.texts(made, form), Self.texts(account, form),
                            shared: LookAlike.Form(prefix: form)!.shared, alone: 4,
                            end: 2, sum: 6)
                    }
                    let alike = LookAlike(made, resembling: account, forms: forms)
                    #expect(
                        (alike != nil) == (alikeIn != nil),
                        "\(Self.texts(made, prefix)) \(Self.texts(account, prefix))")
                    found[alikeIn != nil]! += 1
                    guard let alike, let form = alikeIn else { continue }
                    try Self.check(alike, Self.texts(made, form), Self.texts(account, form))
                    let other = form == prefix ? nil : Self.texts(made, prefix)
                    #expect(alike.shown == other.map { ExactText($0) })
                    let keys = [made, account].map { account in Set(forms.flatMap { $0.keys(account) }) }
                    #expect(!keys[0].isDisjoint(with: keys[1]))
                }
            }
        }
        #expect(found[true]! > 5 && found[false]! > 5)
    }

    /// What a hurried person reads is one end, so what stands at the other is no excuse.
    @Test func `four characters that vary at the start are enough, three are not, and so at the end`() throws
    {
        var generator = SeededGenerator(seed: 11)
        let account = generator.bytes(32)
        let text = Array(Self.texts(account, 42).utf8)
        let forms = LookAlike.forms(prefix: 42)
        for (start, end) in [(4, 0), (3, 0), (0, 4), (0, 3), (38, 1), (3, 2), (3, 3), (1, 4)] {
            let made = text.indices.map { index in
                index < 1 + start || index >= text.count - end
                    ? text[index] : text[index] == UInt8(ascii: "x") ? UInt8(ascii: "y") : UInt8(ascii: "x")
            }
            let form = try #require(LookAlike.Form(prefix: 42))
            let (text, other) = (String(decoding: made, as: UTF8.self), String(decoding: text, as: UTF8.self))
            let isAlike = Self.isAlike(text, other, shared: 1, alone: 4, end: 2, sum: 6)
            #expect(isAlike == (start >= 4 || end >= 4 || start + end >= 6), "\(start) \(end)")
            #expect(form.isAlike(text, other) == isAlike, "\(start) \(end)")
        }
        #expect(forms.compactMap(\.prefix) == [42])
    }

    /// Bytes of the start are free for whoever makes keys, and with them up to 38 characters.
    @Test func `many equal characters at the start with one at the end are alike`() throws {
        var generator = SeededGenerator(seed: 12)
        let account = generator.bytes(32)
        let made = Self.grind(account, bytes: 28, end: 1, prefix: 0, &generator)
        let alike = try #require(LookAlike(made, resembling: account, forms: LookAlike.forms(prefix: 0)))
        #expect(alike.start >= 37 && alike.part.utf8Equals(alike.end == 0 ? "start is" : "ends are"))
    }

    /// Another wallet may show the generic form, so an address that was made to fit there counts.
    @Test func `an address whose generic form was made to fit is alike, and the warning has both texts`()
        throws
    {
        var generator = SeededGenerator(seed: 13)
        let account = generator.bytes(32)
        // The last three characters take some 200,000 tries; two and two at the start are the same rule.
        let wanted = Self.texts(account, 42)
        while true {
            let made = Array(account.prefix(2)) + generator.bytes(30)
            let isGeneric = Self.isAlike(Self.texts(made, 42), wanted, shared: 1, alone: 4, end: 2, sum: 6)
            let isOwn = Self.isAlike(
                Self.texts(made, 1284), Self.texts(account, 1284),
                shared: LookAlike.Form(prefix: 1284)!.shared, alone: 4, end: 2, sum: 6)
            guard isGeneric, !isOwn else { continue }
            guard let alike = LookAlike(made, resembling: account, forms: LookAlike.forms(prefix: 1284))
            else {
                Issue.record("\(Self.texts(made, 42)) \(wanted)")
                return
            }
            #expect(
                alike.text == ExactText(Self.texts(made, 42))
                    && alike.shown == ExactText(Self.texts(made, 1284)))
            #expect(
                Resemblance(found: alike, name: "x").sentence.utf8Contains(
                    ", here \(Self.texts(made, 1284)), is NOT "))
            return
        }
    }

    /// Strangers beside 1,000 known accounts; `HELIOGRAPH_STRANGERS` says how many, 4,000 otherwise.
    @Test(arguments: [UInt16(0), 42, 1489])
    func `one in two hundred strangers raises the alarm beside 1000 known accounts, at most`(prefix: UInt16)
        throws
    {
        var generator = SeededGenerator(seed: 14 + UInt64(prefix))
        let forms = LookAlike.forms(prefix: prefix)
        let entries = (0..<1000).map { _ in KnownAccounts.Entry(account: generator.bytes(32), name: "known") }
        let known = KnownAccounts(TrustState(), network: nil, forms: forms).adding(entries, forms: forms)
        let strangers =
            ProcessInfo.processInfo.environment["HELIOGRAPH_STRANGERS"].flatMap { Int($0) } ?? 4000
        let alarms = (0..<strangers).count { _ in
            known.lookAlike(of: generator.bytes(32), forms, HistoryRows()) != nil
        }
        if strangers > 4000 { print("prefix \(prefix): \(alarms) of \(strangers) strangers raise the alarm") }
        #expect(alarms * 200 <= strangers, "\(alarms) of \(strangers)")
    }

    /// The word stands in the destination, holds a character that differs, and is not in the other address at
    /// that place.
    static func check(_ alike: LookAlike, _ text: String, _ other: String) throws {
        let (text, other, word) = (Array(text.utf8), Array(other.utf8), Array(alike.word.utf8))
        #expect(word.count == 6)
        let place = try #require((0...text.count - 6).first { Array(text[$0..<$0 + 6]) == word })
        #expect(place + 6 > other.count || Array(other[place..<place + 6]) != word)
        let marked = Array(alike.markedText.utf8).filter {
            $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]")
        }
        #expect(marked == text)
    }

    @Test func `0x is compared without case, six characters at one end, or three at each and eight in all`()
        throws
    {
        var generator = SeededGenerator(seed: 20)
        var found = 0
        for start in 0...8 {
            for end in 0...8 {
                let account = generator.bytes(20)
                let text = Array(Hex.encode(account).utf8)
                // A digit that is not the other's stands between the equal ends.
                func other(_ digit: UInt8) -> UInt8 {
                    digit == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
                }
                let middle = text[start..<40 - end].map(other)
                let made = try #require(
                    Hex.decode(String(decoding: text[..<start] + middle + text[(40 - end)...], as: UTF8.self))
                )
                let alike = LookAlike(made, resembling: account, forms: LookAlike.forms(prefix: 42))
                #expect(
                    (alike != nil) == (start >= 6 || end >= 6 || start >= 3 && end >= 3 && start + end >= 8),
                    "\(start) \(end)")
                if let alike {
                    found += 1
                    try Self.check(alike, "0x" + Hex.encode(made), "0x" + Hex.encode(account))
                    #expect(alike.part.utf8Equals(start == 0 ? "end is" : end == 0 ? "start is" : "ends are"))
                }
            }
        }
        #expect(found == 51)
    }

    @Test func `an address is not like itself, and not like one of another form`() {
        let account = [UInt8](repeating: 7, count: 32)
        let forms = LookAlike.forms(prefix: 42)
        #expect(LookAlike(account, resembling: account, forms: forms) == nil)
        #expect(LookAlike(account, resembling: [UInt8](repeating: 7, count: 20), forms: forms) == nil)
        #expect(
            LookAlike(
                [UInt8](repeating: 7, count: 33), resembling: [UInt8](repeating: 8, count: 33), forms: forms)
                == nil)
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

    @Test(arguments: [6, 7, 12, 42, 48])
    func `the word is the one nearest to the middle that reaches into what differs`(length: Int) throws {
        // Each character stands once, so that a word tells its place.
        let text = String(decoding: (0..<length).map { UInt8(ascii: "0") + UInt8($0) }, as: UTF8.self)
        let middle = (length - 6) / 2
        for start in 0..<length {
            for end in 0..<length - start {
                let word = LookAlike(text: text, other: text, start: start, end: end).word
                let place = Int(try #require(word.utf8.first) - UInt8(ascii: "0"))
                let fitting = (0...length - 6).filter { $0 + 6 > start && $0 < length - end }
                #expect(
                    fitting.contains(place) && abs(place - middle) == fitting.map { abs($0 - middle) }.min(),
                    "\(start) \(end)")
            }
        }
    }
}

@Suite struct UTCDateTests {
    @Test(
        arguments: [
            (0, "1970-01-01 UTC"), (951_782_400, "2000-02-29 UTC"), (951_868_800, "2000-03-01 UTC"),
            (1_704_067_199, "2023-12-31 UTC"),
            (4_107_542_400, "2100-03-01 UTC"), (253_402_300_799, "9999-12-31 UTC"),
            (253_402_300_800, "after 9999-12-31 UTC"),
        ] as [(UInt64, String)])
    func `days are those of the calendar`(seconds: UInt64, text: String) {
        #expect(UTCDate.day(seconds).utf8Equals(text))
    }

    @Test func `minutes and seconds are those of the clock`() {
        #expect(UTCDate.minute(1_704_067_199).utf8Equals("2023-12-31 23:59 UTC"))
        #expect(UTCDate.second(1_704_067_199).utf8Equals("2023-12-31 23:59:59 UTC"))
        // A claimed time may be any number; its year has four digits or is not printed.
        for seconds in [253_402_300_800, 67_768_036_191_676_799, UInt64.max] {
            #expect(UTCDate.second(seconds).utf8Equals("after 9999-12-31 UTC"))
        }
    }
}
