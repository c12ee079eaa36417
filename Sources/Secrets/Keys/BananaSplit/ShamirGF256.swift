/// Arithmetic on bytes as polynomials over GF(2), in a time that does not depend on them.
struct GF256: Sendable {
    /// x^8 in the field, as a polynomial of lower degree.
    let reduction: UInt8

    /// x^8 + x^4 + x^3 + x^2 + 1 (0x11d), as secrets.js has it.
    static let secretsJS = GF256(reduction: 0x1d)
    /// x^8 + x^4 + x^3 + x + 1 (0x11b), Rijndael's.
    static let rijndael = GF256(reduction: 0x1b)

    func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var product: UInt8 = 0
        var shifted = a
        for bit in 0..<8 {
            product ^= shifted & (0 &- (b >> UInt8(bit) & 1))
            shifted = shifted << 1 ^ reduction & (0 &- (shifted >> 7))
        }
        return product
    }

    /// a^254; 0 for 0.
    func invert(_ a: UInt8) -> UInt8 {
        var result: UInt8 = 1
        var power = a
        for bit in 0..<8 {
            if 254 >> bit & 1 == 1 { result = multiply(result, power) }
            power = multiply(power, power)
        }
        return result
    }

    /// Writes the values at `x` of the polynomials through some points (Lagrange) to `out`.
    /// - Parameters:
    ///   - ids: where the points are; all differ.
    ///   - x: may be one of them.
    ///   - out: as many bytes as each point has values.
    ///   - values: lends those of the point of an index.
    func interpolate(
        _ ids: [UInt8], at x: UInt8, into out: UnsafeMutableRawBufferPointer,
        _ values: (Int, (UnsafeRawBufferPointer) -> Void) -> Void
    ) {
        for place in out.indices { out[place] = 0 }
        for (index, id) in ids.enumerated() {
            var weight: UInt8 = 1
            for other in ids where other != id {
                weight = multiply(weight, multiply(x ^ other, invert(id ^ other)))
            }
            values(index) { values in
                for place in out.indices { out[place] ^= multiply(weight, values[place]) }
            }
        }
    }
}

/// Shamir's secret sharing, byte by byte, as secrets.js does it.
enum ShamirGF256 {
    private static let field = GF256.secretsJS

    /// A point of every byte's polynomial.
    struct Share: Equatable, Sendable {
        /// 1…255
        var id: UInt8
        var values: [UInt8]
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
                        value = field.multiply(value ^ coefficients[degree * secret.count + index], x)
                    }
                    return value ^ secret[index]
                }
            }
            return Share(id: x, values: values)
        }
    }

    /// The values at `x` of the polynomials through shares with distinct ids and equal lengths. At 0 they are
    /// the secret.
    static func interpolate(_ shares: [Share], at x: UInt8) -> [UInt8] {
        var values = [UInt8](repeating: 0, count: shares.first?.values.count ?? 0)
        values.withUnsafeMutableBytes { values in
            field.interpolate(shares.map(\.id), at: x, into: values) { index, body in
                shares[index].values.withUnsafeBytes(body)
            }
        }
        return values
    }
}
