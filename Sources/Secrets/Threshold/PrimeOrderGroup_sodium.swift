import CSodium

/// A group of order ℓ. Points are their encodings, 32 bytes.
///
/// What comes from outside passes ``isValid(_:)`` before anything else. Sums on the way to a result may be
/// the identity, because a member can choose its points so; results may not.
protocol PrimeOrderGroup: Sendable {
    static var identity: [UInt8] { get }
    /// Whether the bytes are the canonical encoding of a point of order ℓ. False for the identity.
    static func isValid(_ point: [UInt8]) -> Bool
    /// nil for what is not a point.
    static func add(_ one: [UInt8], _ other: [UInt8]) -> [UInt8]?
    /// scalar · B; nil for zero. In constant time.
    static func multiplyBase(_ scalar: UnsafePointer<UInt8>) -> [UInt8]?
    /// scalar · point; nil for what is not a point, and where the product is the identity.
    static func multiply(_ scalar: UnsafePointer<UInt8>, _ point: [UInt8]) -> [UInt8]?
}

extension PrimeOrderGroup {
    static func base(_ scalar: Scalar) -> [UInt8]? { scalar.isZero ? identity : multiplyBase(scalar.bytes) }

    /// A product of public values, where zero and the identity are allowed.
    static func times(_ scalar: Scalar, _ point: [UInt8]) -> [UInt8]? {
        if scalar == .one { return point }
        return scalar.isZero || point == identity ? identity : multiply(scalar.bytes, point)
    }

    static func sum(_ points: some Sequence<[UInt8]>) -> [UInt8]? {
        var total = identity
        for point in points {
            guard let next = total == identity ? point : add(total, point) else { return nil }
            total = next
        }
        return total
    }

    /// Σ x^k · C_k: what a share at x must be times B.
    static func evaluate(_ commitments: [[UInt8]], at x: Scalar) -> [UInt8]? {
        guard var total = commitments.last else { return nil }
        for commitment in commitments.dropLast().reversed() {
            guard let product = times(x, total), let next = add(product, commitment) else { return nil }
            total = next
        }
        return total
    }
}

/// RFC 9496.
enum Ristretto255: PrimeOrderGroup {
    static let identity = [UInt8](repeating: 0, count: 32)

    // libsodium 1.0.18 takes the identity for a valid point, and passes over the top bit, which no encoding
    // of RFC 9496 has. With it the identity would pass for a commitment, which nobody can answer, and a dealt
    // key would be an account that no chain takes a signature of.
    static func isValid(_ point: [UInt8]) -> Bool {
        point.count == 32 && point[31] & 0x80 == 0 && point != identity
            && crypto_core_ristretto255_is_valid_point(point) == 1
    }

    static func add(_ one: [UInt8], _ other: [UInt8]) -> [UInt8]? {
        var out = identity
        return crypto_core_ristretto255_add(&out, one, other) == 0 ? out : nil
    }

    static func multiplyBase(_ scalar: UnsafePointer<UInt8>) -> [UInt8]? {
        var out = identity
        return crypto_scalarmult_ristretto255_base(&out, scalar) == 0 ? out : nil
    }

    static func multiply(_ scalar: UnsafePointer<UInt8>, _ point: [UInt8]) -> [UInt8]? {
        var out = identity
        return crypto_scalarmult_ristretto255(&out, scalar, point) == 0 ? out : nil
    }
}

/// The subgroup of prime order of edwards25519.
enum Edwards25519: PrimeOrderGroup {
    static let identity: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)

    // libsodium refuses the identity, points of small or mixed order and encodings that are not canonical.
    static func isValid(_ point: [UInt8]) -> Bool {
        point.count == 32 && crypto_core_ed25519_is_valid_point(point) == 1
    }

    static func add(_ one: [UInt8], _ other: [UInt8]) -> [UInt8]? {
        var out = identity
        return crypto_core_ed25519_add(&out, one, other) == 0 ? out : nil
    }

    static func multiplyBase(_ scalar: UnsafePointer<UInt8>) -> [UInt8]? {
        var out = identity
        return crypto_scalarmult_ed25519_base_noclamp(&out, scalar) == 0 ? out : nil
    }

    static func multiply(_ scalar: UnsafePointer<UInt8>, _ point: [UInt8]) -> [UInt8]? {
        var out = identity
        return crypto_scalarmult_ed25519_noclamp(&out, scalar, point) == 0 ? out : nil
    }
}
