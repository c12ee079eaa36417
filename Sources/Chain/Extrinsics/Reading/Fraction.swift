import Metadata
import SubstratePrimitives

/// Fixed-point types of sp-arithmetic.
struct Fraction {
    /// What the integer is divided by.
    let divisor: UInt128
    let isPercentage: Bool
    /// The integer type that stores it.
    let integer: PrimitiveType

    init?(ident: String) {
        switch ident {
        case "Percent": (divisor, isPercentage, integer) = (100, true, .u8)
        case "PerU16": (divisor, isPercentage, integer) = (65535, true, .u16)
        case "Permill": (divisor, isPercentage, integer) = (1_000_000, true, .u32)
        case "Perbill": (divisor, isPercentage, integer) = (1_000_000_000, true, .u32)
        case "Perquintill": (divisor, isPercentage, integer) = (1_000_000_000_000_000_000, true, .u64)
        case "FixedI64": (divisor, isPercentage, integer) = (1_000_000_000, false, .i64)
        case "FixedU64": (divisor, isPercentage, integer) = (1_000_000_000, false, .u64)
        case "FixedI128": (divisor, isPercentage, integer) = (1_000_000_000_000_000_000, false, .i128)
        case "FixedU128": (divisor, isPercentage, integer) = (1_000_000_000_000_000_000, false, .u128)
        default: return nil
        }
    }

    /// Exact for powers of ten; what PerU16 cannot write in 20 digits is cut.
    func text(magnitude: UInt128, isNegative: Bool) -> String {
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
    func number(_ text: String) -> (magnitude: UInt128, isNegative: Bool)? {
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
