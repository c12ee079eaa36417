/// An amount of a token for reading: three-digit magnitudes with an SI prefix, every digit kept.
///
/// `100_000_000_000` planck at 12 decimals of WND is `100.000000000 mWND`.
public struct TokenAmount: Sendable, Equatable {
    /// The number as printed, without its unit.
    public let number: String
    /// The unit with its SI prefix.
    public let unit: String

    /// The prefixes for 10^(3·n), n from -6 (atto) to 4 (tera).
    private static let prefixes = ["a", "f", "p", "n", "u", "m", "", "k", "M", "G", "T"]

    /// - Parameters:
    ///   - planck: the amount in the smallest unit, as decimal digits.
    ///   - decimals: how many orders of magnitude the unit stands above the smallest one.
    public init(planck: String, decimals: UInt8, unit: String) {
        let significant = planck.utf8.drop { $0 == UInt8(ascii: "0") }
        let digits = significant.isEmpty ? "0" : String(decoding: significant, as: UTF8.self)
        let exponent = digits.count - 1 - Int(decimals)
        // Zero takes the smallest prefix that keeps its zeros after the point below three.
        let thousands = digits == "0" ? -(Int(decimals) / 3) : Int((Double(exponent) / 3).rounded(.down))
        let magnitude = min(max(thousands, -6), 4)
        self.number = Self.place(digits, fraction: Int(decimals) + 3 * magnitude)
        self.unit = Self.prefixes[magnitude + 6] + unit
    }

    public init(planck: UInt128, decimals: UInt8, unit: String) {
        self.init(planck: String(planck), decimals: decimals, unit: unit)
    }

    /// `number unit`
    public var text: String { "\(number) \(unit)" }

    /// Puts the point so that `fraction` digits follow it; a negative count appends zeros instead.
    private static func place(_ digits: String, fraction: Int) -> String {
        guard fraction > 0 else { return digits == "0" ? digits : digits + String(repeating: "0", count: -fraction) }
        let padded = String(repeating: "0", count: max(0, fraction + 1 - digits.count)) + digits
        return "\(padded.dropLast(fraction)).\(padded.suffix(fraction))"
    }
}

extension TokenAmount {
    /// The amount in the smallest unit for a ``text`` in this unit; nil for any other text.
    public static func planck(_ text: String, decimals: UInt8, unit: String) -> UInt128? {
        let parts = Array(text.utf8).split(separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count >= unit.utf8.count, parts[1].suffix(unit.utf8.count).elementsEqual(unit.utf8) else {
            return nil
        }
        let prefix = parts[1].dropLast(unit.utf8.count)
        guard let magnitude = prefixes.firstIndex(where: { $0.utf8.elementsEqual(prefix) }) else { return nil }
        let zeros = max(0, -(Int(decimals) + 3 * (magnitude - 6)))
        var digits = String(decoding: parts[0].filter { $0 != UInt8(ascii: ".") }, as: UTF8.self)
        if zeros > 0, digits != "0" { digits = String(digits.dropLast(zeros)) }
        // Formatting the amount must give the same text: another position of the point or another prefix is refused.
        guard let planck = UInt128(digits), TokenAmount(planck: planck, decimals: decimals, unit: unit).text.utf8Equals(text)
        else { return nil }
        return planck
    }
}
