import Diagnostics

/// A list of words of ASCII letters, each packed into eight bytes so that a lookup can touch every entry
/// alike.
///
/// Which word is looked up is secret, so `index(ofPacked:)` and `packed(at:)` read the whole table each time.
public struct WordList: Sendable {
    /// Which of the two.
    public enum Standard: String, Sendable {
        case bip39 = "BIP-39"
        case slip39 = "SLIP-39"
    }

    /// The 2048 English words of BIP-39.
    public static let english = WordList(.bip39, englishText)
    /// The 1024 words of SLIP-0039. No two start with the same four letters.
    public static let shares = WordList(.slip39, sharesText)

    /// Letters of the longest word of both.
    public static let longestWord = 8

    /// The standard that has the list.
    public let standard: Standard
    /// The words in the order of the standard, which is alphabetical.
    public let words: [String]
    /// First letter in the lowest byte, zero above the last letter.
    private let table: [UInt64]

    private init(_ standard: Standard, _ text: StaticString) {
        self.standard = standard
        table = text.description.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
            .map { Self.pack($0) ?? 0 }
        words = table.map(Self.unpack)
    }

    /// Words of the list.
    public var count: Int { table.count }

    static func pack(_ letters: some Sequence<UInt8>) -> UInt64? {
        var packed: UInt64 = 0
        var shift: UInt64 = 0
        for letter in letters {
            guard shift < 64 else { return nil }
            packed |= UInt64(letter) << shift
            shift += 8
        }
        return packed
    }

    private static func unpack(_ packed: UInt64) -> String {
        var letters: [UInt8] = []
        var rest = packed
        while rest != 0 {
            letters.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
        return String(decoding: letters, as: UTF8.self)
    }

    /// The place of a word, in either case; nil for one that is not in the list.
    func index(of word: UnsafeRawBufferPointer) -> Int? {
        Self.pack(word.lazy.map(Self.lowercased)).flatMap(index(ofPacked:))
    }

    /// From 0, or nil for a word that is not in the list.
    func index(ofPacked word: UInt64) -> Int? {
        var found: UInt64 = 0
        for (index, entry) in table.enumerated() {
            found |= Self.mask(entry == word) & UInt64(index + 1)
        }
        return found == 0 ? nil : Int(found) - 1
    }

    func packed(at index: Int) -> UInt64 {
        var word: UInt64 = 0
        for (position, entry) in table.enumerated() { word |= Self.mask(position == index) & entry }
        return word
    }

    @inline(__always)
    private static func mask(_ condition: Bool) -> UInt64 { 0 &- (condition ? 1 : 0) }

    /// The indices of the words that start with `prefix`, ASCII letters of either case. The list is in
    /// alphabetical order, so they are consecutive. For a prompt that completes words: nothing of the prefix
    /// is copied.
    public func indices(startingWith prefix: UnsafeRawBufferPointer) -> Range<Int> {
        guard prefix.count <= Self.longestWord else { return 0..<0 }
        let wanted = Self.pack(prefix.lazy.map(Self.lowercased)) ?? 0
        let letters: UInt64 = prefix.count == Self.longestWord ? .max : 1 << (8 * UInt64(prefix.count)) - 1
        guard let first = table.firstIndex(where: { $0 & letters == wanted }) else { return 0..<0 }
        return first..<(table[first...].firstIndex { $0 & letters != wanted } ?? count)
    }

    /// Letters of the word at an index, 3 to 8.
    public func length(at index: Int) -> Int { (71 - table[index].leadingZeroBitCount) / 8 }

    /// Writes the letters of the word at an index to the start of `out`.
    public func copyWord(at index: Int, to out: UnsafeMutableRawBufferPointer) {
        withUnsafeBytes(of: table[index].littleEndian) {
            out.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(length(at: index))))
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
    }

    /// The words that start with `prefix`, which is not secret, in the order of the list.
    public func words(startingWith prefix: String) -> [String] {
        var prefix = prefix
        return Array(words[prefix.withUTF8 { indices(startingWith: UnsafeRawBufferPointer($0)) }])
    }

    /// Up to `limit` words of the smallest edit distance to a word that is not in the list, nearest first,
    /// then in list order.
    ///
    /// The distance counts insertions, deletions, replacements and swaps of neighbours; nothing farther than
    /// 3 is offered.
    public func nearest(to word: String, limit: Int = 5) -> [String] {
        var word = word
        return word.withUTF8 { nearest(to: UnsafeRawBufferPointer($0), limit: limit) }
    }

    /// The nearest words to one that may be secret, so it is not copied.
    public func nearest(to word: UnsafeRawBufferPointer, limit: Int = 5) -> [String] {
        let wanted = UnsafeRawBufferPointer(rebasing: word.prefix(32))
        let ranked = words.enumerated().map { word in
            (
                distance: EditDistance.between(wanted.lazy.map(Self.lowercased), Array(word.element.utf8)),
                index: word.offset
            )
        }
        return ranked.filter { $0.distance <= 3 }
            .sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
            .prefix(limit).map { words[$0.index] }
    }
}
