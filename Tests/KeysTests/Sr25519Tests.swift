import Hashing
import SubstratePrimitives
import Testing

@testable import Keys

/// What a signature depends on, and what it may not look like.
@Suite struct Sr25519Laws {
    /// Scalar ‖ nonce of //Alice after a soft junction, which leaves no seed, and its public key.
    private struct Pair {
        var secret: [UInt8]
        let publicKey: [UInt8]

        init() throws {
            let pair = try developmentKey("//Alice/soft")
            secret = plain(pair.exportSecret())
            publicKey = pair.publicKey.bytes
        }

        var key: PublicKey { PublicKey(scheme: .sr25519, bytes: publicKey)! }

        func sign(_ message: [UInt8], random byte: UInt8) -> [UInt8] {
            message.withUnsafeBytes { message in
                Sr25519.sign(
                    message, secret: secret, publicKey: publicKey,
                    nonce: .hedged { $0.update(repeating: byte, count: $1) })
            }
        }
    }

    /// The order of the group, 2^252 + 27742317777372353535851937790883648493, little-endian.
    private static let order = Hex.decode("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")!

    private static func adding(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
        var (carry, sum): (UInt16, [UInt8]) = (0, [])
        for (one, other) in zip(one, other) {
            carry += UInt16(one) + UInt16(other)
            sum.append(UInt8(truncatingIfNeeded: carry))
            carry >>= 8
        }
        return sum
    }

    /// s and s plus the order give the same point: without this, everyone could change a signature that they
    /// see.
    @Test func aScalarThatIsNotReducedIsRefused() throws {
        let pair = try Pair()
        let signature = pair.sign([1, 2, 3], random: 0)
        var scalar = Array(signature[32...])
        scalar[31] &= 0x7f
        #expect(Signature.verify(signature, message: [1, 2, 3], key: pair.key))
        // Seven times the order still fits below the marker's bit.
        for times in 1...7 {
            scalar = Self.adding(scalar, Self.order)
            #expect(scalar[31] & 0x80 == 0)
            var other = Array(signature[..<32]) + scalar
            other[63] |= 0x80
            #expect(!Signature.verify(other, message: [1, 2, 3], key: pair.key), "\(times) times the order")
        }
    }

    @Test func theOrderItselfAndTheLargestScalarAreRefused() throws {
        let pair = try Pair()
        let point = Array(pair.sign([1], random: 0)[..<32])
        for scalar in [Self.order, [UInt8](repeating: 0xff, count: 32)] {
            var signature = point + scalar
            signature[63] |= 0x80
            #expect(!Signature.verify(signature, message: [1], key: pair.key))
        }
    }

    /// Two signatures with one R over two messages give the secret away. With a source of randomness that
    /// always says the same, R still depends on the message and on the secret's own nonce; with a good one,
    /// the same message has another R each time.
    @Test func theNonceIsBoundToTheSecretTheMessageAndTheRandomness() throws {
        let pair = try Pair()
        let signature = pair.sign([1, 2, 3], random: 0)
        #expect(pair.sign([1, 2, 3], random: 0) == signature)
        var other = pair
        other.secret[40] ^= 1
        let signatures = [
            signature, pair.sign([1, 2, 3], random: 1), pair.sign([1, 2], random: 0),
            other.sign([1, 2, 3], random: 0),
        ]
        #expect(Set(signatures.map { Array($0[..<32]) }).count == signatures.count)
        for (signature, message) in zip(
            signatures, [[1, 2, 3], [1, 2, 3], [1, 2], [1, 2, 3]] as [[UInt8]])
        {
            #expect(Signature.verify(signature, message: message, key: pair.key))
        }
    }

    /// Every byte of the nonce counts.
    @Test func everyByteOfTheSecretsNonceChangesTheSignature() throws {
        let pair = try Pair()
        var seen: Set<[UInt8]> = [Array(pair.sign([1], random: 0)[..<32])]
        for index in 32..<64 {
            var other = pair
            other.secret[index] ^= 0x10
            #expect(seen.insert(Array(other.sign([1], random: 0)[..<32])).inserted, "byte \(index)")
        }
    }

    /// The public key is part of what is signed, so a signature by one key is not valid for another key with
    /// the same secret.
    @Test func thePublicKeyIsPartOfTheSignature() throws {
        let (pair, other) = (try Pair(), try developmentKey("//Bob").publicKey)
        let signature = [UInt8](arrayLiteral: 1).withUnsafeBytes { message in
            Sr25519.sign(
                message, secret: pair.secret, publicKey: other.bytes,
                nonce: .hedged { $0.update(repeating: 0, count: $1) })
        }
        #expect(signature[..<32] != pair.sign([1], random: 0)[..<32])
        #expect(!Signature.verify(signature, message: [1], key: pair.key))
    }

    /// A soft child's nonce follows from all of its parent's secret: with the parent's nonce, two keys would
    /// share one.
    @Test func aSoftChildHasANonceOfItsOwn() throws {
        func child(_ secret: [UInt8], _ chainCode: UInt8) -> [UInt8] {
            var secret = secret
            Sr25519.deriveSoft(secret: &secret, chainCode: [UInt8](repeating: chainCode, count: 32))
            return secret
        }
        let parent = try Pair().secret
        var otherNonce = parent
        otherNonce[63] ^= 1
        let first = child(parent, 1)
        #expect(child(parent, 1) == first)
        #expect(first[..<32] != parent[..<32] && first[32...] != parent[32...])
        #expect(child(otherNonce, 1)[..<32] == first[..<32] && child(otherNonce, 1)[32...] != first[32...])
        #expect(child(parent, 2)[..<32] != first[..<32] && child(parent, 2)[32...] != first[32...])
    }

    /// The identity and what is no point are no keys: every signature with R = s·B would fit the first.
    @Test func theIdentityIsNoKey() throws {
        let identity = PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 0, count: 32))!
        var scalar = [UInt8](repeating: 0, count: 32)
        scalar[0] = 1
        let point = Sr25519.publicKey(secret: scalar)
        var signature = point + scalar
        signature[63] |= 0x80
        #expect(!Signature.verify(signature, message: [1], key: identity))
        let nonsense = PublicKey(scheme: .sr25519, bytes: [UInt8](repeating: 0xff, count: 32))!
        #expect(!Signature.verify(signature, message: [1], key: nonsense))
    }

    /// A second encoding of one point is another account, of which no chain takes a signature.
    @Test func aKeyWithTheTopBitSetIsNoKey() throws {
        let pair = try Pair()
        var bytes = pair.key.bytes
        func isValid(_ bytes: [UInt8]) throws -> Bool {
            let signature = [UInt8](arrayLiteral: 1).withUnsafeBytes { message in
                Sr25519.sign(message, secret: pair.secret, publicKey: bytes)
            }
            let key = try #require(PublicKey(scheme: .sr25519, bytes: bytes))
            return Signature.verify(signature, message: [1], key: key)
        }
        #expect(try isValid(bytes))
        bytes[31] |= 0x80
        #expect(try !isValid(bytes))
    }
}

/// ``KeyPair/sign(_:)`` verifies what it made.
@Suite struct CheckedSignatureTests {
    @Test(arguments: SignatureScheme.allCases)
    func aSignatureThatDoesNotVerifyLeavesNoKey(scheme: SignatureScheme) throws {
        let pair = try developmentKey("//Alice", scheme)
        let foreign = try developmentKey("//Bob", scheme)
        let good = try pair.sign([1])
        #expect(try pair.verified(good, over: [1]) == good)
        for bad in [
            flipping(7, of: good), try foreign.sign([1]), try pair.sign([2]), Array(good.dropLast()), [], nil,
        ] {
            #expect(throws: KeyError.signatureCheckFailed) { _ = try pair.verified(bad, over: [1]) }
        }
    }
}
