import SubstratePrimitives

/// Fixed-point types of sp-arithmetic. The raw value is the name of the type.
public enum Fraction: String, Sendable, CaseIterable {
    /// Hundredths of a whole.
    case percent = "Percent"
    /// 65535ths of a whole.
    case perU16 = "PerU16"
    /// Millionths of a whole.
    case permill = "Permill"
    /// Billionths of a whole.
    case perbill = "Perbill"
    /// 10^-18 of a whole.
    case perquintill = "Perquintill"
    /// Signed, with 9 decimals.
    case fixedI64 = "FixedI64"
    /// With 9 decimals.
    case fixedU64 = "FixedU64"
    /// Signed, with 18 decimals.
    case fixedI128 = "FixedI128"
    /// With 18 decimals.
    case fixedU128 = "FixedU128"

    /// What the integer is divided by.
    public var divisor: UInt128 {
        switch self {
        case .percent: 100
        case .perU16: 65535
        case .permill: 1_000_000
        case .perbill, .fixedI64, .fixedU64: 1_000_000_000
        case .perquintill, .fixedI128, .fixedU128: 1_000_000_000_000_000_000
        }
    }

    /// Whether it is a part of a whole.
    public var isPercentage: Bool {
        switch self {
        case .percent, .perU16, .permill, .perbill, .perquintill: true
        case .fixedI64, .fixedU64, .fixedI128, .fixedU128: false
        }
    }

    /// Exact for powers of ten; what PerU16 cannot write in 20 digits is cut.
    public func text(magnitude: UInt128, isNegative: Bool) -> String {
        let (whole, rest) = magnitude.quotientAndRemainder(dividingBy: divisor)
        var digits: [UInt8] = []
        var remainder = rest
        while remainder > 0, digits.count < 20 {
            remainder *= 10
            digits.append(UInt8(remainder / divisor))
            remainder %= divisor
        }
        var integer = String(whole)
        if isPercentage {
            // Two digits of a percentage stand before the point.
            while digits.count < 2 { digits.append(0) }
            integer = String(whole * 100 + UInt128(digits[0]) * 10 + UInt128(digits[1]))
            digits.removeFirst(2)
        }
        let fraction = digits.map { String($0) }.joined()
        return (isNegative ? "-" : "") + integer + (fraction.isEmpty ? "" : "." + fraction)
            + (isPercentage ? "%" : "")
    }

    /// The integer for a text of ``text(magnitude:isNegative:)``; nil for any other text.
    ///
    /// PerU16 is cut at 20 digits, which is far closer to one integer than to the next, so the nearest
    /// integer is the right one.
    public func number(_ text: String) -> (magnitude: UInt128, isNegative: Bool)? {
        var digits = Array(text.utf8)[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        if isPercentage {
            guard digits.last == UInt8(ascii: "%") else { return nil }
            digits = digits.dropLast()
        }
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = UInt128(String(decoding: parts[0], as: UTF8.self)) else {
            return nil
        }
        let places = parts.count == 2 ? Array(parts[1]) : []
        guard places.count <= 20, places.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        // The value is (whole · 10^places + fraction) / 10^places, a hundredth of that for a percentage. The
        // divisor times the whole part is exact, and what follows the point is below one.
        let scale = places.reduce(UInt128(isPercentage ? 100 : 1)) { value, _ in value * 10 }
        let fraction = places.reduce(UInt128(0)) { $0 * 10 + UInt128($1 - UInt8(ascii: "0")) }
        let unit = places.reduce(UInt128(1)) { value, _ in value * 10 }
        let (high, rest) = isPercentage ? whole.quotientAndRemainder(dividingBy: 100) : (whole, 0)
        let (product, overflows) = high.multipliedReportingOverflow(by: divisor)
        guard !overflows else { return nil }
        let numerator = (rest * unit + fraction).multipliedFullWidth(by: divisor)
        let (quotient, remainder) = scale.dividingFullWidth((numerator.high, numerator.low))
        let (sum, tooMuch) = product.addingReportingOverflow(quotient + (remainder > (scale - 1) / 2 ? 1 : 0))
        guard !tooMuch, self.text(magnitude: sum, isNegative: isNegative).utf8Equals(text) else { return nil }
        return (sum, isNegative)
    }
}
