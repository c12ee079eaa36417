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
        guard let entropy = Self.entropy(of: bits, words: words) else { throw .checksum }
        self.entropy = entropy
    }

    /// The entropy in front of a checksum; nil where that is another one.
    private static func entropy(of bits: borrowing SecretBytes, words: Int) -> SecretBytes? {
        let entropyLength = words / 3 * 4
        let entropy = bits.slice(0..<entropyLength)
        // One bit of checksum for each 32 bits of entropy.
        let checksumMask = UInt8(truncatingIfNeeded: 0xff00 >> (words / 3))
        let stored = bits.withUnsafeBytes { $0[entropyLength] }
        guard stored & checksumMask == checksum(entropy) & checksumMask else { return nil }
        return entropy
    }

    /// Stands for a word that the list does not have.
    static let noWord = UInt16.max

    /// The places of a phrase's words in the list, two bytes each, ``noWord`` for an unknown one.
    static func indices(of phrase: borrowing SecretBytes) throws(MnemonicError) -> SecretBytes {
        // A phrase that is too long is counted only.
        let indices = SecretBytes(count: 2 * 24)
        let words = phrase.withUnsafeBytes { text in
            indices.withUnsafeMutableBytes { out in
                forEachWord(of: text) { number, index in
                    guard number < 24 else { return }
                    out.storeBytes(
                        of: index.map(UInt16.init) ?? noWord, toByteOffset: 2 * number, as: UInt16.self)
                }
            }
        }
        guard (12...24).contains(words), words.isMultiple(of: 3) else { throw .wordCount(words) }
        return indices.slice(0..<(2 * words))
    }

    /// nil where a word is unknown or the checksum is another one.
    init?(indices: borrowing SecretBytes) {
        let words = indices.count / 2
        let bits = SecretBytes(count: 33)
        let areKnown = indices.withUnsafeBytes { indices in
            bits.withUnsafeMutableBytes { out in
                for word in 0..<words {
                    let index = indices.loadUnaligned(fromByteOffset: 2 * word, as: UInt16.self)
                    guard index < WordList.count else { return false }
                    Self.write(Int(index), at: word * 11, into: out)
                }
                return true
            }
        }
        guard areKnown, let entropy = Self.entropy(of: bits, words: words) else { return nil }
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
        var unknown: Int?
        let words = forEachWord(of: text) { number, index in
            if let index {
                if number < 24 { write(index, at: number * 11, into: out) }
            } else if unknown == nil {
                unknown = number
            }
        }
        if let unknown { throw .unknownWord(index: unknown) }
        return words
    }

    /// Hands over the place of each word in the list, nil for an unknown one, and returns how many there are.
    private static func forEachWord(of text: UnsafeRawBufferPointer, _ body: (Int, Int?) -> Void) -> Int {
        var words = 0
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
            body(words, packed.flatMap(WordList.index(ofPacked:)))
            words += 1
            start = end
        }
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
