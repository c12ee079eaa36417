import SubstratePrimitives

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
            for index in words.indices {
                let value = remainder << 32 | words[index]
                words[index] = value / 1_000_000_000
                remainder = value % 1_000_000_000
            }
            parts.append(String(remainder))
        }
        guard let first = parts.popLast() else { return "0" }
        return parts.reversed().reduce(first) { $0 + String(repeating: "0", count: 9 - $1.count) + $1 }
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

extension Decimal256 {
    /// The 32 bytes, least significant first, of a decimal text as ``text(_:isSigned:)`` writes it; nil for
    /// any other text.
    static func digits(_ text: String, isSigned: Bool) -> [UInt8]? {
        var ascii = Array(text.utf8)[...]
        let isNegative = isSigned && ascii.first == UInt8(ascii: "-")
        if isNegative { ascii = ascii.dropFirst() }
        guard !ascii.isEmpty, ascii.count <= 78 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 32)
        for digit in ascii {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            var carry = Int(digit - UInt8(ascii: "0"))
            for index in bytes.indices {
                carry += Int(bytes[index]) * 10
                bytes[index] = UInt8(carry & 0xff)
                carry >>= 8
            }
            guard carry == 0 else { return nil }
        }
        if isNegative { bytes = negated(bytes) }
        return Self.text(bytes, isSigned: isSigned).utf8Equals(text) ? bytes : nil
    }
}
