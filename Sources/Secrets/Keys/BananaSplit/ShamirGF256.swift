/// Shamir's secret sharing over GF(2^8) with the polynomial x^8 + x^4 + x^3 + x^2 + 1 (0x11d), byte by byte,
/// as secrets.js does it.
enum ShamirGF256 {
    /// A point of every byte's polynomial.
    struct Share: Equatable, Sendable {
        /// 1…255
        var id: UInt8
        var values: [UInt8]
    }

    /// Product in the field, in a time that does not depend on the factors.
    static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var product: UInt8 = 0
        var shifted = a
        for bit in 0..<8 {
            product ^= shifted & (0 &- (b >> UInt8(bit) & 1))
            shifted = shifted << 1 ^ 0x1d & (0 &- (shifted >> 7))
        }
        return product
    }

    /// a^254; 0 for 0.
    static func invert(_ a: UInt8) -> UInt8 {
        var result: UInt8 = 1
        var power = a
        for bit in 0..<8 {
            if 254 >> bit & 1 == 1 { result = multiply(result, power) }
            power = multiply(power, power)
        }
        return result
    }

    /// The values at 1…total of random polynomials of degree `required` − 1 whose values at 0 are `secret`.
    static func split(_ secret: [UInt8], total: Int, required: Int) -> [Share] {
        let coefficients = SecretBytes(randomCount: secret.count * (required - 1))
        return (1...total).map { id in
            let x = UInt8(id)
            let values = coefficients.withUnsafeBytes { coefficients in
                secret.indices.map { index in
                    var value: UInt8 = 0
                    for degree in (0..<(required - 1)).reversed() {
                        value = multiply(value ^ coefficients[degree * secret.count + index], x)
                    }
                    return value ^ secret[index]
                }
            }
            return Share(id: x, values: values)
        }
    }

    /// The values at `x` of the polynomials through shares with distinct ids and equal lengths (Lagrange). At
    /// 0 they are the secret.
    static func interpolate(_ shares: [Share], at x: UInt8) -> [UInt8] {
        var values = [UInt8](repeating: 0, count: shares.first?.values.count ?? 0)
        for share in shares {
            var weight: UInt8 = 1
            for other in shares where other.id != share.id {
                weight = multiply(weight, multiply(x ^ other.id, invert(share.id ^ other.id)))
            }
            for index in values.indices { values[index] ^= multiply(weight, share.values[index]) }
        }
        return values
    }
}
