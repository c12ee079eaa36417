import Foundation
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

    // MARK: Disguises

    private static func reversed(_ text: String) -> String { String(text.reversed()) }

    @Test(arguments: [
        "correct horse battery staple", "to be or not to be that is the question",
        "may the force be with you always", "abandon ability able about above absent", "pride and prejudice",
    ])
    func `a known phrase in disguise is refused`(phrase: String) throws {
        let words = phrase.split(separator: " ").map(String.init)
        let capitals = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let doubled = words.map { String($0.flatMap { [$0, $0] }) }
        let turned = Array(words.dropFirst(2) + words.prefix(2))
        var leet = phrase
        for (letter, sign) in [
            ("e", "3"), ("o", "0"), ("a", "4"), ("t", "7"), ("s", "5"), ("i", "1"), ("b", "8"),
        ] {
            leet = leet.replacing(letter, with: sign)
        }
        let signs = phrase.replacing("a", with: "@").replacing("s", with: "$").replacing("c", with: "(")
        let drawn = phrase.replacing("h", with: "|-|").replacing("o", with: "()").replacing(
            "w", with: "\\/\\/")
        let backwards: [String] = [
            Self.reversed(phrase), Self.reversed(words.joined()), Self.reversed(leet) + "2026",
            words.reversed().joined(separator: " "), words.reversed().joined(separator: "-").uppercased(),
            capitals.reversed().joined(), words.map(Self.reversed).joined(separator: " "),
            words.reversed().map(Self.reversed).joined(separator: " "),
        ]
        let others: [String] = [
            doubled.joined(separator: " "), doubled.joined(), doubled.reversed().joined(separator: " "),
            Self.reversed(doubled.joined(separator: " ")), turned.joined(separator: " "),
            turned.joined(separator: "7"), words.sorted().joined(separator: " "),
            words.sorted().joined(separator: "_") + "!",
        ]
        let spelled: [String] = [
            leet, leet + " 2026!", signs, drawn, leet.replacing(" ", with: "2"),
            signs.uppercased().replacing(" ", with: ""),
            "kiosk anvil \(turned.joined(separator: " ")) trombone",
        ]
        for variant in backwards + others + spelled {
            #expect(wording(variant).hasKnownPhrase, "\(variant)")
        }
        for unspaced in [words.reversed().joined(), words.map(Self.reversed).joined(), turned.joined()] {
            #expect(try refusal(unspaced) != nil, "\(unspaced)")
        }
    }

    @Test(arguments: [
        "heliograph air gapped signer polkadot", "Polkadot-Kusama-Westend-Paseo-Substrate-Parity",
        "my polkadot vault for kusama and westend", "cold wallet seed phrase backup passphrase",
        "air gapped signer for substrate chains", "treasury referendum nominator validator parachain",
        "time is money love is blind talk is cheap", "just do it got milk intel inside",
    ])
    func `words of the field and short phrases in a row are weak`(sentence: String) throws {
        let found = PassphraseStrength.findings(Array(sentence.utf8))
        #expect(found.whole < 45, "\(found.whole)")
        #expect(try refusal(sentence) != nil)
    }

    /// Whoever reads this repository knows each of them.
    @Test func `no passphrase that the repository shows is taken for real keys`() throws {
        var shown: Set<String> = [
            "violet anchor muddle trout canyon 63", "Canyon-Trout-Muddle-Anchor-Violet",
        ]
        for folder in [
            "Tests/Sessions", "Tests/Panes", "Sources/Programs/heliograph/heliograph.docc", "tools/devtools",
        ] {
            for file in try FileManager.default.subpathsOfDirectory(atPath: Checkout.path(folder))
            where ["session", "pane", "md", "py"].contains(file.split(separator: ".").last) {
                let text = String(decoding: try Checkout.read("\(folder)/\(file)"), as: UTF8.self)
                for line in text.split(separator: "\n") {
                    if let match = line.wholeMatch(of: /<(?:passphrase|new) \d> (.+)/) {
                        shown.insert(String(match.1))
                    } else if let match = line.wholeMatch(of: /answer .*passphrase.*: = (.+)/) {
                        shown.insert(String(match.1))
                    } else if let match = line.firstMatch(of: /\b(?i:\w*passphrase|strong) ?= ?"([^"]+)"/) {
                        shown.insert(String(match.1))
                    }
                }
            }
        }
        #expect(shown.count > 20)
        for passphrase in shown where !passphrase.contains("{") {
            #expect(try refusal(passphrase) != nil, "\(passphrase)")
        }
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
        #expect(try refusal("\(CeremonyFixture.strong) \(CeremonyFixture.strong)") == nil)
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
            let list = kind == .sixOfAnotherList ? others : WordList.english.words
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
