import Hashing
import Keys
import SubstratePrimitives
import TestSupport
import Testing

@Suite struct HDPathTests {
    struct PublishedCase: Decodable {
        let id: Int
        let seed: String
        let path: String
        let secret: String
        let publicKey: String
    }

    @Test func `BIP-32 and SLIP-10 derive what their documents print`() throws {
        let cases = try Checkout.json("fixtures/wallets/published.json", as: [PublishedCase].self)
        #expect(cases.count == 12)
        for sample in cases {
            let path = try HDPath(sample.path)
            let scheme: SignatureScheme = path.kind == .bip32 ? .ecdsa : .ed25519
            let pair = try KeyPair.derive(
                seed: HDSeed(master: secretBytes(sample.seed.hex)), path: path, scheme: scheme)
            let secret = plain(pair.exportSecret())
            #expect(secret == sample.secret.hex, "case \(sample.id)")
            #expect(pair.publicKey.bytes == sample.publicKey.hex, "case \(sample.id)")
            #expect(path.description == sample.path)
        }
    }

    struct PhraseCase: Decodable {
        let id: Int
        let phrase: String
        let passphrase: String
        let scheme: String
        let path: String
        let secret: String
        let publicKey: String?
        let address: String?
    }

    @Test func `phrases have the keys of Ledger's apps, Ethereum wallets and SLIP-10`() throws {
        let cases = try Checkout.json("fixtures/wallets/phrases.json", as: [PhraseCase].self)
        #expect(cases.count == 38)
        for sample in cases {
            let scheme = try #require(SignatureScheme(name: sample.scheme))
            let mnemonic = try Mnemonic(phrase: SecretBytes(utf8: sample.phrase))
            let pair = try KeyPair.derive(
                entropy: mnemonic.entropy, path: AccountPath(sample.path, scheme: scheme),
                password: SecretBytes(utf8: sample.passphrase), scheme: scheme)
            let secret = plain(pair.exportSecret())
            #expect(secret == sample.secret.hex, "case \(sample.id)")
            if let key = sample.publicKey { #expect(pair.publicKey.bytes == key.hex, "case \(sample.id)") }
            if let address = sample.address {
                #expect(pair.publicKey.accountAddress(prefix: 42) == address, "case \(sample.id)")
            }
            let signature = try pair.sign([1, 2, 3])
            #expect(Signature.verify(signature, message: [1, 2, 3], key: pair.publicKey))
        }
    }

    @Test func `no text is a path of two types`() throws {
        for text in ["", "//m", "/m/44", "//bip32:m/0", "//44'"] {
            #expect(!HDPath.isMeant(by: text))
            #expect(try AccountPath(text, scheme: .ethereum) == .substrate(DerivationPath(text)))
            #expect(AccountPath.kind(of: text) == "substrate")
        }
        for (text, kind) in [("bip32:m", "bip32"), ("slip10:m/0'", "slip10"), ("ledger:m/1h/2H", "ledger")] {
            #expect(HDPath.isMeant(by: text))
            #expect(throws: DerivationPathError.malformed(offset: 0)) { try DerivationPath(text) }
            #expect(AccountPath.kind(of: try HDPath(text).description) == kind)
        }
    }

    @Test func `a path without a kind has the one of its scheme`() throws {
        #expect(try HDPath("m/44'/60'/0'/0/0", scheme: .ethereum).kind == .bip32)
        #expect(try HDPath("m/0", scheme: .ecdsa).description == "bip32:m/0")
        #expect(throws: HDPathError.kindMissing) { try HDPath("m/0'", scheme: .ed25519) }
        #expect(throws: HDPathError.kindMissing) { try HDPath("m") }
        #expect(throws: HDPathError.schemeHasNone(nil, .sr25519)) { try HDPath("m", scheme: .sr25519) }
        for kind in HDPath.Kind.allCases {
            #expect(throws: HDPathError.schemeHasNone(kind, .sr25519)) {
                try HDPath("\(kind.rawValue):m", scheme: .sr25519)
            }
        }
        #expect(throws: HDPathError.schemeHasNone(.bip32, .ed25519)) {
            try HDPath("bip32:m", scheme: .ed25519)
        }
        #expect(throws: HDPathError.schemeHasNone(.ledger, .ethereum)) {
            try HDPath("ledger:m", scheme: .ethereum)
        }
    }

    @Test(arguments: [
        ("bip32:", 6), ("bip32:x", 6), ("bip32:mm", 7), ("bip32:m/", 8), ("bip32:m//0", 8),
        ("bip32:m/0''", 10), ("bip32:m/00", 9), ("bip32:m/01", 9), ("bip32:m/-1", 8),
        ("bip32:m/2147483648", 8), ("bip32:m/99999999999999999999", 17), ("bip32:m/0/x", 10),
        ("bip32:m/0 ", 9), ("ledger:m/0\u{2019}", 10),
    ])
    func `anything but numbers below 2^31 is refused`(text: String, offset: Int) {
        #expect(throws: HDPathError.malformed(offset: offset)) { try HDPath(text) }
    }

    @Test func `the largest number and the deepest path are read, one more is not`() throws {
        #expect(try HDPath("bip32:m/2147483647'").steps.map(\.number) == [2_147_483_647])
        let deepest = "bip32:m" + String(repeating: "/1", count: 255)
        #expect(try HDPath(deepest).steps.count == 255)
        #expect(try HDPath(deepest).appending(0) == nil)
        #expect(throws: HDPathError.tooDeep) { try HDPath(deepest + "/1") }
        #expect(throws: HDPathError.tooDeep) {
            try HDPath("bip32:m" + String(repeating: "/1", count: 100_000))
        }
    }

    @Test(arguments: [HDPath.Kind.slip10, .ledger])
    func `ed25519 has hardened steps only`(kind: HDPath.Kind) throws {
        #expect(throws: HDPathError.notHardened(kind, index: 1)) { try HDPath("\(kind.rawValue):m/0'/1/2'") }
        #expect(try HDPath(kind, [#require(HDPath.Step(1, isHardened: false))]) == nil)
        #expect(try HDPath("\(kind.rawValue):m").appending(7)?.numbers == "m/7'")
    }

    @Test func `the next number follows the highest of its own base`() throws {
        let base = try AccountPath("m/44'/60'/0'/0", scheme: .ethereum)
        #expect(base.next(after: [])?.description == "bip32:m/44'/60'/0'/0/0")
        let known = try [
            "m/44'/60'/0'/0/4", "m/44'/60'/0'/0/6'", "m/44'/60'/1'/0/9", "m/44'/60'/0'/0/5/1", "//7",
        ]
        .map { try AccountPath($0, scheme: .ethereum) }
        #expect(base.next(after: known)?.description == "bip32:m/44'/60'/0'/0/5")
        let last = try AccountPath("m/44'/60'/0'/0/2147483647", scheme: .ethereum)
        #expect(base.next(after: [last]) == nil)
    }

    @Test func `a passphrase beyond ASCII is refused, where the other type of path takes it`() throws {
        let entropy = secretBytes([UInt8](repeating: 7, count: 16))
        let passphrase = SecretBytes(utf8: "é")
        _ = try KeyPair.derive(entropy: entropy, path: .root, password: passphrase, scheme: .ed25519)
        #expect(throws: KeyError.passphraseNotASCII) {
            _ = try KeyPair.derive(
                entropy: entropy, path: AccountPath("ledger:m", scheme: .ed25519), password: passphrase,
                scheme: .ed25519)
        }
    }

    @Test func `a master secret has 16 to 64 bytes`() throws {
        for count in [16, 64] { _ = try HDSeed(master: SecretBytes(count: count)) }
        for count in [0, 15, 65] {
            #expect(throws: KeyError.secretLength(count)) {
                _ = try HDSeed(master: SecretBytes(count: count))
            }
        }
    }
}
