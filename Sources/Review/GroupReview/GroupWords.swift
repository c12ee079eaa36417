import Keys
import SubstratePrimitives
import UOS

/// Hashes as words, so that two people can compare them by voice.
public enum GroupWords {
    /// Words of a fingerprint.
    public static let count = 8
    private static let bitsOfWord = 11

    /// The first 88 bits as 8 words of the BIP-39 English list, 11 bits a word, most significant first.
    /// - Parameter hash: 11 bytes or more
    public static func words(of hash: [UInt8]) -> [String] {
        precondition(hash.count * 8 >= count * bitsOfWord, "eight words have 88 bits")
        return (0..<count).map { word in
            let index = (word * bitsOfWord..<(word + 1) * bitsOfWord).reduce(0) { index, bit in
                index << 1 | Int(hash[bit / 8] >> UInt8(7 - bit % 8) & 1)
            }
            return WordList.words[index]
        }
    }

    /// The same as one text.
    public static func text(of hash: Hash32) -> String { words(of: hash.bytes).joined(separator: " ") }

    /// The words of a host key, 32 bytes.
    public static func text(ofHost key: [UInt8]) -> String {
        text(of: GroupMember(name: "", hostKey: key).fingerprint)
    }
}
