import Keys
import TestSupport
import Testing
import TrustStore
import Vault

@testable import Ceremony

@Suite struct PassphraseWordingTests {
    private func refusal(_ passphrase: String) throws -> CeremonyError? {
        try PassphraseStrength.refusal(of: SecretBytes(utf8: passphrase))
    }

    private func wording(_ text: String) -> PassphraseWording { PassphraseWording(Array(text.utf8)) }

    private func sentenceBits(_ text: String) -> Double { wording(text).sentenceBits(ownWords: []) }

    // MARK: Phrases

    @Test func `the list has more than ten thousand phrases`() {
        #expect(PassphraseWording.knownPhrases > 40_000)
    }

    @Test(arguments: [
        "correct horse battery staple", "to be or not to be that is the question",
        "may the force be with you always",
        "the lord is my shepherd i shall not want",
        "abandon ability able about above absent absorb abstract", "zoo zone zero zebra youth young",
    ])
    func `a known phrase is refused, however it is written`(phrase: String) throws {
        let words = phrase.split(separator: " ").map(String.init)
        let capitals = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        for variant in [
            phrase, phrase.uppercased(), capitals.joined(separator: " "), capitals.joined(), words.joined(),
            words.joined(separator: "-"), words.joined(separator: ", ") + "!", phrase + " 2026",
            words.joined(separator: "_") + "1234567890", words.joined(separator: "7"),
            phrase.replacing("e", with: "3").replacing("o", with: "0"),
            "kiosk anvil " + phrase + " violet hazelnut trombone",
        ] {
            #expect(try refusal(variant) == .knownPhrase, "\(variant)")
        }
    }

    @Test func `a phrase counts whole, and from twelve letters on`() {
        #expect(wording("correct horse battery staple").hasKnownPhrase)
        #expect(!wording("correct horse battery stapl").hasKnownPhrase)
        #expect(!wording("orrect horse battery staple").hasKnownPhrase)
        #expect(!wording("correct horse battery maple staple").hasKnownPhrase)
        // Both stand in the collection; the second has eleven letters.
        #expect(wording("the die is cast").hasKnownPhrase)
        #expect(!wording("time is money").hasKnownPhrase)
        #expect(!wording("").hasKnownPhrase)
    }

    // MARK: Repeats

    @Test(arguments: [
        "abandon abandon abandon abandon", "Abandon abandon ABANDON aBANDON",
        "abandon-abandon-abandon-abandon",
        "abandon1 abandon2 abandon3 abandon4", "abandon abandon abandon abandon 2026!",
        "river copper river copper river copper river copper",
    ])
    func `a word that comes again adds nothing`(passphrase: String) throws {
        let rest = try #require(PassphraseWording.withoutRepeats(Array(passphrase.utf8)))
        let strength = PassphraseStrength(bits: PassphraseStrength.bits(rest))
        #expect(try refusal(passphrase) == .repeatedWords(strength))
        #expect(!strength.isEnough)
    }

    @Test func `what is left of repeats is every word where it stands first`() {
        func rest(_ text: String) -> String? {
            PassphraseWording.withoutRepeats(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(rest("one Two TWO three, one") == "one Two three, ")
        #expect(rest("clerk bullet ozone gauge") == nil)
        // Of two letters it is no word, of three it is one.
        #expect(rest("ab.ab.ab") == nil && rest("abc.abc.abc") == "abc.")
        #expect(rest("") == nil)
    }

    @Test func `a repeat is no fault where the rest is strong`() throws {
        #expect(try refusal("kiosk anvil violet hazelnut trombone kiosk anvil") == nil)
    }

    // MARK: Sentences

    @Test func `words in an order that English has cost less`() {
        #expect(sentenceBits("you are the love of my life") < 45)
        #expect(sentenceBits("he went into the house of the king") < 45)
        #expect(
            sentenceBits("life love my of you the are") > sentenceBits("you are the love of my life") + 10)
        #expect(sentenceBits("YOU ARE THE LOVE") == sentenceBits("you are the love") + 1)
        #expect(sentenceBits("You Are The Love") == sentenceBits("you are the love") + 2)
        #expect(sentenceBits("") == 0)
    }

    @Test func `a short sentence of common words is weak`() throws {
        for sentence in ["you are the love of my life", "what do you think of me"] {
            let strength = PassphraseStrength(bits: PassphraseStrength.bits(Array(sentence.utf8)))
            #expect(try refusal(sentence) == .weakPassphrase(strength), "\(sentence)")
        }
    }

    // MARK: What passes

    enum Kind: CaseIterable { case sixWords, sixOfAnotherList, recoveryPhrase }

    @Test(arguments: zip(Kind.allCases, [4_000, 3_000, 3_000]))
    func `ten thousand drawn passphrases pass`(kind: Kind, count: Int) throws {
        let eff = String(decoding: try Checkout.read("fixtures/passphrases/eff_large.txt"), as: UTF8.self)
        let others = eff.split(separator: "\n").map(String.init)
        #expect(others.count == 7_776)
        var random = SeededGenerator(seed: 31)
        for number in 0..<count {
            let list = kind == .sixOfAnotherList ? others : WordList.words
            let words = kind == .recoveryPhrase ? (number.isMultiple(of: 2) ? 12 : 24) : 6
            let drawn = (0..<words).map { _ in list[Int.random(in: list.indices, using: &random)] }
            let text = Array(drawn.joined(separator: number.isMultiple(of: 3) ? "-" : " ").utf8)
                .prefix(PassphraseGuesses.longest)
            let found = PassphraseStrength.findings(Array(text))
            #expect(found.phrase == .infinity, "\(drawn)")
            #expect(found.whole >= 45 && found.withoutRepeats >= 45, "\(drawn) \(found)")
        }
    }

    // MARK: Acts

    @Test func `no vault for real keys is made with what many people know`() throws {
        func create(_ passphrase: String, isDevelopment: Bool, in fixture: CeremonyFixture) throws {
            let cost: KDFCost = isDevelopment ? .development : KDFCost(passes: 1, memory: 64 << 10)
            let founding = CreateVault(
                verifier: nil, networks: [], isDevelopment: isDevelopment, cost: cost)
            let approval = try fixture.device.preview(founding).confirm()
            _ = try fixture.device.perform(approval) { SecretBytes(utf8: passphrase) }
        }
        let real = CeremonyFixture(empty: ())
        #expect(throws: CeremonyError.knownPhrase) {
            try create("Correct Horse Battery Staple 1", isDevelopment: false, in: real)
        }
        #expect(throws: VaultError.missing(real.path)) { _ = try real.device.vault() }
        let development = CeremonyFixture(empty: ())
        try create("correct horse battery staple", isDevelopment: true, in: development)
        #expect(development.opens(with: "correct horse battery staple"))
    }
}
