/// SeedQR and CompactSeedQR: a mnemonic as the content of one QR code.
///
/// SeedQR is the index of each word as four decimal digits; CompactSeedQR is the bare entropy. Only a prompt that asks for a seed may
/// read these: anywhere else the same bytes mean something else. Source: SeedSigner documentation, "SeedQR format".
public enum SeedQR {
    public enum Failure: Error, Equatable, Sendable {
        /// Neither 48…96 digits nor 16 or 32 bytes.
        case notASeedQR
        /// Four digits above 2047; the word counts from 0.
        case indexOutOfRange(word: Int)
        case checksum
    }

    /// The mnemonic in the bytes of one QR code.
    public static func mnemonic(_ content: borrowing SecretBytes) throws(Failure) -> Mnemonic {
        let digits = content.withUnsafeBytes { $0.allSatisfy { (0x30...0x39).contains($0) } }
        // A SeedQR never has 16 or 32 digits, so the two forms cannot be confused.
        if digits, [48, 60, 72, 84, 96].contains(content.count) { return try standard(content) }
        guard content.count == 16 || content.count == 32 else { throw .notASeedQR }
        do { return try Mnemonic(entropy: content.copy()) } catch { throw .notASeedQR }
    }

    private static func standard(_ content: borrowing SecretBytes) throws(Failure) -> Mnemonic {
        let phrase = SecretBytes(count: content.count / 4 * (WordList.longestWord + 1))
        var length = 0
        for word in 0..<(content.count / 4) {
            let index = content.withUnsafeBytes { $0[(4 * word)..<(4 * word + 4)].reduce(0) { 10 * $0 + Int($1 - 0x30) } }
            guard index < WordList.count else { throw .indexOutOfRange(word: word) }
            var packed = WordList.packed(at: index)
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
