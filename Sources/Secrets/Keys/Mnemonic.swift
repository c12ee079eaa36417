import CSodium
import Diagnostics

/// Why a phrase is not a mnemonic.
public enum MnemonicError: Error, Equatable, Sendable {
    /// Not 12, 15, 18, 21 or 24 words.
    case wordCount(Int)
    /// The word at this index, counted from 0, is not in the list.
    case unknownWord(index: Int)
    /// Every word is in the list, but the checksum is invalid.
    case checksum
    /// Entropy of a length that no mnemonic has, in bytes.
    case entropyLength(Int)
}

/// A BIP-39 phrase of 12, 15, 18, 21 or 24 English words, held as its entropy.
public struct Mnemonic: ~Copyable {
    /// 16, 20, 24, 28 or 32 bytes.
    public let entropy: SecretBytes

    public init(entropy: consuming SecretBytes) throws(MnemonicError) {
        guard [16, 20, 24, 28, 32].contains(entropy.count) else { throw .entropyLength(entropy.count) }
        self.entropy = entropy
    }

    /// Reads UTF-8 words divided by white space; upper and lower case of ASCII letters are the same.
    public init(phrase: borrowing SecretBytes) throws(MnemonicError) {
        // 32 bytes of entropy, one of checksum.
        let bits = SecretBytes(count: 33)
        let words = try phrase.withUnsafeBytes { text throws(MnemonicError) in
            try bits.withUnsafeMutableBytes { out throws(MnemonicError) in
                try Self.pack(words: text, into: out)
            }
        }
        guard (12...24).contains(words), words.isMultiple(of: 3) else { throw .wordCount(words) }
        let entropyLength = words / 3 * 4
        let entropy = bits.slice(0..<entropyLength)
        // One bit of checksum for each 32 bits of entropy.
        let checksumMask = UInt8(truncatingIfNeeded: 0xff00 >> (words / 3))
        let stored = bits.withUnsafeBytes { $0[entropyLength] }
        guard stored & checksumMask == Self.checksum(entropy) & checksumMask else { throw .checksum }
        self.entropy = entropy
    }

    public var wordCount: Int { entropy.count / 4 * 3 }

    /// The words with single spaces between them.
    public borrowing func phrase() -> SecretBytes {
        let text = SecretBytes(count: wordCount * (WordList.longestWord + 1))
        var length = 0
        text.withUnsafeMutableBytes { out in
            forEachIndex { index in
                if length > 0 {
                    out[length] = UInt8(ascii: " ")
                    length += 1
                }
                var packed = WordList.packed(at: index)
                while packed != 0 {
                    out[length] = UInt8(truncatingIfNeeded: packed)
                    length += 1
                    packed >>= 8
                }
            }
        }
        return text.slice(0..<length)
    }

    /// Hands over the place of each word in the list, 0…2047, in the phrase's order.
    borrowing func forEachIndex(_ body: (Int) -> Void) {
        let checksum = Self.checksum(entropy)
        for word in 0..<wordCount {
            entropy.withUnsafeBytes { body(Self.index(ofWord: word, entropy: $0, checksum: checksum)) }
        }
    }

    /// Whether both are the same phrase, in constant time.
    public borrowing func isEqual(to other: borrowing Mnemonic) -> Bool { entropy.isEqual(to: other.entropy) }

    private static func checksum(_ entropy: borrowing SecretBytes) -> UInt8 {
        withSecretScratch(32) { digest in
            entropy.withUnsafeBytes {
                _ = crypto_hash_sha256(digest, $0.bindMemory(to: UInt8.self).baseAddress, UInt64($0.count))
            }
            return digest[0]
        }
    }

    private static func index(ofWord word: Int, entropy: UnsafeRawBufferPointer, checksum: UInt8) -> Int {
        var index = 0
        for bit in (word * 11)..<(word * 11 + 11) {
            let byte = bit / 8 < entropy.count ? entropy[bit / 8] : checksum
            index = index << 1 | Int(byte >> UInt8(7 - bit % 8) & 1)
        }
        return index
    }

    /// Writes 11 bits a word, the first bit highest, and returns how many words there are. Words beyond the
    /// 24th are counted only.
    private static func pack(words text: UnsafeRawBufferPointer, into out: UnsafeMutableRawBufferPointer)
        throws(MnemonicError) -> Int
    {
        var words = 0
        var unknown: Int?
        var start = 0
        while start < text.count {
            if isSpace(text[start]) {
                start += 1
                continue
            }
            var end = start
            while end < text.count, !isSpace(text[end]) { end += 1 }
            let packed = WordList.pack(
                text[start..<end].lazy.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 })
            if let index = packed.flatMap(WordList.index(ofPacked:)) {
                if words < 24 { write(index, at: words * 11, into: out) }
            } else if unknown == nil {
                unknown = words
            }
            words += 1
            start = end
        }
        if let unknown { throw .unknownWord(index: unknown) }
        return words
    }

    private static func write(_ index: Int, at bit: Int, into out: UnsafeMutableRawBufferPointer) {
        for offset in 0..<11 {
            let position = bit + offset
            out[position / 8] |= UInt8(index >> (10 - offset) & 1) << UInt8(7 - position % 8)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}

extension MnemonicError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .wordCount(let count):
            .badInput(
                "phrase-length", "a recovery phrase has 12, 15, 18, 21 or 24 words, not \(count)",
                hint: "heliograph util words PREFIX")
        case .unknownWord(let index):
            .badInput(
                "unknown-word", "word \(index + 1) of the recovery phrase is not a BIP-39 word",
                hint: "heliograph util words PREFIX")
        case .checksum:
            .badInput(
                "phrase-checksum",
                "the recovery phrase has an invalid checksum: a word is wrong, or two words are swapped",
                hint: "heliograph util words PREFIX")
        case .entropyLength(let count):
            .badInput(
                "entropy-length",
                "the entropy of a recovery phrase has 16, 20, 24, 28 or 32 bytes, not \(count)",
                hint: "heliograph util words PREFIX")
        }
    }

    public static var examples: [MnemonicError] {
        [.wordCount(11), .unknownWord(index: 4), .checksum, .entropyLength(15)]
    }
}
