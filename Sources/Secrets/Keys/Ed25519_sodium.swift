import CSodium

/// Ed25519 (RFC 8032), through libsodium, which refuses scalars that are not reduced and keys of small order.
///
/// A secret is 64 bytes: seed ‖ public key.
enum Ed25519 {
    static let secretLength = 64

    /// Expands the 32-byte seed at the start of `secret` in place and returns the public key.
    static func expand(secret: UnsafeMutablePointer<UInt8>) -> [UInt8] {
        var publicKey = [UInt8](repeating: 0, count: 32)
        withSecretScratch(32) { seed in
            seed.update(from: secret, count: 32)
            _ = crypto_sign_seed_keypair(&publicKey, secret, seed)
        }
        return publicKey
    }

    /// The clamped scalar of the seed at the start of `secret`, reduced modulo the group order. `wide` has 64
    /// bytes for secrets.
    static func scalar(
        secret: UnsafePointer<UInt8>, wide: UnsafeMutablePointer<UInt8>,
        into scalar: UnsafeMutablePointer<UInt8>
    ) {
        crypto_hash_sha512(wide, secret, 32)
        wide[0] &= 0b1111_1000
        wide[31] = wide[31] & 0b0011_1111 | 0b0100_0000
        for index in 32..<64 { wide[index] = 0 }
        crypto_core_ed25519_scalar_reduce(scalar, wide)
    }

    static func sign(_ message: UnsafeRawBufferPointer, secret: UnsafePointer<UInt8>) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: 64)
        _ = crypto_sign_detached(
            &signature, nil, message.bindMemory(to: UInt8.self).baseAddress, UInt64(message.count), secret)
        return signature
    }

    static func verify(_ signature: [UInt8], message: UnsafeRawBufferPointer, publicKey: [UInt8]) -> Bool {
        guard signature.count == 64, publicKey.count == 32 else { return false }
        let bytes = message.bindMemory(to: UInt8.self).baseAddress
        return crypto_sign_verify_detached(signature, bytes, UInt64(message.count), publicKey) == 0
    }
}
