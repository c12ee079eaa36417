import Hashing
import Keys
import TestSupport
import Testing

@Suite struct SeedEntropyTests {
    private func dice(_ text: String) throws(DiceRolls.Failure) -> DiceRolls {
        try DiceRolls(SecretBytes(utf8: text))
    }

    /// `printf 125411… | sha256sum`; 50 rolls for 12 words, 99 for 24.
    @Test(arguments: [
        (12, 50, "7ff0cc71619b23954285b04519ec13ac"),
        (24, 99, "145d1dae5aca95fbea801310879f492b1421cf943e709ecd783941496712e79e"),
    ])
    func diceAloneCanBeRedoneByHand(words: Int, rolls: Int, entropy: String) throws {
        let text = String((0..<rolls).map { Character("\($0 * $0 % 6 + 1)") })
        let bytes = plain(try SeedEntropy.fromDiceOnly(words: words, dice: dice(text)))
        #expect(Hex.encode(bytes) == entropy)
    }

    @Test func tooFewRollsAndWrongFacesAreRefused() throws {
        #expect(throws: DiceRolls.Failure.notAFace(offset: 2)) { _ = try dice("1 7") }
        #expect(throws: DiceRolls.Failure.notAFace(offset: 0)) { _ = try dice("0") }
        #expect(throws: SeedEntropyError.dice(.tooFew(have: 49, need: 50))) {
            _ = try SeedEntropy.fromDiceOnly(words: 12, dice: dice(String(repeating: "1", count: 49)))
        }
        for (rolls, kind) in [
            (String(repeating: "1", count: 49), 50), (String(repeating: "h", count: 127), 128),
        ] {
            #expect(throws: SeedEntropyError.dice(.tooFew(have: kind - 1, need: kind))) {
                _ = try SeedEntropy.mixed(words: 24, machine: .drawn(), dice: dice(rolls))
            }
            let length = try SeedEntropy.mixed(
                words: 24, machine: .drawn(), dice: dice(rolls + String(rolls.prefix(1)))
            ).count
            #expect(length == 32)
        }
        #expect(throws: SeedEntropyError.wordCount(13)) {
            _ = try SeedEntropy.mixed(words: 13, machine: .drawn(), dice: SeedEntropy.noDice())
        }
        #expect(throws: SeedEntropyError.dice(.tooFew(have: 255, need: 256))) {
            _ = try SeedEntropy.fromDiceOnly(words: 24, dice: dice(String(repeating: "t", count: 255)))
        }
    }

    @Test func `dice and coins are told by the first roll and not mixed`() throws {
        func kind(_ text: String) throws -> DiceRolls.Kind { try dice(text).kind }
        #expect(try kind("h t") == .coins && kind("12") == .dice && kind("") == .dice)
        #expect(throws: DiceRolls.Failure.notAFace(offset: 2)) { _ = try dice("ht1") }
        #expect(throws: DiceRolls.Failure.notAFace(offset: 1)) { _ = try dice("1h") }
        #expect(throws: DiceRolls.Failure.notAFace(offset: 0)) { _ = try dice("H") }
        func bits(_ text: String) throws -> Int { try dice(text).bits }
        #expect(
            try bits(String(repeating: "1", count: 50)) == 129
                && bits(String(repeating: "1", count: 99)) == 255)
        #expect(try bits(String(repeating: "h", count: 128)) == 128)
    }

    @Test func equalDiceNeverGiveEqualSeedsOnTwoParts() throws {
        let rolls = String(repeating: "123456", count: 17)
        let first = plain(try SeedEntropy.mixed(words: 24, machine: .drawn(), dice: dice(rolls)))
        let second = plain(try SeedEntropy.mixed(words: 24, machine: .drawn(), dice: dice(rolls)))
        #expect(first.count == 32)
        #expect(first != second)
    }

    @Test func aHeldOrPastedKeyIsNotEntropy() throws {
        let held = (0..<100).map { KeyPress(byte: 0x61, nanoseconds: UInt64($0) * 33_000_000) }
        #expect(throws: SeedEntropyError.keyPresses(have: 100, need: 64, keys: 1, pauses: 1)) {
            _ = try MachinePart.drawn(keyPresses: held)
        }
        let part = try MachinePart.drawn(keyPresses: Self.typed)
        #expect(part.contributions.last?.source == .keys && part.contributions.last?.amount == 64)
    }

    static let typed = (0..<64).map {
        KeyPress(byte: UInt8($0 % 20 + 97), nanoseconds: UInt64($0 * $0) * 1_000_003)
    }
}

@Suite struct RandomHealthTests {
    /// A source that is fair but for what a test does to it.
    private func source(_ spoil: @escaping (inout [UInt8]) -> Void) -> (Int) -> [UInt8] {
        { count in
            var bytes = plain(SecretBytes(randomCount: count))
            spoil(&bytes)
            return bytes
        }
    }

    @Test func theSystemsSourcePasses() throws {
        try RandomHealth.check()
    }

    @Test func aStuckSourceIsRefused() {
        #expect(throws: RandomHealthError.repetition(count: 6)) {
            try RandomHealth.check { [UInt8](repeating: 0, count: $0) }
        }
        #expect(throws: RandomHealthError.repetition(count: 6)) {
            try RandomHealth.check(
                source: source {
                    if $0.count > 2000 { $0.replaceSubrange(1000..<1006, with: [9, 9, 9, 9, 9, 9]) }
                })
        }
    }

    @Test func aSourceThatFavoursOneByteIsRefused() {
        let error = #expect(throws: RandomHealthError.self) {
            try RandomHealth.check(
                source: source { for index in stride(from: 0, to: $0.count, by: 4) { $0[index] = 7 } })
        }
        guard case .proportion = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func aBitThatNeverChangesIsRefused() {
        #expect(throws: RandomHealthError.stuckBit(5)) {
            try RandomHealth.check(source: source { for index in $0.indices { $0[index] |= 0x20 } })
        }
    }

    @Test func aSourceThatRepeatsItselfIsRefused() {
        #expect(throws: RandomHealthError.repeatedBlock) {
            try RandomHealth.check { count in
                (0..<count).map { BLAKE2b.hash([UInt8($0 & 255), UInt8($0 >> 8)])[0] }
            }
        }
    }

    @Test func `a source that sets one bit in eight too often is refused`() {
        let error = #expect(throws: RandomHealthError.self) {
            // Each bit of a byte in turn, so that no byte value and no single bit stands out.
            try RandomHealth.check(
                source: source { for index in $0.indices { $0[index] |= 1 << UInt8(index % 8) } })
        }
        guard case .bias(let ones, of: 32768) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(ones > 16384 + 724)
    }

    /// Whatever its step, its width and the order of its bytes, and from wherever it starts.
    @Test(arguments: [1, 2, 4, 8], [1, 3, 0x9e37_79b9_7f4a_7c15] as [UInt64])
    func `a source that counts is refused`(width: Int, step: UInt64) {
        for isBigEndian in [false, true] {
            var number: UInt64 = 0x0123_4567_89ab_cdef
            let error = #expect(throws: RandomHealthError.self) {
                try RandomHealth.check { count in
                    var bytes: [UInt8] = []
                    while bytes.count < count {
                        let word = (0..<width).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
                        bytes += isBigEndian ? word.reversed() : word
                        number &+= step
                    }
                    return Array(bytes.prefix(count))
                }
            }
            // The high bytes of a small counter are constant, which is found first.
            switch error {
            case .counting, .repetition: break
            case .bias, .proportion, .repeatedBlock, .stuckBit, nil:
                Issue.record("\(String(describing: error))")
            }
        }
    }

    /// What is fair is not suspected.
    @Test func `fair sources pass`() throws {
        for seed in 0..<200 {
            var numbers = SeededGenerator.printed("fair source \(seed)")
            try RandomHealth.check { count in
                (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            }
        }
    }

    @Test func drawsAreRejectedNotFolded() {
        // 256 = 42 · 6 + 4: the bytes 252…255 would favour four faces.
        var bytes: [UInt8] = [255, 254, 253, 252, 251]
        let face = UniformDraw.index(below: 6) { _ in [bytes.removeFirst()] }
        #expect(face == 251 % 6)
        #expect(bytes.isEmpty)
        var counts = [Int](repeating: 0, count: 6)
        for byte in UInt8.min..<252 { counts[UniformDraw.index(below: 6) { _ in [byte] }] += 1 }
        #expect(counts == [42, 42, 42, 42, 42, 42])
        #expect((0..<100).allSatisfy { _ in UniformDraw.index(below: 1000) < 1000 })
    }
}
