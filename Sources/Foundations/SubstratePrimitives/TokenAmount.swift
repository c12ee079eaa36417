/// A number of a token's smallest units, of any size: sums of amounts do not overflow.
public struct Planck: Sendable, Hashable, Comparable, ExpressibleByIntegerLiteral {
    /// Decimal digits without a zero in front.
    public let digits: ExactText

    public init(_ number: UInt128) { digits = ExactText(String(number)) }

    public init(integerLiteral number: UInt128) { self.init(number) }

    /// nil for anything but decimal digits.
    public init?(_ digits: String) {
        let zero = UInt8(ascii: "0")
        guard !digits.utf8.isEmpty, digits.utf8.allSatisfy({ (zero...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        let significant = digits.utf8.drop { $0 == zero }
        self.digits = significant.isEmpty ? "0" : ExactText(String(decoding: significant, as: UTF8.self))
    }

    private init(_ reversed: [UInt8]) {
        digits = ExactText(String(decoding: reversed.reversed(), as: UTF8.self))
    }

    /// nil beyond 128 bits.
    public var number: UInt128? { UInt128(digits.text) }

    /// The same number; the largest one for everything beyond 128 bits.
    public var clamped: UInt128 { number ?? .max }

    /// Ten times as many.
    public var tenfold: Planck {
        self == 0 ? self : Planck([UInt8(ascii: "0")] + digits.text.utf8.reversed())
    }

    public static func < (one: Planck, other: Planck) -> Bool {
        let (one, other) = (one.digits.text.utf8, other.digits.text.utf8)
        return one.count == other.count ? one.lexicographicallyPrecedes(other) : one.count < other.count
    }

    public static func + (one: Planck, other: Planck) -> Planck {
        let zero = UInt8(ascii: "0")
        var (one, other) = (Array(one.digits.text.utf8.reversed()), Array(other.digits.text.utf8.reversed()))
        if one.count < other.count { swap(&one, &other) }
        var carry: UInt8 = 0
        for index in one.indices {
            let digit = one[index] - zero + carry + (index < other.count ? other[index] - zero : 0)
            one[index] = zero + digit % 10
            carry = digit / 10
        }
        if carry > 0 { one.append(zero + carry) }
        return Planck(one)
    }
}

/// An amount of a token for reading: three-digit magnitudes with an SI prefix, every digit kept.
///
/// `100_000_000_000` planck at 12 decimals of WND is `100.000000000 mWND`.
public struct TokenAmount: Sendable, Equatable {
    /// The number as printed, without its unit.
    public let number: String
    /// The unit with its SI prefix.
    public let unit: String
    /// The decimal number in the unit without a prefix, without zeros at its end: `0.1`.
    public let plain: String
    /// The unit without a prefix.
    public let symbol: String

    /// The prefixes for 10^(3·n), n from -6 (atto) to 4 (tera).
    private static let prefixes = ["a", "f", "p", "n", "u", "m", "", "k", "M", "G", "T"]

    /// - `planck`: the amount in the smallest unit, as decimal digits.
    /// - `decimals`: how many orders of magnitude the unit stands above the smallest one.
    public init(planck: String, decimals: UInt8, unit: String) {
        let zero = UInt8(ascii: "0")
        let significant = Array(planck.utf8.drop { $0 == zero })
        let digits = significant.isEmpty ? [zero] : significant
        let exponent = digits.count - 1 - Int(decimals)
        // Zero takes the smallest prefix that keeps its zeros after the point below three.
        let thousands = digits == [zero] ? -(Int(decimals) / 3) : Int((Double(exponent) / 3).rounded(.down))
        let magnitude = min(max(thousands, -6), 4)
        self.number = Self.withPoint(digits, fraction: Int(decimals) + 3 * magnitude)
        self.unit = Self.prefixes[magnitude + 6] + unit
        self.plain = Self.withoutZerosAtEnd(Self.withPoint(digits, fraction: Int(decimals)))
        self.symbol = unit
    }

    public static func == (one: TokenAmount, other: TokenAmount) -> Bool {
        one.number.utf8Equals(other.number) && one.unit.utf8Equals(other.unit)
            && one.plain.utf8Equals(other.plain)
            && one.symbol.utf8Equals(other.symbol)
    }

    public init(planck: UInt128, decimals: UInt8, unit: String) {
        self.init(planck: String(planck), decimals: decimals, unit: unit)
    }

    /// `number unit`
    public var text: String { "\(number) \(unit)" }

    private static func withoutZerosAtEnd(_ number: String) -> String {
        guard number.utf8.contains(UInt8(ascii: ".")) else { return number }
        var text = Array(number.utf8)
        while text.last == UInt8(ascii: "0") { text.removeLast() }
        if text.last == UInt8(ascii: ".") { text.removeLast() }
        return String(decoding: text, as: UTF8.self)
    }

    /// Places the point so that `fraction` digits follow it; a negative count appends zeros instead.
    private static func withPoint(_ digits: [UInt8], fraction: Int) -> String {
        let zero = UInt8(ascii: "0")
        guard fraction > 0 else {
            return String(
                decoding: digits == [zero] ? digits : digits + repeatElement(zero, count: -fraction),
                as: UTF8.self)
        }
        var text = [UInt8](repeating: zero, count: max(0, fraction + 1 - digits.count)) + digits
        text.insert(UInt8(ascii: "."), at: text.count - fraction)
        return String(decoding: text, as: UTF8.self)
    }
}

extension TokenAmount {
    /// The amount in the smallest unit for a ``text`` in this unit; nil for any other text, and for more than
    /// 128 bits.
    public static func planck(_ text: String, decimals: UInt8, unit: String) -> UInt128? {
        digits(text, decimals: decimals, unit: unit).flatMap { UInt128($0) }
    }

    /// Reads an amount as a person writes it, such as `1.5 DOT`, and returns it in the smallest unit. The
    /// text has digits, then optionally a point and at most `decimals` digits, then a blank and the unit. nil
    /// for any other text, and for more than 128 bits.
    public static func planck(plain text: String, decimals: UInt8, unit: String) -> UInt128? {
        let parts = Array(text.utf8).split(
            separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].elementsEqual(unit.utf8) else { return nil }
        let number = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard number.count <= 2, number.allSatisfy({ !$0.isEmpty }),
            number.joined().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else {
            return nil
        }
        let fraction = number.count == 2 ? Array(number[1]) : []
        guard fraction.count <= Int(decimals) else { return nil }
        let zeros = repeatElement(UInt8(ascii: "0"), count: Int(decimals) - fraction.count)
        return UInt128(String(decoding: Array(number[0]) + fraction + zeros, as: UTF8.self))
    }

    /// Whether commas are what keeps a text from being an amount: `1,000 DOT`. Nobody guesses what they mean,
    /// because `1,5` is one and a half to some people and fifteen to none.
    public static func hasCommas(_ text: String) -> Bool {
        let number = text.utf8.prefix { $0 != UInt8(ascii: " ") }
        let marks = [UInt8(ascii: ","), UInt8(ascii: ".")]
        return number.contains(marks[0])
            && number.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || marks.contains($0)
            }
    }

    /// What is said of an amount with commas, everywhere.
    public static func commas(in text: String) -> String {
        "\(text) has a comma: write amounts without commas, with a point before the decimals"
    }

    /// The amount in the smallest unit as decimal digits without leading zeros, for amounts of any length.
    public static func digits(_ text: String, decimals: UInt8, unit: String) -> String? {
        let parts = Array(text.utf8).split(
            separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count >= unit.utf8.count,
            parts[1].suffix(unit.utf8.count).elementsEqual(unit.utf8)
        else {
            return nil
        }
        let prefix = parts[1].dropLast(unit.utf8.count)
        guard let magnitude = prefixes.firstIndex(where: { $0.utf8.elementsEqual(prefix) }) else {
            return nil
        }
        let zero = UInt8(ascii: "0")
        let zeros = max(0, -(Int(decimals) + 3 * (magnitude - 6)))
        var ascii = parts[0].filter { $0 != UInt8(ascii: ".") }
        if zeros > 0, ascii != [zero] { ascii.removeLast(min(zeros, ascii.count)) }
        guard ascii.allSatisfy({ (zero...UInt8(ascii: "9")).contains($0) }) else { return nil }
        let significant = ascii.drop { $0 == zero }
        let digits = significant.isEmpty ? "0" : String(decoding: significant, as: UTF8.self)
        // Formatting the amount must give the same text: another position of the point or another prefix is
        // refused.
        guard TokenAmount(planck: digits, decimals: decimals, unit: unit).text.utf8Equals(text) else {
            return nil
        }
        return digits
    }
}
