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
    /// The words are a valid phrase of more than one language, and stand for other entropy in each.
    case ambiguousLanguage([PhraseLanguage])
}

/// A BIP-39 phrase of 12, 15, 18, 21 or 24 words, held as its entropy.
///
/// `//` paths start from the entropy, whatever the words; paths of numbers start from the words, so that the
/// same entropy leads to other keys in each language.
public struct Mnemonic: ~Copyable {
    /// 16, 20, 24, 28 or 32 bytes.
    public let entropy: SecretBytes
    /// Of the words.
    public let language: PhraseLanguage

    public init(entropy: consuming SecretBytes) throws(MnemonicError) {
        guard [16, 20, 24, 28, 32].contains(entropy.count) else { throw .entropyLength(entropy.count) }
        self.entropy = entropy
        language = .english
    }

    /// Reads English words divided by white space; upper and lower case of ASCII letters are the same.
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
        language = .english
    }

    /// Reads words of any language of BIP-39, in any Unicode form.
    /// - Parameters:
    ///   - phrase: UTF-8.
    ///   - language: the language of the words; nil where the words themselves tell it.
    public init(reading phrase: borrowing SecretBytes, language: PhraseLanguage? = nil)
        throws(MnemonicError)
    {
        let text = PhraseText.normalized(phrase)
        var found = SecretBytes()
        var fitting: [PhraseLanguage] = []
        var areAllWords = false
        var best: (known: Int, firstUnknown: Int)?
        for language in language.map({ [$0] }) ?? PhraseLanguage.allCases {
            let indices = try Self.indices(ofNormalized: text, language)
            let unknown = Self.unknown(in: indices)
            if let first = unknown.first {
                let known = indices.count / 2 - unknown.count
                if best.map({ known > $0.known }) ?? true { best = (known, first) }
                continue
            }
            areAllWords = true
            guard Mnemonic(indices: indices, language) != nil else { continue }
            // Words that stand at the same places of both Chinese lists are one phrase.
            if !fitting.isEmpty, found.isEqual(to: indices) { continue }
            if fitting.isEmpty { found = indices }
            fitting.append(language)
        }
        guard areAllWords else { throw .unknownWord(index: best?.firstUnknown ?? 0) }
        guard fitting.count < 2 else { throw .ambiguousLanguage(fitting) }
        guard let language = fitting.first, let mnemonic = Mnemonic(indices: found, language) else {
            throw .checksum
        }
        self = mnemonic
    }

    /// The language that knows most words of a phrase; English where several do.
    public static func likelyLanguage(of phrase: borrowing SecretBytes) throws(MnemonicError)
        -> PhraseLanguage
    {
        let text = PhraseText.normalized(phrase)
        var best = (language: PhraseLanguage.english, unknown: Int.max)
        for language in PhraseLanguage.allCases {
            let unknown = unknown(in: try indices(ofNormalized: text, language)).count
            if unknown < best.unknown { best = (language, unknown) }
        }
        return best.language
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
    static func indices(of phrase: borrowing SecretBytes, _ language: PhraseLanguage) throws(MnemonicError)
        -> SecretBytes
    {
        try indices(ofNormalized: PhraseText.normalized(phrase), language)
    }

    /// The places of unknown words, from 0.
    static func unknown(in indices: borrowing SecretBytes) -> [Int] {
        indices.withUnsafeBytes { bytes in
            (0..<(bytes.count / 2)).filter {
                bytes.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self) == noWord
            }
        }
    }

    private static func indices(ofNormalized phrase: borrowing SecretBytes, _ language: PhraseLanguage)
        throws(MnemonicError) -> SecretBytes
    {
        // A phrase that is too long is counted only.
        let indices = SecretBytes(count: 2 * 24)
        let words = phrase.withUnsafeBytes { text in
            indices.withUnsafeMutableBytes { out in
                forEachWord(of: text, language) { number, index in
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
    init?(indices: borrowing SecretBytes, _ language: PhraseLanguage) {
        let words = indices.count / 2
        let bits = SecretBytes(count: 33)
        let areKnown = indices.withUnsafeBytes { indices in
            bits.withUnsafeMutableBytes { out in
                for word in 0..<words {
                    let index = indices.loadUnaligned(fromByteOffset: 2 * word, as: UInt16.self)
                    guard index < WordList.english.count else { return false }
                    Self.write(Int(index), at: word * 11, into: out)
                }
                return true
            }
        }
        guard areKnown, let entropy = Self.entropy(of: bits, words: words) else { return nil }
        self.entropy = entropy
        self.language = language
    }

    public var wordCount: Int { entropy.count / 4 * 3 }

    /// The words in NFKD with single spaces between them.
    public borrowing func phrase() -> SecretBytes {
        let language = language
        let text = SecretBytes(count: wordCount * (language.longestWord + 1))
        var length = 0
        text.withUnsafeMutableBytes { out in
            forEachIndex { index in
                if length > 0 {
                    out[length] = UInt8(ascii: " ")
                    length += 1
                }
                length += language.write(index, to: UnsafeMutableRawBufferPointer(rebasing: out[length...]))
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

    /// Whether both have the same entropy, in constant time.
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
        let words = forEachWord(of: text, .english) { number, index in
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
    /// ASCII letters may have either case.
    private static func forEachWord(
        of text: UnsafeRawBufferPointer, _ language: PhraseLanguage, _ body: (Int, Int?) -> Void
    ) -> Int {
        forEachWord(of: text) { number, word in body(number, index(of: word, language)) }
    }

    /// Lends each word of a text, and returns how many there are.
    static func forEachWord(
        of text: UnsafeRawBufferPointer, _ body: (Int, UnsafeRawBufferPointer) -> Void
    ) -> Int {
        var words = 0
        var start = 0
        while start < text.count {
            if isSpace(text[start]) {
                start += 1
                continue
            }
            var end = start
            while end < text.count, !isSpace(text[end]) { end += 1 }
            body(words, UnsafeRawBufferPointer(rebasing: text[start..<end]))
            words += 1
            start = end
        }
        return words
    }

    private static func index(of word: UnsafeRawBufferPointer, _ language: PhraseLanguage) -> Int? {
        language == .english ? WordList.english.index(of: word) : language.index(of: word)
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
        case .ambiguousLanguage(let languages):
            .badInput(
                "phrase-language",
                "the recovery phrase is valid in more than one language: "
                    + languages.map(\.name).joined(separator: ", "),
                hint: "name its language: --language \(languages.first?.rawValue ?? "NAME")")
        case .entropyLength(let count):
            .badInput(
                "entropy-length",
                "the entropy of a recovery phrase has 16, 20, 24, 28 or 32 bytes, not \(count)",
                hint: "heliograph util words PREFIX")
        }
    }

    public static var examples: [MnemonicError] {
        [
            .wordCount(11), .unknownWord(index: 4), .checksum, .entropyLength(15),
            .ambiguousLanguage([.english, .french]),
        ]
    }
}
