import Keys
import TestSupport
import Testing
import TrustStore
import Vault

@testable import Ceremony

@Suite struct PassphraseStrengthTests {
    private func bits(_ passphrase: String) throws -> Double {
        try PassphraseStrength(of: SecretBytes(utf8: passphrase)).bits
    }

    @Test func `what is required is stated with the time that it takes`() {
        #expect(PassphraseStrength.required.text == "2^45 guesses, 110 years at 10,000 guesses a second")
        #expect(
            PassphraseStrength(bits: 13.2).text
                == "2^13 guesses, less than a second at 10,000 guesses a second")
        #expect(PassphraseStrength(bits: 24).duration == "28 minutes")
        #expect(PassphraseStrength(bits: 35).duration == "40 days")
        #expect(PassphraseStrength(bits: 100).duration == "more than a million years")
        #expect(PassphraseStrength(bits: 44.99).isEnough == false && PassphraseStrength(bits: 45).isEnough)
        #expect(PassphraseStrength(bits: 44.99).guesses == "2^44 guesses")
    }

    @Test func `common words are weak, the words of this program too`() throws {
        for weak in [
            "a", "correct horse", "Tr0ub4dour&3", "qwertyuiop", "polkadot polkadot", "p0lk4d0t heliograph",
            "xxxxxxxxxxxxxxxxxxxxxxxx",
        ] {
            #expect(try bits(weak) < 45, "\(weak)")
        }
        #expect(try bits("polkadot") < 5)
    }

    /// The C port alone rates three of four of them above the reference, among them `Tr0ub4dor&3` with 2^46.
    @Test func `no estimate is above the reference, over 10,000 passphrases`() throws {
        let table = String(decoding: try Checkout.read("fixtures/passphrases/zxcvbn.tsv"), as: UTF8.self)
        var (count, above, equal) = (0, [String](), 0)
        for line in table.split(separator: "\n") {
            let fields = line.split(separator: "\t", maxSplits: 1)
            let (reference, passphrase) = (try #require(Double(fields[0])), String(fields[1]))
            let bits = passphrase.withCString { PassphraseStrength.bits(PassphraseStrength.letters($0)) }
            count += 1
            if bits > reference + 0.001 { above.append("\(passphrase) \(bits) \(reference)") }
            if abs(bits - reference) <= 0.001 { equal += 1 }
        }
        #expect(count == 10_000)
        #expect(above.isEmpty, "\(above.count): \(above.prefix(20))")
        // A constant of 0 would be no estimate.
        #expect(equal > 3_000, "\(equal)")
    }

    @Test func `every generated passphrase is strong enough`() throws {
        for separator in [" ", "-"] as [Unicode.Scalar] {
            for _ in 0..<40 {
                #expect(try PassphraseStrength(of: DrawnPassphrase.make(separator: separator)).isEnough)
            }
        }
    }

    @Test func `a letter counts once, however many bytes it has`() throws {
        #expect(try bits("привет") < 45)
        #expect(try bits("пароль12") < 60)
        #expect(try bits("ääääääääääääääääääääääää") < 45)
        #expect(try bits("日本語") < 30)
        #expect(try bits("заводной апельсин на крыше") > 45)
    }

    @Test func `a zero byte does not end a passphrase, and a long one is estimated`() throws {
        #expect(try bits("\u{0}" + CeremonyFixture.strong) > 45)
        #expect(try bits(String(repeating: CeremonyFixture.strong, count: 800)) > 45)
    }

    /// The work grows with the parts that are repeated, and with the length.
    @Test func `no passphrase makes the estimate work for long`() throws {
        var fibonacci = (Array("a".utf8), Array("ab".utf8))
        while fibonacci.1.count < PassphraseGuesses.longest {
            fibonacci = (fibonacci.1, fibonacci.1 + fibonacci.0)
        }
        let one = [UInt8](repeating: 0x31, count: 1_000)
        let pairs = Array(String(repeating: "ab", count: 500).utf8)
        for text in [one, pairs, fibonacci.1, Array(String(repeating: "il1", count: 300).utf8)] {
            var guesses = PassphraseGuesses(ownWords: [])
            _ = guesses.count(text)
            let longest = PassphraseGuesses.longest
            #expect(guesses.known.count <= longest && guesses.known.keys.allSatisfy { $0.count <= longest })
            #expect(guesses.known.keys.count { $0.count > longest / 2 } == 1)
        }
        // Neither estimate reads what stands behind the first letters.
        var random = SeededGenerator(seed: 41)
        let letters = (0..<1_000).map { _ in UInt8.random(in: 0x21...0x7e, using: &random) }
        func bits(_ text: ArraySlice<UInt8>) -> Double {
            let terminated = text.map { CChar(bitPattern: $0) } + [0]
            return terminated.withUnsafeBufferPointer {
                PassphraseStrength.bits(PassphraseStrength.letters($0.baseAddress!))
            }
        }
        let limit = PassphraseGuesses.longest
        #expect(
            bits(letters[...]) == bits(letters.prefix(limit))
                && bits(letters.prefix(limit - 1)) < bits(letters.prefix(limit)))
    }

    @Test func `numbers between two different separators are no date`() {
        func guesses(_ text: String) -> Double {
            var guesses = PassphraseGuesses(ownWords: [])
            return guesses.count(Array(text.utf8))
        }
        #expect(guesses("3/7/1999") < guesses("3/7.1999") && guesses("3.7.1999") < guesses("3/7.1999"))
    }

    @Test func `bytes that are no UTF-8 are estimated`() throws {
        var bytes: [UInt8] = [0x80, 0xbf, 0xff, 0xc3, 0x28, 0xe2, 0x82, 0x41]
        #expect(try PassphraseStrength(of: SecretBytes(wiping: &bytes)).bits > 15)
    }

    // MARK: Acts

    private func create(_ passphrase: String, isDevelopment: Bool, in fixture: CeremonyFixture) throws {
        let cost: KDFCost = isDevelopment ? .development : KDFCost(passes: 1, memory: 64 << 10)
        let approval = try fixture.device.preview(
            CreateVault(verifier: nil, networks: [], isDevelopment: isDevelopment, cost: cost)
        )
        .confirm()
        _ = try fixture.device.perform(approval) { SecretBytes(utf8: passphrase) }
    }

    private func isWeak(_ error: any Error) -> Bool {
        if case CeremonyError.weakPassphrase = error { true } else { false }
    }

    @Test func `no vault for real keys is made with a weak passphrase`() throws {
        let fixture = CeremonyFixture(empty: ())
        #expect { try create("correct horse", isDevelopment: false, in: fixture) } throws: { isWeak($0) }
        #expect(throws: VaultError.emptyPassphrase) { try create("", isDevelopment: false, in: fixture) }
        #expect(throws: VaultError.missing(fixture.path)) { _ = try fixture.device.vault() }
        try create(CeremonyFixture.strong, isDevelopment: false, in: fixture)
        #expect(fixture.opens(with: CeremonyFixture.strong))
    }

    @Test func `a development vault has any passphrase`() throws {
        let fixture = CeremonyFixture(empty: ())
        try create("a", isDevelopment: true, in: fixture)
        #expect(fixture.opens(with: "a"))
    }

    @Test func `no passphrase of real keys is changed to a weak one`() throws {
        let fixture = try CeremonyFixture(isDevelopment: false)
        // Without it no key file is taken.
        try fixture.act(CheckRecoveryKey(), in: fixture.session(fixture.makeRecoveryKey()))
        let before = try fixture.snapshot
        #expect { try fixture.act(ChangePassphrase(to: held("correct horse"), keyFile: held(""))) } throws: {
            isWeak($0)
        }
        // A key file is no excuse: it may be lost to whoever has the vault.
        #expect {
            try fixture.act(ChangePassphrase(to: held("a"), keyFile: held(String(repeating: "k", count: 32))))
        } throws: {
            isWeak($0)
        }
        #expect(try fixture.snapshot == before)
    }
}
