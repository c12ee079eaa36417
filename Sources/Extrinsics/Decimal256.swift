/// Decimal text of 256-bit integers.
enum Decimal256 {
    /// - Parameters:
    ///   - littleEndian: 32 bytes, least significant first.
    ///   - isSigned: whether they are a two's complement.
    static func text(_ littleEndian: [UInt8], isSigned: Bool = false) -> String {
        if isSigned, let last = littleEndian.last, last >= 0x80 { return "-" + text(negated(littleEndian)) }
        var words = stride(from: 0, to: 32, by: 4).reversed().map { start in
            (0..<4).reduce(UInt64(0)) { $0 | UInt64(littleEndian[start + $1]) << UInt64(8 * $1) }
        }
        var parts: [String] = []
        while words.contains(where: { $0 != 0 }) {
            var remainder: UInt64 = 0
            for place in words.indices {
                let value = remainder << 32 | words[place]
                words[place] = value / 1_000_000_000
                remainder = value % 1_000_000_000
            }
            parts.append(String(remainder))
        }
        guard let first = parts.popLast() else { return "0" }
        return parts.reversed().reduce(first) { $0 + String(repeating: "0", count: 9 - $1.count) + $1 }
    }

    /// 32 bytes of a number of digits, with a minus for a two's complement; nil when it has no place in 256 bits.
    static func littleEndian(_ text: String) -> [UInt8]? {
        if text.hasPrefix("-") {
            guard let magnitude = littleEndian(String(text.dropFirst())) else { return nil }
            let value = negated(magnitude)
            // The lowest value is its own negation; zero has no sign.
            return value[31] >= 0x80 || magnitude.allSatisfy { $0 == 0 } ? value : nil
        }
        guard !text.isEmpty else { return nil }
        var digits = [UInt8](repeating: 0, count: 32)
        for character in text.utf8 {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character) else { return nil }
            var carry = Int(character - UInt8(ascii: "0"))
            for place in digits.indices {
                carry += Int(digits[place]) * 10
                digits[place] = UInt8(carry & 0xff)
                carry >>= 8
            }
            guard carry == 0 else { return nil }
        }
        return digits
    }

    private static func negated(_ littleEndian: [UInt8]) -> [UInt8] {
        var carry = 1
        return littleEndian.map { byte in
            carry += Int(~byte)
            defer { carry >>= 8 }
            return UInt8(carry & 0xff)
        }
    }
}
