/// Single octets of GF(256). Source: RFC 6330, sections 5.7.2 to 5.7.4; the field polynomial is x^8 + x^4 +
/// x^3 + x^2 + 1.
enum OctetArithmetic {
    /// OCT_EXP, twice over so that a sum of two logarithms needs no reduction: alpha^i at i, alpha = 2.
    private static let exponentials: [UInt8] = {
        var values: [UInt8] = []
        var power = 1
        for _ in 0..<510 {
            values.append(UInt8(power))
            power <<= 1
            if power > 0xff { power ^= 0x11d }
        }
        return values
    }()

    /// OCT_LOG; the entry of 0 is never read.
    private static let logarithms: [UInt8] = {
        var values = [UInt8](repeating: 0, count: 256)
        for exponent in 0..<255 { values[Int(exponentials[exponent])] = UInt8(exponent) }
        return values
    }()

    static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        a == 0 || b == 0 ? 0 : exponentials[Int(logarithms[Int(a)]) + Int(logarithms[Int(b)])]
    }

    /// - Parameter a: not zero
    static func inverse(_ a: UInt8) -> UInt8 { exponentials[255 - Int(logarithms[Int(a)])] }

    /// alpha^exponent, exponent 0…254
    static func power(_ exponent: Int) -> UInt8 { exponentials[exponent] }
}
