/// A passphrase of words drawn at random from the list of BIP-39.
public enum DrawnPassphrase {
    /// 11 bits each, 66 bits together.
    public static let words = 6

    /// - Parameter separator: ASCII, between two words. Blanks are where they are on every keyboard; hyphens
    ///   are what Banana Split uses.
    public static func make(separator: Unicode.Scalar) -> SecretBytes {
        let text = SecretBytes(count: words * (WordList.longestWord + 1))
        var length = 0
        text.withUnsafeMutableBytes { out in
            for _ in 0..<words {
                let index = UniformDraw.index(below: WordList.english.count)
                WordList.english.copyWord(
                    at: index, to: UnsafeMutableRawBufferPointer(rebasing: out[length...]))
                length += WordList.english.length(at: index)
                out[length] = UInt8(ascii: separator)
                length += 1
            }
        }
        return text.slice(0..<(length - 1))
    }
}
