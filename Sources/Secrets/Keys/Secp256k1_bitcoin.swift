import CSecp256k1
import CSodium

/// ECDSA with recovery on secp256k1, through bitcoin-core/secp256k1.
///
/// Digests are 32 bytes; keys 33 (compressed); signatures 65: r ‖ s (both big-endian, s in the lower half) ‖
/// recovery id 0…3.
package enum Secp256k1 {
    static let secretLength = 32

    private struct Context: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// One context for the process, blinded against side channels with random bytes.
    private static let context: Context = {
        guard let pointer = secp256k1_context_create(heliograph_secp256k1_context_none) else {
            fatalError("no memory for libsecp256k1")
        }
        withSecretScratch(32) { blinding in
            randombytes_buf(blinding, 32)
            precondition(secp256k1_context_randomize(pointer, blinding) == 1, "libsecp256k1 does not start")
        }
        return Context(pointer: pointer)
    }()

    /// nil when the secret is zero or not below the group order.
    static func publicKey(secret: UnsafePointer<UInt8>) -> [UInt8]? {
        var point = secp256k1_pubkey()
        guard secp256k1_ec_pubkey_create(context.pointer, &point, secret) == 1 else { return nil }
        return serialize(point, compressed: true)
    }

    /// Adds 32 bytes to a secret modulo the group order. false where the bytes are not below it, or the sum
    /// is zero; then the secret is gone.
    static func add(_ tweak: UnsafePointer<UInt8>, to secret: UnsafeMutablePointer<UInt8>) -> Bool {
        secp256k1_ec_seckey_tweak_add(context.pointer, secret, tweak) == 1
    }

    /// 65 bytes: `04` ‖ x ‖ y; nil when the 33 bytes are not a point.
    static func uncompress(_ publicKey: [UInt8]) -> [UInt8]? {
        parse(publicKey).map { serialize($0, compressed: false) }
    }

    /// Deterministic (RFC 6979). nil when the secret is zero or not below the group order.
    static func sign(digest: [UInt8], secret: UnsafePointer<UInt8>) -> [UInt8]? {
        var signature = secp256k1_ecdsa_recoverable_signature()
        var bytes = [UInt8](repeating: 0, count: 65)
        var recovery: Int32 = 0
        guard secp256k1_ecdsa_sign_recoverable(context.pointer, &signature, digest, secret, nil, nil) == 1
        else { return nil }
        secp256k1_ecdsa_recoverable_signature_serialize_compact(
            context.pointer, &bytes, &recovery, &signature)
        bytes[64] = UInt8(recovery)
        return bytes
    }

    /// Whether the signature verifies and its recovery id leads to exactly this key. A signature with s in
    /// the upper half is refused, as the chains do.
    package static func verify(_ signature: [UInt8], digest: [UInt8], publicKey: [UInt8]) -> Bool {
        guard let recoverable = parseSignature(signature), var point = parse(publicKey) else { return false }
        var recoverableCopy = recoverable
        var plain = secp256k1_ecdsa_signature()
        secp256k1_ecdsa_recoverable_signature_convert(context.pointer, &plain, &recoverableCopy)
        return secp256k1_ecdsa_verify(context.pointer, &plain, digest, &point) == 1
            && recover(signature, digest: digest) == publicKey
    }

    /// The compressed key that made the signature; nil when there is none.
    static func recover(_ signature: [UInt8], digest: [UInt8]) -> [UInt8]? {
        guard var recoverable = parseSignature(signature) else { return nil }
        var point = secp256k1_pubkey()
        guard secp256k1_ecdsa_recover(context.pointer, &point, &recoverable, digest) == 1 else { return nil }
        return serialize(point, compressed: true)
    }

    private static func parseSignature(_ signature: [UInt8]) -> secp256k1_ecdsa_recoverable_signature? {
        guard signature.count == 65, signature[64] < 4 else { return nil }
        var parsed = secp256k1_ecdsa_recoverable_signature()
        let status = secp256k1_ecdsa_recoverable_signature_parse_compact(
            context.pointer, &parsed, signature, Int32(signature[64]))
        return status == 1 ? parsed : nil
    }

    private static func parse(_ publicKey: [UInt8]) -> secp256k1_pubkey? {
        guard publicKey.count == 33 else { return nil }
        var point = secp256k1_pubkey()
        return secp256k1_ec_pubkey_parse(context.pointer, &point, publicKey, publicKey.count) == 1
            ? point : nil
    }

    private static func serialize(_ point: secp256k1_pubkey, compressed: Bool) -> [UInt8] {
        var point = point
        var length = compressed ? 33 : 65
        var bytes = [UInt8](repeating: 0, count: length)
        let form = compressed ? heliograph_secp256k1_compressed : heliograph_secp256k1_uncompressed
        secp256k1_ec_pubkey_serialize(context.pointer, &bytes, &length, &point, form)
        return bytes
    }
}
