import SCALE
import SubstratePrimitives

/// A verifier's key and its signature over an update, as the cold side hands them out (`SufficientCrypto`).
///
/// Bytes: scheme index (0 ed25519, 1 sr25519, 2 ecdsa) ‖ public key (32, 32, 33) ‖ signature (64, 64, 65).
public struct UpdateSignature: Sendable, Equatable {
    public enum Failure: Error, Equatable, Sendable {
        /// In updates an Ethereum-style key signs like ecdsa and is marked as such.
        case unknownScheme(UInt8)
        case wrongSignatureLength(Int, expected: Int)
        case scale(SCALEError)
    }

    public let key: PublicKey
    public let signature: [UInt8]

    public init(key: PublicKey, signature: [UInt8]) throws(Failure) {
        guard key.scheme != .ethereum else { throw .unknownScheme(key.scheme.rawValue) }
        guard signature.count == key.scheme.signatureLength else {
            throw .wrongSignatureLength(signature.count, expected: key.scheme.signatureLength)
        }
        self.key = key
        self.signature = signature
    }

    /// Reads the whole of a `SufficientCrypto`; leftovers are refused.
    public init(sufficientCrypto bytes: [UInt8]) throws(Failure) {
        var reader = SCALEReader(bytes)
        do {
            let index = try reader.u8()
            guard index <= 2, let scheme = SignatureScheme(rawValue: index) else { throw Failure.unknownScheme(index) }
            key = PublicKey(scheme: scheme, bytes: try reader.bytes(count: scheme.publicKeyLength))!
            signature = try reader.bytes(count: scheme.signatureLength)
            try reader.finish()
        } catch let error as SCALEError {
            throw .scale(error)
        } catch let error as Failure {
            throw error
        } catch {
            preconditionFailure("a SCALE reader throws SCALE errors only")
        }
    }

    public var sufficientCrypto: [UInt8] { [key.scheme.rawValue] + key.bytes + signature }
}
