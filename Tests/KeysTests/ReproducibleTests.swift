import Hashing
import SubstratePrimitives
import Testing

@testable import Keys

/// `fixtures/keys/README.md`: a Python program written from the descriptions of Merlin and schnorrkel.
@Suite struct ReproducibleTests {
    struct Sample: Decodable {
        let id: Int
        let seed: String
        let context: String
        let publicKey: String
        let message: String
        let signature: String
    }

    @Test func `reproducible signatures are those of another program`() throws {
        for sample in try fixture("reproducible", Sample.self) {
            let pair = try KeyPair.derive(miniSecret: secretBytes(sample.seed.hex), scheme: .sr25519)
            #expect(Hex.encode(pair.publicKey.bytes) == sample.publicKey, "case \(sample.id)")
            let domain: SigningDomain = sample.context == "substrate" ? .substrate : .heliograph
            let signature = try pair.sign(sample.message.hex, domain: domain, nonce: .reproducible)
            #expect(Hex.encode(signature) == sample.signature, "case \(sample.id)")
        }
    }

    /// A second machine has the same seed and path, and nothing else.
    @Test(arguments: SignatureScheme.allCases)
    func `two machines give the same bytes for a thousand payloads, and a hedged answer differs`(
        scheme: SignatureScheme
    ) throws {
        let first = try developmentKey("//Alice", scheme)
        let second = try developmentKey("//Alice", scheme)
        var seen: Set<[UInt8]> = []
        for number in 0..<1000 {
            let message = BLAKE2b.hash([UInt8(number & 255), UInt8(number >> 8)], length: 1 + number % 64)
            let signature = try first.sign(message, nonce: .reproducible)
            #expect(try second.sign(message, nonce: .reproducible) == signature)
            #expect(seen.insert(Array(signature.prefix(32))).inserted)
            if number < 20 { #expect((try first.sign(message) != signature) == (scheme == .sr25519)) }
        }
    }

    /// One r for two challenges gives the key away, so whatever changes the challenge changes R: message,
    /// context and public key. So do all 64 bytes of the secret.
    @Test func `R depends on everything that the challenge depends on`() throws {
        let pair = try developmentKey("//Alice/soft")
        let secret = plain(pair.exportSecret())
        func point(
            _ secret: [UInt8], _ key: [UInt8], message: [UInt8] = [1],
            _ context: Sr25519.Context = .substrate,
            _ nonce: Sr25519.Nonce = .reproducible
        ) -> [UInt8] {
            message.withUnsafeBytes {
                Array(
                    Sr25519.sign($0, secret: secret, publicKey: key, context: context, nonce: nonce).prefix(
                        32))
            }
        }
        let key = pair.publicKey.bytes
        var seen: Set = [
            point(secret, key), point(secret, key, message: [1, 0]), point(secret, key, .heliograph),
            point(secret, key, .group),
            point(secret, try developmentKey("//Bob").publicKey.bytes),
            // A hedged nonce whose randomness is zero.
            point(secret, key, .substrate, .hedged { $0.update(repeating: 0, count: $1) }),
        ]
        #expect(seen.count == 6)
        for index in secret.indices where index != 31 {
            var other = secret
            other[index] ^= 1
            #expect(seen.insert(point(other, key)).inserted, "byte \(index)")
        }
    }
}
