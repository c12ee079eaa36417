import SCALE
import SubstratePrimitives

/// The signature of an update, and the key that it names. Nothing here verifies it.
public struct UpdateSignature: Sendable, Equatable {
    /// The key that the update names as its verifier's.
    public let key: PublicKey
    /// `SignatureScheme.signatureLength` bytes.
    public let signature: [UInt8]

    /// A signature of that key.
    /// - `signature`: `SignatureScheme.signatureLength` bytes, which is not checked.
    public init(key: PublicKey, signature: [UInt8]) {
        self.key = key
        self.signature = signature
    }

    /// Reads the bytes of ``sufficientCrypto``.
    /// - Throws: `SCALEError` for an unknown scheme, for truncated and for leftover bytes.
    public init(sufficientCrypto bytes: [UInt8]) throws(SCALEError) {
        var reader = SCALEReader(bytes)
        key = try PublicKey(multiSigner: &reader)
        signature = try reader.bytes(count: key.scheme.signatureLength)
        try reader.finish()
    }

    /// SufficientCrypto, for the hot side to attach: scheme byte (ed25519 0, sr25519 1, ecdsa 2), public key,
    /// signature.
    ///
    /// nil for an Ethereum-style key: it would be read as an ecdsa key, and its signature is over another
    /// digest.
    public var sufficientCrypto: [UInt8]? {
        guard key.scheme != .ethereum else { return nil }
        return SCALEWriter.encode { writer in
            key.encode(multiSigner: &writer)
            writer.raw(signature)
        }
    }
}
