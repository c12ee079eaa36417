import SubstratePrimitives

extension ForeignCode {
    /// nil for bytes that start like a payload, and for bytes of no known kind.
    public init?(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return nil }
        let isPrintable = bytes.allSatisfy { (0x20...0x7e).contains($0) || Self.blanks.contains($0) }
        guard isPrintable else {
            guard first != Prelude.firstByte else { return nil }
            if bytes.starts(with: Self.psbtMagic) {
                self = .bitcoin
            } else if Self.compactSeedLengths.contains(bytes.count) {
                self = .seed
            } else if Answer(bytes) != nil {
                self = .answer
            } else if Self.isText(bytes) {
                self = .text
            } else {
                return nil
            }
            return
        }
        // Behind the first byte of a payload stands a scheme, which is no letter.
        guard first != Prelude.firstByte || bytes.count > 1 else { return nil }
        let folded = bytes.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        func starts(with prefixes: [String]) -> Bool {
            prefixes.contains { folded.starts(with: Array($0.utf8)) }
        }
        if first == UInt8(ascii: "{"), Self.has("\"encoded\"", folded), Self.has("\"encoding\"", folded) {
            self = .keystore
        } else if first == UInt8(ascii: "{"), Self.has("\"v\"", folded) {
            self = .share
        } else if starts(with: ["wc:"]) {
            self = .walletConnect
        } else if starts(with: ["https://", "http://"]) {
            self = .link
        } else if starts(with: ["secret:", "seed:0x"]) {
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
        } else if starts(with: ["substrate:", "ethereum:"]) || Self.isAddress(bytes) {
            self = .address
        } else if Self.isBitcoinAddress(bytes, folded) {
            self = .bitcoinAddress
        } else {
            self = .text
        }
    }

    private static func isAddress(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return (try? SS58Address(text)) != nil || (try? EthereumAddress(text)) != nil
    }

    /// What stands between the words of a text.
    private static let blanks: [UInt8] = [0x09, 0x0a, 0x0d]

    /// UTF-8 without control characters.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x9f || (0x20...0x7e).contains(scalar.value)
                || UInt8(exactly: scalar.value).map(blanks.contains) ?? false
        }
    }

    private static func has(_ text: String, _ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: text.utf8) }
    }

    /// A link, an address with a checksum of its own (`bc1`), or one in base 58 by its first digit and its
    /// length. One of a Substrate account is longer.
    private static func isBitcoinAddress(_ bytes: [UInt8], _ folded: [UInt8]) -> Bool {
        let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)
        if folded.starts(with: "bitcoin:".utf8) { return true }
        if folded.starts(with: "bc1".utf8) || folded.starts(with: "tb1".utf8) {
            return (14...90).contains(folded.count)
                && folded.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) }
        }
        return (bytes[0] == UInt8(ascii: "1") || bytes[0] == UInt8(ascii: "3"))
            && (26...35).contains(bytes.count) && bytes.allSatisfy(alphabet.contains)
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
        let words = bytes.split { $0 == UInt8(ascii: " ") || blanks.contains($0) }
        return phraseWords.contains(words.count)
            && words.allSatisfy { word in
                wordLetters.contains(word.count) && word.allSatisfy { (0x61...0x7a).contains($0 | 0x20) }
            }
    }
}
