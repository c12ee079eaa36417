import SubstratePrimitives

extension ForeignCode {
    /// nil for bytes that start like a payload, and for bytes of no known kind.
    public init?(_ bytes: [UInt8]) {
        guard let first = bytes.first, first != Prelude.firstByte else { return nil }
        let isPrintable = bytes.allSatisfy { (0x20...0x7e).contains($0) }
        guard isPrintable else {
            if bytes.starts(with: Self.psbtMagic) {
                self = .bitcoin
            } else if Self.compactSeedLengths.contains(bytes.count) {
                self = .seed
            } else if Answer(bytes) != nil {
                self = .answer
            } else {
                return nil
            }
            return
        }
        let folded = bytes.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        func starts(with prefixes: [String]) -> Bool {
            prefixes.contains { folded.starts(with: Array($0.utf8)) }
        }
        if first == UInt8(ascii: "{") {
            self = .share
        } else if starts(with: ["wc:"]) {
            self = .walletConnect
        } else if starts(with: ["https://", "http://"]) {
            self = .link
        } else if starts(with: ["secret:"]) {
            self = .secretKey
        } else if starts(with: ["ur:crypto-psbt/", "ur:psbt/", "70736274ff"])
            || bytes.starts(with: Self.psbtInBase64)
        {
            self = .bitcoin
        } else if Self.seedDigits.contains(bytes.count), bytes.allSatisfy({ (0x30...0x39).contains($0) }) {
            self = .seed
        } else if Self.isHexKey(folded) {
            self = .hexKey
        } else if Self.isPhrase(bytes) {
            self = .phrase
        } else if Answer(bytes) != nil {
            self = .answer
        } else if starts(with: ["substrate:", "ethereum:"])
            || (try? SS58Address(String(decoding: bytes, as: UTF8.self))) != nil
        {
            self = .address
        } else {
            return nil
        }
    }

    /// BIP-174: `psbt` and `ff`.
    private static let psbtMagic: [UInt8] = [0x70, 0x73, 0x62, 0x74, 0xff]
    private static let psbtInBase64 = Array("cHNidP".utf8)
    /// Bytes of the entropy of 12 and of 24 words.
    private static let compactSeedLengths = [16, 32]
    /// Four digits for each of 12, 15, 18, 21 or 24 words.
    private static let seedDigits = [48, 60, 72, 84, 96]
    private static let phraseWords = [12, 15, 18, 21, 24]
    /// Letters of the words of BIP-39.
    private static let wordLetters = 3...8

    /// 64 digits behind `0x`. Without it they may be a payload in hex, which is read before this is asked.
    private static func isHexKey(_ folded: [UInt8]) -> Bool {
        folded.count == 66 && folded.starts(with: [0x30, 0x78])
            && folded.dropFirst(2).allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Words by their count and their letters; no list of words is at hand here, and none is needed.
    private static func isPhrase(_ bytes: [UInt8]) -> Bool {
        let words = bytes.split(separator: UInt8(ascii: " "))
        return phraseWords.contains(words.count)
            && words.allSatisfy { word in
                wordLetters.contains(word.count) && word.allSatisfy { (0x61...0x7a).contains($0 | 0x20) }
            }
    }
}
