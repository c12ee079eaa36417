/// Fixed-point types of sp-arithmetic.
struct Fraction {
    /// What the integer is divided by.
    let divisor: UInt128
    let isPercentage: Bool

    init?(ident: String) {
        switch ident {
        case "Percent": (divisor, isPercentage) = (100, true)
        case "PerU16": (divisor, isPercentage) = (65535, true)
        case "Permill": (divisor, isPercentage) = (1_000_000, true)
        case "Perbill": (divisor, isPercentage) = (1_000_000_000, true)
        case "Perquintill": (divisor, isPercentage) = (1_000_000_000_000_000_000, true)
        case "FixedI64", "FixedU64": (divisor, isPercentage) = (1_000_000_000, false)
        case "FixedI128", "FixedU128": (divisor, isPercentage) = (1_000_000_000_000_000_000, false)
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
        return (isNegative ? "-" : "") + integer + (fraction.isEmpty ? "" : "." + fraction) + (isPercentage ? "%" : "")
    }
}
