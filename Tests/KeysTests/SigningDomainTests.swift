import Hashing
import Keys
import SubstratePrimitives
import Testing

@Suite struct SigningDomainTests {
    struct Sample: Decodable {
        let id: Int
        let scheme: String
        let seed: String
        let publicKey: String
        let message: String
        let signature: String
    }

    /// Signatures of other programs: `fixtures/keys/README.md`.
    @Test func `signatures of other programs verify in the domain heliograph and in no other`() throws {
        let samples = try fixture("heliograph-domain", Sample.self)
        #expect(Set(samples.map(\.scheme)) == ["sr25519", "ed25519", "ecdsa", "ethereum"])
        for sample in samples {
            let scheme = try #require(SignatureScheme(name: sample.scheme))
            let pair = try KeyPair.derive(miniSecret: secretBytes(sample.seed.hex), scheme: scheme)
            let key = pair.publicKey
            #expect(Hex.encode(key.bytes) == sample.publicKey, "case \(sample.id)")
            #expect(
                Signature.verify(
                    sample.signature.hex, message: sample.message.hex, key: key, domain: .heliograph),
                "case \(sample.id)")
            #expect(
                !Signature.verify(sample.signature.hex, message: sample.message.hex, key: key),
                "case \(sample.id)")
            let ours = try pair.sign(sample.message.hex, domain: .heliograph)
            // sr25519 draws a nonce.
            if scheme != .sr25519 { #expect(ours == sample.signature.hex, "case \(sample.id)") }
            #expect(Signature.verify(ours, message: sample.message.hex, key: key, domain: .heliograph))
        }
    }

    @Test(arguments: SignatureScheme.allCases) func `a signature of one domain is invalid in the other`(
        scheme: SignatureScheme
    ) throws {
        let pair = try developmentKey("//Alice", scheme)
        let message = Array("list".utf8)
        for domain in SigningDomain.allCases {
            let signature = try pair.sign(message, domain: domain)
            for other in SigningDomain.allCases {
                #expect(
                    Signature.verify(signature, message: message, key: pair.publicKey, domain: other)
                        == (domain == other))
            }
        }
    }

    /// Without a context the marker is all that tells the domains apart, so whoever signs for Substrate
    /// refuses bytes that start with it.
    @Test(arguments: [SignatureScheme.ed25519, .ecdsa, .ethereum])
    func `the marker alone makes the domain where a scheme has no context`(scheme: SignatureScheme) throws {
        let pair = try developmentKey("//Alice", scheme)
        let signature = try pair.sign(SigningDomain.marker + [1, 2, 3])
        #expect(Signature.verify(signature, message: [1, 2, 3], key: pair.publicKey, domain: .heliograph))
        #expect(SigningDomain.marker == [UInt8](repeating: 0xff, count: 64))
    }
}
