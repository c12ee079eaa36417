/// A random key on paper that opens a vault in place of its passphrase and whatever else that needs.
///
/// It is written as 14 words of the BIP-39 list: 12 that are drawn, 132 bits, and two more as a checksum. No
/// recovery phrase of a seed has 14 words, so no wallet takes it for one, and neither does a person who
/// counts.
public struct RecoveryKey: ~Copyable {
    /// Words with their checksum.
    public static let words = 14
    private static let drawnWords = 12

    /// The places of the drawn words in the list, two bytes each, the lower one first.
    private let drawn: SecretBytes

    private init(_ drawn: consuming SecretBytes) { self.drawn = drawn }

    /// A new one, from the kernel's random numbers. 2,048 divides what two bytes can say, so each word is as
    /// likely as any other.
    public static func drawn() -> RecoveryKey {
        let drawn = SecretBytes(randomCount: 2 * drawnWords)
        drawn.withUnsafeMutableBytes { bytes in
            for index in 0..<drawnWords { bytes[2 * index + 1] &= 0x07 }
        }
        return RecoveryKey(drawn)
    }

    /// Reads words divided by white space; upper and lower case are the same.
    /// - Returns: nil for anything but 14 words of the list with the right checksum.
    public init?(phrase: borrowing SecretBytes) {
        let indices = SecretBytes(count: 2 * Self.words)
        let isRead = phrase.withUnsafeBytes { text in
            indices.withUnsafeMutableBytes { Self.read(text, into: $0) }
        }
        guard isRead else { return nil }
        let drawn = indices.slice(0..<(2 * Self.drawnWords))
        guard indices.slice((2 * Self.drawnWords)..<(2 * Self.words)).isEqual(to: Self.checksum(of: drawn))
        else { return nil }
        self.init(drawn)
    }

    /// Whether a text is the words of some recovery key, of this vault or another one.
    public static func isRight(_ phrase: borrowing SecretBytes) -> Bool {
        guard RecoveryKey(phrase: phrase) != nil else { return false }
        return true
    }

    /// The words, single spaces between them.
    public var phrase: SecretBytes {
        let checksum = Self.checksum(of: drawn)
        let text = SecretBytes(count: Self.words * (WordList.longestWord + 1))
        let length = text.withUnsafeMutableBytes { out in
            var length = 0
            func append(_ bytes: UnsafeRawBufferPointer) {
                for start in stride(from: 0, to: bytes.count, by: 2) {
                    var letters = WordList.english.packed(at: Int(bytes[start]) | Int(bytes[start + 1]) << 8)
                    while letters != 0 {
                        out[length] = UInt8(truncatingIfNeeded: letters)
                        letters >>= 8
                        length += 1
                    }
                    out[length] = UInt8(ascii: " ")
                    length += 1
                }
            }
            drawn.withUnsafeBytes(append)
            checksum.withUnsafeBytes(append)
            return length - 1
        }
        return text.slice(0..<length)
    }

    /// 32 bytes that depend on the key and on `context` only.
    public func derivedKey(context: String) -> SecretBytes {
        KeyedHash.derive(Array(context.utf8), key: drawn, length: 32)
    }

    /// The places of the last two words, as of the drawn ones.
    private static func checksum(of drawn: borrowing SecretBytes) -> SecretBytes {
        let digest = KeyedHash.derive(
            Array("heliograph recovery key checksum".utf8), key: drawn, length: 32)
        let checksum = digest.slice(0..<4)
        checksum.withUnsafeMutableBytes { bytes in
            for index in 0..<2 { bytes[2 * index + 1] &= 0x07 }
        }
        return checksum
    }

    private static func read(
        _ text: UnsafeRawBufferPointer, into indices: UnsafeMutableRawBufferPointer
    ) -> Bool {
        var (count, word, letters) = (0, UInt64(0), 0)
        func end() -> Bool {
            guard letters > 0 else { return true }
            guard count < words, let index = WordList.english.index(ofPacked: word) else { return false }
            indices[2 * count] = UInt8(truncatingIfNeeded: index)
            indices[2 * count + 1] = UInt8(truncatingIfNeeded: index >> 8)
            (count, word, letters) = (count + 1, 0, 0)
            return true
        }
        for byte in text {
            switch byte {
            case UInt8(ascii: " "), 0x09...0x0d:
                guard end() else { return false }
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
                guard letters < WordList.longestWord else { return false }
                word |= UInt64(byte | 0x20) << (8 * UInt64(letters))
                letters += 1
            default: return false
            }
        }
        return end() && count == words
    }
}
