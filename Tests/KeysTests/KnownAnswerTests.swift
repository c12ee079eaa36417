import Hashing
import Keys
import SubstratePrimitives
import Testing

@Suite struct KnownAnswerTests {
    struct SignatureCase: Decodable {
        let id: Int
        let seed: String
        let path: String
        let publicKey: String
        let message: String
        let signature: String
        let address: String?
    }

    @Test(arguments: SignatureScheme.allCases)
    func keysAndSignaturesAreThoseOfThePeers(scheme: SignatureScheme) throws {
        for sample in try fixture(scheme.name, SignatureCase.self) {
            let pair = try KeyPair.derive(
                miniSecret: secretBytes(sample.seed.hex), path: DerivationPath(sample.path), scheme: scheme)
            let key = pair.publicKey
            #expect(Hex.encode(key.bytes) == sample.publicKey, "case \(sample.id)")
            #expect(
                Signature.verify(sample.signature.hex, message: sample.message.hex, key: key),
                "case \(sample.id)")
            let ours = try pair.sign(sample.message.hex)
            if scheme != .sr25519 { #expect(ours == sample.signature.hex, "case \(sample.id)") }
            if scheme == .ethereum { #expect(key.accountAddress(prefix: 42) == sample.address) }
        }
    }

    struct MnemonicCase: Decodable {
        let id: Int
        let entropy: String
        let phrase: String
        let password: String
        let miniSecret: String
    }

    @Test func miniSecretsAreThoseOfSubstrateBIP39() throws {
        for sample in try fixture("mnemonics", MnemonicCase.self) {
            let pair = try KeyPair.derive(
                phrase: SecretBytes(utf8: sample.phrase), path: .root,
                password: SecretBytes(utf8: sample.password), scheme: .sr25519)
            let seed = plain(pair.exportSecret())
            #expect(seed == sample.miniSecret.hex, "case \(sample.id)")
            let mnemonic = try Mnemonic(entropy: secretBytes(sample.entropy.hex))
            let phrase = plainText(mnemonic.phrase())
            #expect(phrase == sample.phrase, "case \(sample.id)")
        }
    }

    /// Published in paritytech/substrate-bip39, password "Substrate": entropy and the first 32 bytes of the
    /// seed.
    @Test(arguments: [
        (
            "0000000000000000000000000000000000000000000000000000000000000000",
            "44e9d125f037ac1d51f0a7d3649689d422c2af8b1ec8e00d71db4d7bf6d127e3"
        ),
        (
            "7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f",
            "cb1d50e14101024a88905a098feb1553d4306d072d7460e167a60ccb3439a681"
        ),
        (
            "808080808080808080808080808080808080808080808080",
            "9ddecf32ce6bee77f867f3c4bb842d1f0151826a145cb4489598fe71ac29e355"
        ),
        (
            "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
            "047e89ef7739cbfe30da0ad32eb1720d8f62441dd4f139b981b8e2d0bd412ed4"
        ),
        (
            "9e885d952ad362caeb4efe34a8e91bd2",
            "f4956be6960bc145cdab782e649a5056598fd07cd3f32ceb73421c3da2783324"
        ),
        (
            "c0ba5a8e914111210f2bd131f3d5e08d",
            "c12157bf2506526c4bd1b79a056453b071361538e9e2c19c28ba2cfa39b5f230"
        ),
        (
            "6d9be1ee6ebd27a258115aad99b7317b9c8d28b6d76431c3",
            "23766723e970e6b79dec4d5e4fdd627fd27d1ee026eb898feb9f653af01ad220"
        ),
        (
            "f585c11aec520db57dd353c69554b21a89b20fb0650966fa0a9d6f74fd989d8f",
            "938ba18c3f521f19bd4a399c8425b02c716844325b1a65106b9d1593fbafe5e0"
        ),
    ])
    func publishedVectorsOfSubstrateBIP39Hold(entropy: String, seed: String) throws {
        let pair = try KeyPair.derive(
            entropy: secretBytes(entropy.hex), path: .root, password: SecretBytes(utf8: "Substrate"),
            scheme: .sr25519)
        let exported = plain(pair.exportSecret())
        #expect(exported == seed.hex)
    }

    struct DigestCase: Decodable {
        let id: Int
        let message: String
        let digest: String
    }

    @Test func keccak256AgreesAroundTheBlockBoundaries() throws {
        for sample in try fixture("keccak256", DigestCase.self) {
            #expect(Keccak256.hash(sample.message.hex) == sample.digest.hex, "length \(sample.id)")
        }
    }

    struct WycheproofCase: Decodable {
        let id: Int
        let comment: String
        let flags: [String]
        let publicKey: String
        let message: String?
        let digest: String?
        let signature: String
        let result: String
    }

    /// Where Wycheproof leaves the verdict open ("acceptable"), keys of small order are refused here.
    @Test func ed25519FollowsWycheproof() throws {
        for sample in try fixture("wycheproof-ed25519", WycheproofCase.self) {
            let key = try #require(PublicKey(scheme: .ed25519, bytes: sample.publicKey.hex))
            let accepted = Signature.verify(
                sample.signature.hex, message: try #require(sample.message).hex, key: key)
            if sample.flags.contains("SmallOrderPublicKey") || sample.result == "invalid" {
                #expect(!accepted, "case \(sample.id): \(sample.comment)")
            } else if sample.result == "valid" {
                #expect(accepted, "case \(sample.id): \(sample.comment)")
            }
        }
    }

    /// A valid signature verifies with exactly one of the four recovery ids, an invalid one with none.
    @Test func ecdsaFollowsWycheproof() throws {
        for sample in try fixture("wycheproof-secp256k1", WycheproofCase.self) {
            let digest = try #require(sample.digest).hex
            let accepted = (UInt8(0)..<4).count {
                Secp256k1.verify(sample.signature.hex + [$0], digest: digest, publicKey: sample.publicKey.hex)
            }
            #expect(accepted == (sample.result == "valid" ? 1 : 0), "case \(sample.id): \(sample.comment)")
        }
    }

    struct SeedQRCase: Decodable {
        let id: Int
        let entropy: String
        let digits: String
    }

    @Test func seedQRAndCompactSeedQRAreRead() throws {
        for sample in try fixture("seedqr", SeedQRCase.self) {
            let standard = plain(try SeedQR.mnemonic(SecretBytes(utf8: sample.digits)).entropy)
            let compact = plain(try SeedQR.mnemonic(secretBytes(sample.entropy.hex)).entropy)
            #expect(standard == sample.entropy.hex)
            #expect(compact == sample.entropy.hex)
        }
    }

    struct SeedSignerCase: Decodable {
        let id: Int
        let phrase: String
        let digits: String
        let entropy: String
    }

    @Test func seedQRIsWrittenAndReadAsSeedSignerDocumentsIt() throws {
        for sample in try fixture("seedqr-seedsigner", SeedSignerCase.self) {
            let mnemonic = try Mnemonic(phrase: SecretBytes(utf8: sample.phrase))
            let (digits, bytes) = (plainText(SeedQR.standard(mnemonic)), plain(try SeedQR.compact(mnemonic)))
            #expect(digits == sample.digits, "case \(sample.id)")
            #expect(bytes == sample.entropy.hex, "case \(sample.id)")
            for content in [Array(sample.digits.utf8), sample.entropy.hex] {
                let phrase = plainText(try SeedQR.mnemonic(secretBytes(content)).phrase())
                #expect(phrase == sample.phrase, "case \(sample.id)")
            }
        }
    }
}
