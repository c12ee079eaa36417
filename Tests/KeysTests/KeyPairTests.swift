import Hashing
import Keys
import SubstratePrimitives
import Testing

/// The published development phrase.
let developmentPhrase = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"

func developmentKey(_ path: String, _ scheme: SignatureScheme = .sr25519) throws -> KeyPair {
    try KeyPair.derive(
        phrase: SecretBytes(utf8: developmentPhrase), path: DerivationPath(path), scheme: scheme)
}

@Suite struct KeyPairTests {
    /// Published in Substrate's documentation of `subkey`.
    @Test(arguments: [
        ("", SignatureScheme.sr25519, "46ebddef8cd9bb167dc30878d7113b7e168e6f0646beffd77d69d39bad76b47a"),
        ("//Alice", .sr25519, "d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d"),
        ("//Bob", .sr25519, "8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48"),
        // py-sr25519-bindings 0.2.4
        ("/soft", .sr25519, "84aedc0aba19f398f70dbcbc94b318e1e8d4eab5854e4d8de569bc4890afa45e"),
        ("//Alice", .ed25519, "88dc3417d5058ec4b4503e0c12ea1a0a89be200fe98922423d4334014fa6b0ee"),
        ("//Alice", .ecdsa, "020a1091341fe5664bfa1782d5e04779689068c916b04cb365ec3153755684d9a1"),
    ])
    func developmentKeysAreThePublishedOnes(path: String, scheme: SignatureScheme, publicKey: String) throws {
        let pair = try developmentKey(path, scheme)
        #expect(Hex.encode(pair.publicKey.bytes) == publicKey)
        #expect(pair.publicKey.scheme == scheme)
    }

    @Test(arguments: SignatureScheme.allCases)
    func aMiniSecretHas32Bytes(scheme: SignatureScheme) throws {
        for count in [0, 31, 33, 64] {
            #expect(throws: KeyError.secretLength(count)) {
                _ = try KeyPair.derive(miniSecret: SecretBytes(count: count), scheme: scheme)
            }
        }
        _ = try KeyPair.derive(miniSecret: SecretBytes(randomCount: 32), scheme: scheme)
    }

    @Test(arguments: SignatureScheme.allCases)
    func aSignatureVerifiesAndAnyFlippedBitIsRefused(scheme: SignatureScheme) throws {
        let pair = try developmentKey("//Alice", scheme)
        let message = Array("a message".utf8)
        let signature = try pair.sign(message)
        #expect(signature.count == scheme.signatureLength)
        #expect(Signature.verify(signature, message: message, key: pair.publicKey))
        for bit in 0..<(8 * signature.count) {
            #expect(
                !Signature.verify(flipping(bit, of: signature), message: message, key: pair.publicKey),
                "signature bit \(bit)")
        }
        for bit in 0..<(8 * message.count) {
            #expect(
                !Signature.verify(signature, message: flipping(bit, of: message), key: pair.publicKey),
                "message bit \(bit)")
        }
        for bit in 0..<(8 * pair.publicKey.bytes.count) {
            let other = try #require(
                PublicKey(scheme: scheme, bytes: flipping(bit, of: pair.publicKey.bytes)))
            #expect(!Signature.verify(signature, message: message, key: other), "key bit \(bit)")
        }
    }

    @Test(arguments: SignatureScheme.allCases)
    func aSignatureOfAnotherLengthIsRefused(scheme: SignatureScheme) throws {
        let pair = try developmentKey("//Alice", scheme)
        let signature = try pair.sign([1])
        for length in 0..<signature.count {
            #expect(!Signature.verify(Array(signature.prefix(length)), message: [1], key: pair.publicKey))
        }
        #expect(!Signature.verify(signature + [0], message: [1], key: pair.publicKey))
    }

    @Test func sr25519SignaturesDifferEachTime() throws {
        let pair = try developmentKey("//Alice")
        #expect(try pair.sign([1, 2, 3]) != pair.sign([1, 2, 3]))
    }

    @Test(arguments: [SignatureScheme.ed25519, .ecdsa, .ethereum])
    func softJunctionsAreRefusedWhereASchemeHasNone(scheme: SignatureScheme) throws {
        #expect(throws: KeyError.softJunction(index: 1)) { _ = try developmentKey("//a/b", scheme) }
    }

    @Test func anExportedSeedLeadsBackToItsKey() throws {
        for scheme in SignatureScheme.allCases {
            let pair = try developmentKey("//a//b", scheme)
            let again = try KeyPair.derive(miniSecret: pair.exportSecret(), scheme: scheme)
            #expect(again.publicKey == pair.publicKey)
        }
        let soft = try developmentKey("//a/b").exportSecret()
        #expect(soft.count == 64)
    }

    @Test func recoveryFindsTheSigner() throws {
        for scheme in [SignatureScheme.ecdsa, .ethereum] {
            let pair = try developmentKey("//Alice", scheme)
            let signature = try pair.sign([7])
            #expect(Signature.recover(signature, message: [7], scheme: scheme) == pair.publicKey)
            #expect(Signature.recover(signature, message: [7], scheme: .sr25519) == nil)
        }
    }
}

func flipping(_ bit: Int, of bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return bytes
}
