import CSodium
import SubstratePrimitives

/// A key that another wallet made, and that no seed of this vault gives.
public final class ForeignKey: Sendable {
    /// Secret and public key.
    public let pair: KeyPair
    /// What the other wallet calls it; nil where it says nothing.
    public let name: String?

    public var publicKey: PublicKey { pair.publicKey }

    public init(_ pair: consuming KeyPair, name: String? = nil) {
        self.pair = pair
        self.name = name
    }
}

extension KeyPair {
    /// The key of a secret without a phrase: 32 bytes for every scheme, or for sr25519 scalar ‖ nonce, as
    /// ``exportSecret()`` gives them.
    public static func importing(_ secret: borrowing SecretBytes, scheme: SignatureScheme) throws(KeyError)
        -> KeyPair
    {
        guard scheme == .sr25519, secret.count == Sr25519.secretLength else {
            return try derive(miniSecret: secret, scheme: scheme)
        }
        guard secret.withUnsafeBytes(isScalar) else { throw .unusableSecret }
        return sr25519(expanded: secret)
    }

    /// The key of scalar ‖ nonce, with the scalar multiplied by the cofactor 8, as polkadot-js stores it
    /// (schnorrkel's `to_half_ed25519_bytes`).
    static func importing(timesCofactor secret: borrowing SecretBytes) throws(KeyError) -> KeyPair {
        guard secret.count == Sr25519.secretLength else { throw .secretLength(secret.count) }
        guard secret.withUnsafeBytes({ $0[0] & 7 == 0 }) else { throw .unusableSecret }
        let divided = secret.copy()
        divided.withUnsafeMutableBytes {
            Sr25519.divideByCofactor($0.bindMemory(to: UInt8.self).baseAddress!)
        }
        return try importing(divided, scheme: .sr25519)
    }

    /// Whether the first 32 bytes are below the group order and not zero.
    private static func isScalar(_ secret: UnsafeRawBufferPointer) -> Bool {
        withSecretScratch(96) { scratch in
            UnsafeMutableRawBufferPointer(start: scratch, count: 32)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: secret[..<32]))
            let reduced = scratch + 64
            crypto_core_ristretto255_scalar_reduce(reduced, scratch)
            return sodium_memcmp(reduced, scratch, 32) == 0 && sodium_is_zero(scratch, 32) == 0
        }
    }
}
