import CSodium
import Hashing
import SubstratePrimitives

/// What signatures of one key are for. A signature of one domain never verifies in the other.
public enum SigningDomain: Sendable, CaseIterable {
    /// Transactions, messages and updates, as Substrate signs them.
    case substrate
    /// Data that only this program reads, such as a list of contacts. sr25519 signs it under its own context.
    /// The other schemes have none, so their message follows ``marker``.
    case heliograph

    /// 64 bytes `ff`. No known chain has a pallet 255 with a call 255 and such arguments, no message starts
    /// like this behind `<Bytes>`, and the reviews of transactions and messages refuse bytes that start with
    /// it.
    public static let marker = [UInt8](repeating: 0xff, count: 64)

    /// The context of an sr25519 signature.
    var context: Sr25519.Context {
        switch self {
        case .substrate: .substrate
        case .heliograph: .heliograph
        }
    }

    /// What the scheme signs for this message in this domain.
    func bytes(_ message: [UInt8], scheme: SignatureScheme) -> [UInt8] {
        switch (self, scheme) {
        case (.substrate, _), (.heliograph, .sr25519): message
        case (.heliograph, .ed25519), (.heliograph, .ecdsa), (.heliograph, .ethereum): Self.marker + message
        }
    }
}

/// How the secret number of a signature is made, which gives the key away to whoever learns it.
public enum SigningNonce: String, Sendable, CaseIterable {
    /// From the key, the message and fresh randomness: neither a weak random source nor a fault of the
    /// machine that repeats a calculation helps an attacker. Two signatures of sr25519 over one message
    /// differ.
    case hedged
    /// From the key and the message alone, so that a second machine with the same seed must give the same
    /// bytes, and a signature that carries something else is noticed.
    case reproducible

    var ofSr25519: Sr25519.Nonce {
        switch self {
        case .hedged: .drawn
        case .reproducible: .reproducible
        }
    }
}

/// Signatures of the four schemes over whole messages.
///
/// | scheme | what is signed | bytes |
/// |---|---|---|
/// | ed25519 | the message | 64: R ‖ s |
/// | sr25519 | the message, context `substrate` or `heliograph` (``SigningDomain``) | 64: R ‖ s with the top bit set |
/// | ecdsa | BLAKE2b-256 of the message | 65: r ‖ s ‖ recovery id |
/// | ethereum | Keccak-256 of the message | 65: r ‖ s ‖ recovery id |
public enum Signature {
    /// Whether `signature` is one of `key` over `message`. Any wrong length is false, never a trap.
    public static func verify(
        _ signature: [UInt8], message: [UInt8], key: PublicKey, domain: SigningDomain = .substrate
    ) -> Bool {
        let message = domain.bytes(message, scheme: key.scheme)
        return message.withUnsafeBytes { bytes in
            switch key.scheme {
            case .sr25519:
                Sr25519.verify(signature, message: bytes, publicKey: key.bytes, context: domain.context)
            case .ed25519: Ed25519.verify(signature, message: bytes, publicKey: key.bytes)
            case .ecdsa, .ethereum:
                Secp256k1.verify(signature, digest: digest(message, scheme: key.scheme), publicKey: key.bytes)
            }
        }
    }

    /// The secp256k1 key that made a signature; nil for other schemes and where there is none.
    public static func recover(_ signature: [UInt8], message: [UInt8], scheme: SignatureScheme) -> PublicKey?
    {
        guard scheme == .ecdsa || scheme == .ethereum else { return nil }
        return Secp256k1.recover(signature, digest: digest(message, scheme: scheme)).flatMap {
            PublicKey(scheme: scheme, bytes: $0)
        }
    }

    static func digest(_ message: [UInt8], scheme: SignatureScheme) -> [UInt8] {
        scheme == .ethereum ? Keccak256.hash(message) : BLAKE2b.hash(message)
    }
}
