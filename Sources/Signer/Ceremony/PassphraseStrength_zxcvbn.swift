import CZxcvbn
import Glibc
import Keys
import Sandbox
import SystemIO

extension PassphraseStrength {
    /// Words that a list of common passwords does not have, and that everyone who attacks a vault of this
    /// program tries first.
    private static let likelyWords = ["heliograph", "polkadot", "kusama", "westend", "substrate", "parity"]

    /// Estimates the guesses that find a passphrase: the fewest that anything here counts.
    ///
    /// - Throws: as ``refusal(of:)``.
    public init(of passphrase: borrowing SecretBytes) throws {
        let found = try Self.findings(passphrase)
        self.init(bits: min(found.whole, found.withoutRepeats, found.phrase))
    }

    /// Why a vault with real keys does not take a passphrase: ``CeremonyError/repeatedWords(_:)``,
    /// ``CeremonyError/knownPhrase`` or ``CeremonyError/weakPassphrase(_:)``; nil for one that it takes.
    ///
    /// zxcvbn copies the passphrase, reversed and in parts, into memory that it frees without wiping, and
    /// onto its stack. So a child process runs it, and the memory ends with the child.
    /// - Throws: ``CeremonyError/strengthUnknown`` where the child did not answer; `SandboxError` where none
    ///   can be started.
    public static func refusal(of passphrase: borrowing SecretBytes) throws -> CeremonyError? {
        let found = try findings(passphrase)
        let (whole, rest) = (Self(bits: found.whole), Self(bits: found.withoutRepeats))
        guard rest.isEnough else { return .repeatedWords(rest) }
        guard found.phrase == .infinity else { return .knownPhrase }
        return whole.isEnough ? nil : .weakPassphrase(whole)
    }

    /// Binary logarithms of guesses: for the whole passphrase; without repeated words, infinite if none is
    /// repeated; and for a phrase in the list, infinite if it contains none.
    typealias Findings = (whole: Double, withoutRepeats: Double, phrase: Double)

    /// - Throws: as ``refusal(of:)``.
    private static func findings(_ passphrase: borrowing SecretBytes) throws -> Findings {
        _ = isPrepared
        let text = singleBytes(passphrase)
        var found = Findings(0, 0, 0)
        let (length, code) = try withUnsafeMutableBytes(of: &found) { result in
            try text.withUnsafeBytes { text in
                try Sandbox.inChild(result: result) { descriptor in
                    let found = findings(letters(text.bindMemory(to: CChar.self).baseAddress!))
                    return withUnsafeBytes(of: found) { Descriptor.write(descriptor, $0) } ? 0 : 1
                }
            }
        }
        guard code == 0, length == MemoryLayout<Findings>.size, found.whole.isFinite,
            !found.withoutRepeats.isNaN
        else {
            throw CeremonyError.strengthUnknown
        }
        return found
    }

    /// Makes each table, by an estimate of a text that is not a secret and has something of every kind. A
    /// child has one thread: where another one of the parent makes a table at the moment of the fork, the
    /// child would wait for it without end.
    private static let isPrepared = findings(letters("Qwerty p@ss 13.1.1987 1371987 abcabc")).whole > 0

    /// What is found in a text of at most ``PassphraseGuesses/longest`` letters.
    static func findings(_ letters: [UInt8]) -> Findings {
        (
            bits(letters),
            PassphraseWording.withoutRepeats(letters).map { bits($0) } ?? .infinity,
            PassphraseWording(letters).hasKnownPhrase
                ? log2(Double(PassphraseWording.knownPhrases)) : .infinity
        )
    }

    /// The first letters of a text, a byte each.
    ///
    /// No estimate reads more, so that no passphrase keeps the program busy: the work grows faster than the
    /// length, and more letters only make more guesses.
    static func letters(_ text: UnsafePointer<CChar>) -> [UInt8] {
        let count = strnlen(text, PassphraseGuesses.longest)
        return UnsafeBufferPointer(start: text, count: count).map { UInt8(bitPattern: $0) }
    }

    /// The lowest of three estimates: of libzxcvbn, the C port, which counts every letter outside its
    /// patterns as a random one of 26 or 95; of ``PassphraseGuesses``, which counts like the reference; and
    /// of ``PassphraseWording``, which knows the order of words in sentences.
    static func bits(_ letters: [UInt8]) -> Double {
        var words: [UnsafePointer<CChar>?] = likelyWords.map { UnsafePointer(strdup($0)) }
        words.append(nil)
        let text = letters.map { CChar(bitPattern: $0) } + [0]
        let ownWords = likelyWords.map { Array($0.utf8) }
        var guesses = PassphraseGuesses(ownWords: ownWords)
        return min(
            ZxcvbnMatch(text, &words, nil), log2(guesses.count(letters)),
            PassphraseWording(letters).sentenceBits(ownWords: ownWords))
    }

    /// The passphrase with one byte for each letter, and a zero at its end.
    ///
    /// zxcvbn counts bytes. A guesser counts a letter of several UTF-8 bytes as one letter, and its first
    /// byte tells nothing if all letters are of one alphabet. Such a letter keeps its low seven bits, so that
    /// equal letters stay equal.
    private static func singleBytes(_ passphrase: borrowing SecretBytes) -> SecretBytes {
        let text = SecretBytes(count: passphrase.count + 1)
        text.withUnsafeMutableBytes { out in
            passphrase.withUnsafeBytes { bytes in
                var length = 0
                for byte in bytes {
                    switch byte {
                    // What follows in a letter: it replaces what its first byte left.
                    case 0x80...0xbf where length > 0 && out[length - 1] >= 0x80:
                        out[length - 1] = 0x80 | byte & 0x3f
                    case 0x01...0x7f: out[length] = byte; length += 1
                    default: out[length] = 0x80 | byte & 0x7f; length += 1
                    }
                }
            }
        }
        return text
    }
}
