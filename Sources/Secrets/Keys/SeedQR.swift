import Diagnostics

/// SeedQR and CompactSeedQR: a mnemonic as the content of one QR code.
///
/// SeedQR is the index of each word as four decimal digits; CompactSeedQR is the bare entropy. Only a prompt
/// that asks for a seed may read these: anywhere else the same bytes mean something else. Source: SeedSigner
/// documentation, "SeedQR Format Specification" (docs/seed_qr/README.md). Both are drawn with error
/// correction L, in the smallest code that holds them.
public enum SeedQR {
    /// Why a QR code's content is not a SeedQR.
    public enum Failure: Error, Equatable, Sendable {
        /// Neither 48…96 digits nor 16 or 32 bytes.
        case notASeedQR
        /// Four digits above 2047; the word counts from 0.
        case indexOutOfRange(word: Int)
        case checksum
        /// A phrase of this many words has no CompactSeedQR: its entropy does not have 16 or 32 bytes.
        case notCompact(words: Int)
    }

    /// Which of the two.
    public enum Form: String, Sendable, CaseIterable {
        case standard
        case compact
    }

    // MARK: Writing

    /// The content of a QR code: ``standard(_:)`` in numeric mode, ``compact(_:)`` in byte mode.
    public static func content(of mnemonic: borrowing Mnemonic, as form: Form) throws(Failure) -> SecretBytes
    {
        switch form {
        case .standard: standard(mnemonic)
        case .compact: try compact(mnemonic)
        }
    }

    /// The content of a SeedQR: four decimal digits a word, for a QR code in numeric mode.
    public static func standard(_ mnemonic: borrowing Mnemonic) -> SecretBytes {
        let digits = SecretBytes(count: 4 * mnemonic.wordCount)
        digits.withUnsafeMutableBytes { out in
            var offset = 0
            mnemonic.forEachIndex { index in
                for power in [1000, 100, 10, 1] {
                    out[offset] = UInt8(ascii: "0") + UInt8(index / power % 10)
                    offset += 1
                }
            }
        }
        return digits
    }

    /// The content of a CompactSeedQR: the entropy of 12 or 24 words, 16 or 32 bytes, for a QR code in byte
    /// mode.
    /// - Throws: ``Failure/notCompact(words:)``
    public static func compact(_ mnemonic: borrowing Mnemonic) throws(Failure) -> SecretBytes {
        guard compactLengths.contains(mnemonic.entropy.count) else {
            throw .notCompact(words: mnemonic.wordCount)
        }
        return mnemonic.entropy.copy()
    }

    // MARK: Reading

    /// The format has only two lengths, because a reader could not tell entropy of 20, 24 or 28 bytes from
    /// other data.
    private static let compactLengths = [16, 32]

    /// The mnemonic in the bytes of one QR code.
    public static func mnemonic(_ content: borrowing SecretBytes) throws(Failure) -> Mnemonic {
        let digits = content.withUnsafeBytes { $0.allSatisfy { (0x30...0x39).contains($0) } }
        // A SeedQR never has 16 or 32 digits, so the two forms cannot be confused.
        if digits, [48, 60, 72, 84, 96].contains(content.count) { return try mnemonic(digits: content) }
        guard compactLengths.contains(content.count) else { throw .notASeedQR }
        do { return try Mnemonic(entropy: content.copy()) } catch { throw .notASeedQR }
    }

    private static func mnemonic(digits content: borrowing SecretBytes) throws(Failure) -> Mnemonic {
        let phrase = SecretBytes(count: content.count / 4 * (WordList.longestWord + 1))
        var length = 0
        for word in 0..<(content.count / 4) {
            let index = content.withUnsafeBytes {
                $0[(4 * word)..<(4 * word + 4)].reduce(0) { 10 * $0 + Int($1 - 0x30) }
            }
            guard index < WordList.english.count else { throw .indexOutOfRange(word: word) }
            var packed = WordList.english.packed(at: index)
            phrase.withUnsafeMutableBytes { out in
                while packed != 0 {
                    out[length] = UInt8(truncatingIfNeeded: packed)
                    packed >>= 8
                    length += 1
                }
                out[length] = 0x20
                length += 1
            }
        }
        do { return try Mnemonic(phrase: phrase.slice(0..<length)) } catch { throw .checksum }
    }
}

extension SeedQR.Failure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .notASeedQR:
            .badInput(
                "seed-qr", "the QR code is neither a SeedQR nor a CompactSeedQR",
                hint: "scan the code again, or type the words: heliograph seed restore NAME")
        case .indexOutOfRange(let word):
            .badInput(
                "seed-qr", "word \(word + 1) of the SeedQR is above 2047",
                hint: "scan the code again, or type the words: heliograph seed restore NAME")
        case .checksum:
            .badInput(
                "phrase-checksum", "the SeedQR has an invalid checksum",
                hint: "scan the code again, or type the words: heliograph seed restore NAME")
        case .notCompact(let words):
            .badInput(
                "seed-qr", "a CompactSeedQR holds a phrase of 12 or 24 words, not of \(words)",
                hint: "scan the code again, or type the words: heliograph seed restore NAME")
        }
    }

    public static var examples: [Self] {
        [.notASeedQR, .indexOutOfRange(word: 3), .checksum, .notCompact(words: 15)]
    }
}
