import Keys
import TestSupport
import Testing

/// Rolls that a person made up are noticed, and fair dice are not suspected.
@Suite struct DiceTests {
    private static func concerns(_ text: String) throws -> [DiceRolls.Concern] {
        try DiceRolls(SecretBytes(utf8: text)).concerns
    }

    private static func rolls(_ count: Int, _ numbers: inout SeededGenerator) -> String {
        String(
            decoding: (0..<count).map { _ in UInt8.random(in: 0x31...0x36, using: &numbers) }, as: UTF8.self)
    }

    /// `text` again and again.
    private static func repeated(_ text: String, to count: Int) -> String {
        String(String(repeating: text, count: count / text.count + 1).prefix(count))
    }

    /// What comes out of a tired hand, and where it shows first.
    private static let madeUp: [(text: String, distance: Int)] = [
        ("123456", 1), ("654321", 1), ("135246", 2), ("123456654321", 1), ("112233445566", 1),
        ("111222333444555666", 1),
        ("12", 1), ("1425364152", 1), ("1234561", 1), ("5162", 1), ("121314151623242526", 18), ("246135", 2),
        ("4616325134", 10),
        ("23516461255134264", 17),
    ]

    @Test(arguments: madeUp, [50, 99, 102, 300])
    func whatRepeatsOrStepsIsNoticed(_ rolls: (text: String, distance: Int), _ count: Int) throws {
        let concerns = try Self.concerns(Self.repeated(rolls.text, to: count))
        #expect(
            concerns.contains {
                if case .pattern(let distance) = $0 { distance <= rolls.distance } else { false }
            },
            "\(rolls.text): \(concerns)")
    }

    @Test func oneFaceAgainAndAgainIsNoticed() throws {
        for count in [50, 99, 10_000] {
            let concerns = try Self.concerns(String(repeating: "3", count: count))
            #expect(concerns.contains(.bias(counts: [0, 0, count, 0, 0, 0])))
            #expect(concerns.contains(.run(length: count)))
            #expect(concerns.contains(.pattern(distance: 1)))
        }
    }

    /// A half that is like the other half, whatever it is.
    @Test(arguments: [50, 99, 102, 600]) func rollsThatAreTypedTwiceAreNoticed(_ count: Int) throws {
        var numbers = SeededGenerator.printed("typed twice, \(count)")
        let half = Self.rolls(count / 2, &numbers)
        // What is unusual in the half is twice as unusual in the whole: there may be other concerns, and a
        // shorter distance that is named.
        let concerns = try Self.concerns(half + half)
        #expect(
            concerns.contains {
                if case .pattern(let distance) = $0 { distance <= count / 2 } else { false }
            }, "\(half): \(concerns)")
    }

    /// Slips do not hide it: one roll in eight is another one.
    @Test func slipsDoNotHideAPattern() throws {
        var numbers = SeededGenerator.printed("slips")
        for _ in 0..<50 {
            let text = Self.repeated("123456", to: 99).map {
                Int.random(in: 0..<8, using: &numbers) == 0 ? Character(Self.rolls(1, &numbers)) : $0
            }
            #expect(try !Self.concerns(String(text)).isEmpty)
        }
    }

    @Test func loadedDiceAreNoticed() throws {
        var numbers = SeededGenerator.printed("loaded dice")
        for _ in 0..<50 {
            // Six on every second roll; no six at all in 99 rolls; only three of the faces.
            let sixes = (0..<99).map { $0.isMultiple(of: 2) ? "6" : Self.rolls(1, &numbers) }.joined()
            let none = Self.rolls(99, &numbers).map { $0 == "6" ? "5" : $0 }
            let odd = Self.rolls(99, &numbers).map {
                Character("\(($0.wholeNumberValue ?? 1) / 2 * 2 % 6 + 1)")
            }
            for text in [sixes, String(none), String(odd)] {
                #expect(
                    try Self.concerns(text).contains { if case .bias = $0 { true } else { false } }, "\(text)"
                )
            }
        }
    }

    /// Several faces a little too often, none of them enough by itself: counts, and steps between neighbours.
    @Test func aBiasOverSeveralFacesIsNoticed() throws {
        var numbers = SeededGenerator.printed("bias over several faces")
        let uneven = zip(0..., [27, 27, 27, 6, 6, 6]).flatMap { [Int](repeating: $0, count: $1) }
        for _ in 0..<20 {
            let order = uneven.shuffled(using: &numbers)
            let faces = try Self.concerns(order.map { "\($0 + 1)" }.joined())
            #expect(faces.contains(.bias(counts: [27, 27, 27, 6, 6, 6])))
            var face = 0
            let steps = try Self.concerns(
                order.map {
                    face = (face + $0) % 6
                    return "\(face + 1)"
                }.joined())
            #expect(steps.contains(.pattern(distance: 1)))
        }
    }

    /// One below and one at the length of a run from which it is told.
    @Test func longRunsAreNoticed() throws {
        let others = String("15366142352621463515244631562214365132245163426513".prefix(40))
        #expect(try Self.concerns(others + "222222222").isEmpty)
        #expect(try Self.concerns(others + "2222222222").contains(.run(length: 10)))
    }

    @Test func aFewRollsProveNothing() throws {
        #expect(try Self.concerns("").isEmpty)
        #expect(try Self.concerns("11111111111").isEmpty)
    }

    /// The promise of the help text: less than one false alarm in 10,000. Ten times as many would show here
    /// nearly always.
    @Test(arguments: [50, 99]) func fairDiceAreNotSuspected(_ count: Int) throws {
        var numbers = SeededGenerator.printed("fair dice, \(count)")
        let trials = 5000
        var alarms = 0
        for _ in 0..<trials where try !Self.concerns(Self.rolls(count, &numbers)).isEmpty { alarms += 1 }
        print("\(alarms) false alarms in \(trials) times \(count) fair rolls")
        #expect(alarms <= 3)
    }

    private static func flips(_ count: Int, _ numbers: inout SeededGenerator) -> String {
        String((0..<count).map { _ in Bool.random(using: &numbers) ? "h" : "t" })
    }

    /// As for dice, also as many as a seed of coins alone takes.
    @Test(arguments: [128, 256]) func `fair coins are not suspected`(_ count: Int) throws {
        var numbers = SeededGenerator.printed("fair coins, \(count)")
        let trials = 5000
        var alarms = 0
        for _ in 0..<trials where try !Self.concerns(Self.flips(count, &numbers)).isEmpty { alarms += 1 }
        print("\(alarms) false alarms in \(trials) times \(count) fair flips")
        #expect(alarms <= 3)
    }

    @Test func `coins that are held, that alternate or that are loaded are noticed`() throws {
        var numbers = SeededGenerator.printed("loaded coins")
        #expect(
            try Self.concerns(String(repeating: "h", count: 128)).contains(.bias(counts: [128, 0])))
        for text in ["ht", "hhtt", "hth", "htthhtht"] {
            let concerns = try Self.concerns(Self.repeated(text, to: 128))
            #expect(
                concerns.contains { if case .pattern = $0 { true } else { false } }, "\(text): \(concerns)")
        }
        for _ in 0..<50 {
            // Heads four times of five.
            let text = String((0..<256).map { _ in Int.random(in: 0..<5, using: &numbers) > 0 ? "h" : "t" })
            #expect(
                try Self.concerns(text).contains { if case .bias = $0 { true } else { false } }, "\(text)")
        }
    }

    @Test func manyFairRollsAreNotSuspectedEither() throws {
        var numbers = SeededGenerator.printed("many fair rolls")
        #expect(try Self.concerns(Self.rolls(10_000, &numbers)).isEmpty)
    }
}
