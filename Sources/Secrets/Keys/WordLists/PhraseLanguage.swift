/// The languages that BIP-39 has words of. Phrases are read in all of them, and made in English.
public enum PhraseLanguage: String, CaseIterable, Sendable {
    case english
    case japanese
    case korean
    case spanish
    case chineseSimplified = "chinese-simplified"
    case chineseTraditional = "chinese-traditional"
    case french
    case italian
    case czech
    case portuguese

    /// For a person: `simplified Chinese`.
    public var name: String {
        switch self {
        case .english: "English"
        case .japanese: "Japanese"
        case .korean: "Korean"
        case .spanish: "Spanish"
        case .chineseSimplified: "simplified Chinese"
        case .chineseTraditional: "traditional Chinese"
        case .french: "French"
        case .italian: "Italian"
        case .czech: "Czech"
        case .portuguese: "Portuguese"
        }
    }

    /// nil for English, whose words are in ``WordList``.
    var table: WordTable? {
        switch self {
        case .english: nil
        case .japanese: .japanese
        case .korean: .korean
        case .spanish: .spanish
        case .chineseSimplified: .chineseSimplified
        case .chineseTraditional: .chineseTraditional
        case .french: .french
        case .italian: .italian
        case .czech: .czech
        case .portuguese: .portuguese
        }
    }

    /// The words in the order of BIP-39, in NFKD.
    public var words: [String] { table?.words ?? WordList.english.words }

    /// The place of a word in the list, 0…2047; nil for another word.
    /// - `word`: UTF-8 in NFKD.
    func index(of word: UnsafeRawBufferPointer) -> Int? {
        if let table { return table.index(of: word) }
        return WordList.pack(word).flatMap(WordList.english.index(ofPacked:))
    }

    /// Bytes of the longest word.
    var longestWord: Int { table?.longestWord ?? WordList.longestWord }

    /// Writes the word at an index to the start of `out`.
    /// - Returns: its bytes.
    func write(_ index: Int, to out: UnsafeMutableRawBufferPointer) -> Int {
        if let table { return table.write(index, to: out) }
        var (packed, length) = (WordList.english.packed(at: index), 0)
        while packed != 0 {
            out[length] = UInt8(truncatingIfNeeded: packed)
            length += 1
            packed >>= 8
        }
        return length
    }
}

/// The words of a language other than English, in rows of one width with zeros behind each word.
///
/// Which word is looked up is secret, so every lookup reads every row.
struct WordTable: Sendable {
    /// Bytes of the longest word.
    let longestWord: Int
    /// Numbers of 64 bits in a row.
    private let width: Int
    private let rows: [UInt64]

    static let japanese = WordTable(JapaneseWords.text)
    static let korean = WordTable(KoreanWords.text)
    static let spanish = WordTable(SpanishWords.text)
    static let chineseSimplified = WordTable(ChineseSimplifiedWords.text)
    static let chineseTraditional = WordTable(ChineseTraditionalWords.text)
    static let french = WordTable(FrenchWords.text)
    static let italian = WordTable(ItalianWords.text)
    static let czech = WordTable(CzechWords.text)
    static let portuguese = WordTable(PortugueseWords.text)

    private init(_ text: StaticString) {
        let words = text.description.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        let longest = words.map(\.count).max() ?? 0
        let width = (longest + 7) / 8
        longestWord = longest
        self.width = width
        rows = words.flatMap { word in
            var row = [UInt64](repeating: 0, count: width)
            for (place, byte) in word.enumerated() {
                row[place / 8] |= UInt64(byte) << UInt64(8 * (place % 8))
            }
            return row
        }
    }

    /// The words in the order of BIP-39.
    var words: [String] {
        (0..<WordList.english.count).map { index in
            var letters = [UInt8](repeating: 0, count: 8 * width)
            let length = letters.withUnsafeMutableBytes { write(index, to: $0) }
            return String(decoding: letters[..<length], as: UTF8.self)
        }
    }

    func index(of word: UnsafeRawBufferPointer) -> Int? {
        guard !word.isEmpty, word.count <= longestWord else { return nil }
        return withSecretScratch(8 * width) { row in
            UnsafeMutableRawBufferPointer(start: row, count: word.count).copyMemory(from: word)
            let wanted = UnsafeRawBufferPointer(start: row, count: 8 * width)
            var found: UInt64 = 0
            for index in 0..<WordList.english.count {
                var difference: UInt64 = 0
                for part in 0..<width {
                    let number = UInt64(
                        littleEndian: wanted.loadUnaligned(fromByteOffset: 8 * part, as: UInt64.self))
                    difference |= rows[index * width + part] ^ number
                }
                found |= Self.mask(difference == 0) & UInt64(index + 1)
            }
            return found == 0 ? nil : Int(found) - 1
        }
    }

    func write(_ index: Int, to out: UnsafeMutableRawBufferPointer) -> Int {
        var length = 0
        for part in 0..<width {
            var number: UInt64 = 0
            for row in 0..<WordList.english.count {
                number |= Self.mask(row == index) & rows[row * width + part]
            }
            while number != 0 {
                out[length] = UInt8(truncatingIfNeeded: number)
                length += 1
                number >>= 8
            }
        }
        return length
    }

    @inline(__always)
    private static func mask(_ condition: Bool) -> UInt64 { 0 &- (condition ? 1 : 0) }
}
