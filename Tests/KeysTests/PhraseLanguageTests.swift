import Hashing
import Keys
import SubstratePrimitives
import TestSupport
import Testing

@Suite struct PhraseLanguageTests {
    struct LanguageCase: Decodable {
        let id: Int
        let language: String
        let entropy: String
        let phrase: String
        let typed: String
        let seed: String
        let miniSecret: String?
    }

    /// An English and a French phrase at once.
    private static let ambiguous =
        "nature distance angle abandon simple palace opinion fatigue noble volume simple wagon"
    private static let cases = try! Checkout.json("fixtures/keys/languages.json", as: [LanguageCase].self)

    private func read(_ phrase: String, _ language: PhraseLanguage? = nil) throws(MnemonicError) -> Mnemonic {
        try Mnemonic(reading: SecretBytes(utf8: phrase), language: language)
    }

    /// SHA-256 of the lists of bitcoin/bips.
    @Test(arguments: [
        (PhraseLanguage.english, "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"),
        (.japanese, "2eed0aef492291e061633d7ad8117f1a2b03eb80a29d0e4e3117ac2528d05ffd"),
        (.korean, "9e95f86c167de88f450f0aaf89e87f6624a57f973c67b516e338e8e8b8897f60"),
        (.spanish, "46846a5a0139d1e3cb77293e521c2865f7bcdb82c44e8d0a06a2cd0ecba48c0b"),
        (.chineseSimplified, "5c5942792bd8340cb8b27cd592f1015edf56a8c5b26276ee18a482428e7c5726"),
        (.chineseTraditional, "417b26b3d8500a4ae3d59717d7011952db6fc2fb84b807f3f94ac734e89c1b5f"),
        (.french, "ebc3959ab7801a1df6bac4fa7d970652f1df76b683cd2f4003c941c63d517e59"),
        (.italian, "d392c49fdb700a24cd1fceb237c1f65dcc128f6b34a8aacb58b59384b5c648c2"),
        (.czech, "7e80e161c3e93d9554c2efb78d4e3cebf8fc727e9c52e03b83b94406bdcc95fc"),
        (.portuguese, "2685e9c194c82ae67e10ba59d9ea5345a23dc093e92276fc5361f6667d79cd3f"),
    ])
    func `the words are those of BIP-39`(language: PhraseLanguage, digest: String) {
        let text = language.words.map { $0 + "\n" }.joined()
        #expect(Hex.encode(SHA256.hash(Array(text.utf8))) == digest)
    }

    @Test
    func `phrases of every language have the entropy and the seeds that independent programs give them`()
        throws
    {
        #expect(Self.cases.count == 50)
        #expect(Set(Self.cases.map(\.language)) == Set(PhraseLanguage.allCases.map(\.rawValue)))
        for sample in Self.cases {
            let language = try #require(PhraseLanguage(rawValue: sample.language))
            // In NFKD, as somebody types it, and with the language named.
            for (text, named) in [(sample.phrase, nil), (sample.typed, nil), (sample.typed, language)] {
                let mnemonic = try read(text, named)
                #expect(mnemonic.language == language, "case \(sample.id)")
                #expect(plain(mnemonic.entropy) == sample.entropy.hex, "case \(sample.id)")
                #expect(plain(mnemonic.phrase()) == Array(sample.phrase.utf8), "case \(sample.id)")
            }
            let mnemonic = try read(sample.typed)
            let path = try HDPath("slip10:m")
            let expected = try KeyPair.derive(
                seed: HDSeed(master: secretBytes(sample.seed.hex)), path: path, scheme: .ed25519)
            let derived = try KeyPair.derive(
                mnemonic, path: .hd(path), password: SecretBytes(), scheme: .ed25519)
            #expect(derived.publicKey == expected.publicKey, "case \(sample.id)")
            if let secret = sample.miniSecret {
                let root = try KeyPair.derive(entropy: mnemonic.entropy, scheme: .ed25519)
                #expect(plain(root.exportSecret()) == secret.hex, "case \(sample.id)")
            }
        }
    }

    @Test func `capital and full-width letters, and blanks of other writing systems, are the same phrase`()
        throws
    {
        for sample in Self.cases where sample.id.isMultiple(of: 5) {
            let wide = sample.typed.unicodeScalars.map { scalar in
                (0x61...0x7a).contains(scalar.value) ? Unicode.Scalar(scalar.value + 0xfee0)! : scalar
            }
            for text in [
                sample.typed.uppercased(), String(String.UnicodeScalarView(wide)),
                sample.phrase.split(separator: " ").joined(separator: "\u{a0}\u{2003}"),
            ] {
                #expect(plain(try read(text).entropy) == sample.entropy.hex, "case \(sample.id)")
            }
        }
    }

    @Test func `words of two languages are a phrase of the one whose checksum fits, or must be told apart`()
        throws
    {
        #expect(throws: MnemonicError.ambiguousLanguage([.english, .french])) { _ = try read(Self.ambiguous) }
        #expect(
            try plain(read(Self.ambiguous, .english).entropy) != plain(read(Self.ambiguous, .french).entropy))
        let alone = "guide opinion angle cruel figure sentence village minute abandon village festival nation"
        #expect(try read(alone).language == .french)
        #expect(throws: MnemonicError.checksum) { _ = try read(alone, .english) }
        // Characters at the same places of both Chinese lists.
        let shared = "添 足 彩 出 芳 籍 目 然 父 覆 洋 企"
        let (simplified, traditional) = (PhraseLanguage.chineseSimplified, PhraseLanguage.chineseTraditional)
        #expect(try plain(read(shared).entropy) == plain(read(shared, simplified).entropy))
        #expect(try plain(read(shared).entropy) == plain(read(shared, traditional).entropy))
        let both = Set(simplified.words).intersection(traditional.words)
        #expect(zip(simplified.words, traditional.words).count { $0 == $1 } == both.count)
    }

    @Test func `a wrong word is named in the language of the others`() throws {
        for sample in Self.cases where !sample.id.isMultiple(of: 5) {
            let words = sample.phrase.split(separator: " ").map(String.init)
            #expect(throws: MnemonicError.unknownWord(index: 2)) {
                _ = try read((words[..<2] + ["qqq"] + words[3...]).joined(separator: " "))
            }
            #expect(throws: MnemonicError.wordCount(words.count - 1)) {
                _ = try read(words.dropLast().joined(separator: " "))
            }
        }
        let bad = SecretBytes(count: 12) {
            $0.copyBytes(from: [0xff, 0xfe, 0x20, 0xc3] + [UInt8](repeating: 0x61, count: 8))
        }
        #expect(throws: MnemonicError.wordCount(2)) { _ = try Mnemonic(reading: bad) }
    }

    @Test func `a slip is found in every language`() throws {
        for language in PhraseLanguage.allCases {
            let sample = try #require(Self.cases.first { $0.language == language.rawValue })
            var words = sample.phrase.split(separator: " ").map(String.init)
            words.swapAt(0, 1)
            var found = false
            try PhraseSlip.swapped.search(SecretBytes(utf8: words.joined(separator: " "))) {
                mnemonic, changed in
                found = plain(mnemonic.entropy) == sample.entropy.hex && changed == [1, 2]
                return found && mnemonic.language == language
            }
            #expect(found, "\(language.name)")
        }
    }

    @Test func `a new phrase is English`() throws {
        for count in [16, 20, 24, 28, 32] {
            #expect(try Mnemonic(entropy: SecretBytes(count: count)).language == .english)
        }
    }
}
