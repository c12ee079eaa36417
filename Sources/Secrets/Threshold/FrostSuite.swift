import Hashing
import Keys
import SubstratePrimitives

/// A ciphersuite of FROST (RFC 9591, section 6): a group, its hashes and the signature that comes out.
///
/// The tests add the RFC's suite of ristretto255, whose vectors prove this code on the group of sr25519.
protocol FrostSuite: Sendable {
    static var group: any PrimeOrderGroup.Type { get }
    /// The prefix of the input of every hash except H2. It differs between suites, so that a share of one
    /// suite is useless in another.
    static var context: StaticString { get }
    /// H2.
    static func challenge(commitment: [UInt8], publicKey: [UInt8], message: [UInt8]) -> Scalar
    /// R ‖ z in the form that verifiers expect.
    static func signature(commitment: [UInt8], scalar: Scalar) -> [UInt8]
    /// Verifies a signature like one of a single key.
    static func verify(_ signature: [UInt8], message: [UInt8], publicKey: [UInt8]) -> Bool
}

extension FrostSuite {
    private static func hash(_ label: String, _ message: [UInt8]) -> [UInt8] {
        SHA512.hash(Array(context.description.utf8) + Array(label.utf8) + message)
    }

    static func h1(_ message: [UInt8]) -> Scalar { Scalar(reducing: hash("rho", message)) }
    static func h4(_ message: [UInt8]) -> [UInt8] { hash("msg", message) }
    static func h5(_ message: [UInt8]) -> [UInt8] { hash("com", message) }

    /// H3, whose input is secret, of random bytes and a share, 32 bytes each, and a public suffix.
    static func h3(
        random: UnsafePointer<UInt8>, share: UnsafePointer<UInt8>, suffix: [UInt8],
        into nonce: UnsafeMutablePointer<UInt8>
    ) {
        let hash = SecretHash()
        hash.append(Array(context.description.utf8) + Array("nonce".utf8))
        hash.append(random, count: 32)
        hash.append(share, count: 32)
        hash.append(suffix)
        hash.finish(reducedInto: nonce)
    }
}

/// FROST(Ed25519, SHA-512) of RFC 9591, section 6.1.
enum Ed25519Suite: FrostSuite {
    static let group: any PrimeOrderGroup.Type = Edwards25519.self
    static let context: StaticString = "FROST-ED25519-SHA512-v1"

    /// Without the context: the signature is a plain Ed25519 one.
    static func challenge(commitment: [UInt8], publicKey: [UInt8], message: [UInt8]) -> Scalar {
        Scalar(reducing: SHA512.hash(commitment + publicKey + message))
    }

    static func signature(commitment: [UInt8], scalar: Scalar) -> [UInt8] { commitment + scalar.bytes }

    static func verify(_ signature: [UInt8], message: [UInt8], publicKey: [UInt8]) -> Bool {
        guard let key = PublicKey(scheme: .ed25519, bytes: publicKey) else { return false }
        return Signature.verify(signature, message: message, key: key)
    }
}

/// The RFC's construction on ristretto255 with schnorrkel's challenge, so that a plain sr25519 signature
/// comes out.
enum Sr25519Suite: FrostSuite {
    static let group: any PrimeOrderGroup.Type = Ristretto255.self
    static let context: StaticString = "HELIOGRAPH-FROST-SR25519-SHA512-v1"

    static func challenge(commitment: [UInt8], publicKey: [UInt8], message: [UInt8]) -> Scalar {
        message.withUnsafeBytes {
            Scalar(bytes: Sr25519.challenge(commitment: commitment, message: $0, publicKey: publicKey))!
        }
    }

    /// The marker is set once the sum is complete: set in a share, it would change the sum.
    static func signature(commitment: [UInt8], scalar: Scalar) -> [UInt8] {
        var signature = commitment + scalar.bytes
        signature[63] |= Sr25519.marker
        return signature
    }

    static func verify(_ signature: [UInt8], message: [UInt8], publicKey: [UInt8]) -> Bool {
        guard let key = PublicKey(scheme: .sr25519, bytes: publicKey) else { return false }
        return Signature.verify(signature, message: message, key: key)
    }
}
