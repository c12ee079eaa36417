/// Decimal digits of any length: sums of amounts do not overflow.
package enum DecimalDigits {
    package static func sum(_ one: String, _ other: String) -> String {
        let zero = UInt8(ascii: "0")
        var (one, other) = (Array(one.utf8.reversed()), Array(other.utf8.reversed()))
        if one.count < other.count { swap(&one, &other) }
        var carry: UInt8 = 0
        for index in one.indices {
            let digit = one[index] - zero + carry + (index < other.count ? other[index] - zero : 0)
            one[index] = zero + digit % 10
            carry = digit / 10
        }
        if carry > 0 { one.append(zero + carry) }
        return String(decoding: one.reversed(), as: UTF8.self)
    }

    /// Compares two numbers without zeros at their start, of any length.
    package static func isLess(_ one: String, _ other: String) -> Bool {
        let zero = UInt8(ascii: "0")
        let (one, other) = (Array(one.utf8.drop { $0 == zero }), Array(other.utf8.drop { $0 == zero }))
        return one.count == other.count ? one.lexicographicallyPrecedes(other) : one.count < other.count
    }
}
