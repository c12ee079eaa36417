import Cards
import Metadata
import SubstratePrimitives
import TestSupport
import Testing

@testable import Extrinsics

/// What a card says of a number is read back to that number, and no other text is.
@Suite struct InverseLaws {
    static let fractions = [
        "Percent", "PerU16", "Permill", "Perbill", "Perquintill", "FixedI64", "FixedU64", "FixedI128",
        "FixedU128",
    ]

    static func bits(_ format: Fraction) -> Int { 8 * (format.integer.width ?? 0) }

    /// Numbers of every length up to `bits`.
    static func numbers(_ bits: Int, _ random: inout SeededGenerator) -> [UInt128] {
        let all = bits == 128 ? UInt128.max : (UInt128(1) << UInt128(bits)) - 1
        return [0, 1, all, all - 1]
            + (0..<200).map { _ in
                let length = Int.random(in: 1...bits, using: &random)
                let raw = UInt128(random.next()) << 64 | UInt128(random.next())
                return raw & (length == 128 ? .max : (UInt128(1) << UInt128(length)) - 1)
            }
    }

    @Test(arguments: fractions)
    func everyFractionIsReadBack(name: String) throws {
        let format = try #require(Fraction(rawValue: name))
        var random = SeededGenerator.printed(name)
        for number in Self.numbers(Self.bits(format), &random) {
            for isNegative in format.integer.isUnsigned ? [false] : [false, number != 0] {
                let text = format.text(magnitude: number, isNegative: isNegative)
                let read = try #require(format.number(text), "\(text)")
                #expect(read.magnitude == number && read.isNegative == isNegative, "\(text)")
            }
        }
    }

    /// PerU16 is the one whose digits are cut: all of its numbers.
    @Test func everyPerU16IsReadBack() throws {
        let format = try #require(Fraction(rawValue: "PerU16"))
        for number in 0...UInt128(UInt16.max) {
            #expect(format.number(format.text(magnitude: number, isNegative: false))?.magnitude == number)
        }
    }

    @Test(arguments: [
        "", "%", "1", "1.%", ".5%", "01%", "1.50%", "-1%%", "1,5%", "1.5% ", "+1%", "--1%", "1e1%",
        "99999999999999999999999999999999999999999%",
    ])
    func anotherTextIsNoPercentage(text: String) throws {
        #expect(try #require(Fraction(rawValue: "Permill")).number(text) == nil)
    }

    @Test func everyWideNumberIsReadBack() {
        var random = SeededGenerator.printed("wide")
        for _ in 0..<200 {
            let count = Int.random(in: 0...32, using: &random)
            let digits = (0..<32).map { $0 < count ? UInt8.random(in: 0...255, using: &random) : 0 }
            for isSigned in [false, true] {
                #expect(
                    Decimal256.digits(Decimal256.text(digits, isSigned: isSigned), isSigned: isSigned)
                        == digits)
            }
        }
        let lowest = [UInt8](repeating: 0, count: 31) + [0x80]
        #expect(Decimal256.digits(Decimal256.text(lowest, isSigned: true), isSigned: true) == lowest)
        for text in [
            "", "-", "-0", "00", "1 ", "0x1", "-1", String(repeating: "9", count: 78),
            String(repeating: "9", count: 79),
        ] {
            #expect(Decimal256.digits(text, isSigned: false) == nil, "\(text)")
        }
    }

    @Test func everyAmountIsReadBackInItsOwnUnitOnly() {
        var random = SeededGenerator.printed("amounts")
        for (decimals, unit) in [
            (UInt8(10), "DOT"), (12, "KSM"), (0, "X"), (18, "m"), (6, "mUSD"), (38, "A B"), (3, ""),
        ] {
            for planck in Self.numbers(128, &random) {
                let text = TokenAmount(planck: planck, decimals: decimals, unit: unit).text
                #expect(TokenAmount.planck(text, decimals: decimals, unit: unit) == planck, "\(text)")
                #expect(TokenAmount.planck(text, decimals: decimals, unit: "OTHER") == nil)
                #expect(TokenAmount.planck(text + " ", decimals: decimals, unit: unit) == nil || unit.isEmpty)
            }
        }
        for text in [
            "1.000000000 DOT", "1 DOT", "1.0000000000DOT", "01.0000000000 DOT", "0.0010000000 kDOT",
            "+1.0000000000 DOT",
        ] {
            #expect(TokenAmount.planck(text, decimals: 10, unit: "DOT") == nil, "\(text)")
        }
    }

    @Test func everyEraIsReadBack() throws {
        for power in 2...16 {
            let period = UInt32(1) << UInt32(power)
            let quantum = max(period >> 12, 1)
            for phase in stride(from: 0, to: period, by: Int(max(quantum, period / 16))) {
                let era = try #require(MortalEra(period: period, phase: phase))
                #expect(MortalEra(text: era.text) == era)
            }
        }
        for text in [
            "", "phase 1, period 5", "phase 64, period 64", "phase 1 period 64", "phase 01, period 64",
            "phase 1, period 64 ",
        ] {
            #expect(MortalEra(text: text) == nil, "\(text)")
        }
    }

    @Test func everyVoteIsReadBack() {
        for byte in UInt8.min...UInt8.max {
            guard let text = StandardVote(byte)?.text else {
                #expect(byte & 0x7f > 6)
                continue
            }
            #expect(StandardVote(text: text)?.byte == byte)
        }
    }
}
