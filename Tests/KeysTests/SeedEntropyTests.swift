import Hashing
import Keys
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
        #expect(throws: SeedEntropyError.dice(.tooFew(have: 98, need: 99))) {
            _ = try SeedEntropy.mixed(words: 24, dice: dice(String(repeating: "1", count: 98)))
        }
        #expect(throws: SeedEntropyError.wordCount(13)) { _ = try SeedEntropy.fromSystem(words: 13) }
    }

    @Test func equalDiceNeverGiveEqualSeedsWhenMixed() throws {
        let rolls = String(repeating: "123456", count: 17)
        let first = plain(try SeedEntropy.mixed(words: 24, dice: dice(rolls)))
        let second = plain(try SeedEntropy.mixed(words: 24, dice: dice(rolls)))
        #expect(first.count == 32)
        #expect(first != second)
        let third = plain(try SeedEntropy.fromSystem(words: 12))
        #expect(third.count == 16)
    }

    @Test func aHeldOrPastedKeyIsNotEntropy() throws {
        let held = (0..<100).map { KeyPress(byte: 0x61, nanoseconds: UInt64($0) * 33_000_000) }
        #expect(throws: SeedEntropyError.keyPresses(have: 100, need: 64, keys: 1, pauses: 1)) {
            _ = try SeedEntropy.mixed(words: 12, dice: SeedEntropy.noDice(), keyPresses: held)
        }
        let typed = (0..<64).map {
            KeyPress(byte: UInt8($0 % 20 + 97), nanoseconds: UInt64($0 * $0) * 1_000_003)
        }
        let length = try SeedEntropy.mixed(words: 12, dice: SeedEntropy.noDice(), keyPresses: typed).count
        #expect(length == 16)
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
                (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 / 256) }
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
