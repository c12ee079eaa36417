import CSodium
import Keys

/// A number below ℓ = 2^252 + 27742317777372353535851937790883648493, the order of both groups. For public
/// numbers only: secret ones stay in wiped memory and are reached by pointers.
struct Scalar: Hashable, Sendable {
    /// 32 bytes, little-endian.
    let bytes: [UInt8]

    static let zero = Scalar(0)
    static let one = Scalar(1)

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    init(_ small: UInt8) { bytes = [small] + [UInt8](repeating: 0, count: 31) }

    /// nil for other than 32 bytes and for a number that is not below ℓ. libsodium reduces such a number
    /// silently, so that one share would have several encodings.
    init?(bytes: [UInt8]) {
        guard bytes.count == 32, bytes.withUnsafeBufferPointer({ SecretScalar.isReduced($0.baseAddress!) })
        else { return nil }
        self.bytes = bytes
    }

    /// 64 bytes modulo ℓ.
    init(reducing wide: [UInt8]) {
        precondition(wide.count == 64, "64 bytes are reduced")
        var bytes = [UInt8](repeating: 0, count: 32)
        crypto_core_ristretto255_scalar_reduce(&bytes, wide)
        self.bytes = bytes
    }

    var isZero: Bool { bytes.allSatisfy { $0 == 0 } }

    static func + (one: Scalar, other: Scalar) -> Scalar {
        combine(one, other, crypto_core_ristretto255_scalar_add)
    }
    static func - (one: Scalar, other: Scalar) -> Scalar {
        combine(one, other, crypto_core_ristretto255_scalar_sub)
    }
    static func * (one: Scalar, other: Scalar) -> Scalar {
        combine(one, other, crypto_core_ristretto255_scalar_mul)
    }

    /// nil for zero.
    var inverse: Scalar? {
        var out = [UInt8](repeating: 0, count: 32)
        return crypto_core_ristretto255_scalar_invert(&out, bytes) == 0 ? Scalar(unchecked: out) : nil
    }

    private static func combine(
        _ one: Scalar, _ other: Scalar,
        _ operation: (UnsafeMutablePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>) -> Void
    ) -> Scalar {
        var out = [UInt8](repeating: 0, count: 32)
        operation(&out, one.bytes, other.bytes)
        return Scalar(unchecked: out)
    }
}

/// Secret numbers below ℓ, 32 bytes each, wherever they lie. libsodium's operations take the same time for
/// all of them.
enum SecretScalar {
    typealias Reading = UnsafePointer<UInt8>
    typealias Writing = UnsafeMutablePointer<UInt8>

    static let width = 32

    static func isReduced(_ scalar: Reading) -> Bool {
        withSecretScratch(96) { scratch in
            (scratch + 32).update(from: scalar, count: width)
            crypto_core_ristretto255_scalar_reduce(scratch, scratch + 32)
            return sodium_memcmp(scratch, scalar, width) == 0
        }
    }

    static func add(_ out: Writing, _ one: Reading, _ other: Reading) {
        crypto_core_ristretto255_scalar_add(out, one, other)
    }
    static func subtract(_ out: Writing, _ one: Reading, _ other: Reading) {
        crypto_core_ristretto255_scalar_sub(out, one, other)
    }
    static func multiply(_ out: Writing, _ one: Reading, _ other: Reading) {
        crypto_core_ristretto255_scalar_mul(out, one, other)
    }

    /// out = Σ x^k · a_k, for a polynomial whose coefficients lie one behind the other.
    static func evaluate(_ out: Writing, coefficients: Reading, count: Int, at x: Scalar) {
        out.update(from: coefficients + (count - 1) * width, count: width)
        for k in stride(from: count - 2, through: 0, by: -1) {
            multiply(out, out, x.bytes)
            add(out, out, coefficients + k * width)
        }
    }
}
