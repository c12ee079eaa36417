import Diagnostics

extension MnemonicError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case length = "phrase-length"
        case unknownWord = "unknown-word"
        case checksum = "phrase-checksum"
        case entropyLength = "entropy-length"
    }

    public var code: Code {
        switch self {
        case .wordCount: .length
        case .unknownWord: .unknownWord
        case .checksum: .checksum
        case .entropyLength: .entropyLength
        }
    }

    public var sentence: String {
        switch self {
        case .wordCount(let count): "a recovery phrase has 12, 15, 18, 21 or 24 words, not \(count)"
        case .unknownWord(let index): "word \(index + 1) of the recovery phrase is not a BIP-39 word"
        case .checksum: "the recovery phrase has an invalid checksum: a word is wrong, or two words are swapped"
        case .entropyLength(let count): "the entropy of a recovery phrase has 16, 20, 24, 28 or 32 bytes, not \(count)"
        }
    }

    public static var examples: [MnemonicError] { [.wordCount(11), .unknownWord(index: 4), .checksum, .entropyLength(15)] }
}

extension DerivationPathError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case badPath = "bad-path"
        case passwordInPath = "password-in-path"
    }

    public var code: Code {
        switch self {
        case .malformed: .badPath
        case .passwordInPath: .passwordInPath
        }
    }

    public var sentence: String {
        switch self {
        case .malformed(let offset):
            "the derivation path is malformed at character \(offset + 1): every part is / or // and a name"
        case .passwordInPath: "a derivation path must not contain a ///password: others could read it"
        }
    }

    public static var examples: [DerivationPathError] { [.malformed(offset: 2), .passwordInPath] }
}

extension KeyError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case softJunction = "soft-junction"
        case reservedPath = "reserved-path"
        case unusableSecret = "unusable-secret"
        case selfCheck = "self-check"
        case phraseLength = "phrase-length"
        case unknownWord = "unknown-word"
        case phraseChecksum = "phrase-checksum"
        case entropyLength = "entropy-length"
        case secretLength = "secret-length"
    }

    public var code: Code {
        switch self {
        case .softJunction: .softJunction
        case .reservedPath: .reservedPath
        case .unusableSecret: .unusableSecret
        case .signatureCheckFailed: .selfCheck
        case .mnemonic(.wordCount): .phraseLength
        case .mnemonic(.unknownWord): .unknownWord
        case .mnemonic(.checksum): .phraseChecksum
        case .mnemonic(.entropyLength): .entropyLength
        case .secretLength: .secretLength
        }
    }

    public var sentence: String {
        switch self {
        case .softJunction(let index): "part \(index + 1) of the derivation path is soft (/), which only sr25519 supports: write //"
        case .reservedPath: "derivation paths under //heliograph are reserved for the host keys of threshold groups"
        case .unusableSecret: "this derivation path gives no valid key: use another path"
        case .signatureCheckFailed: "the new signature is invalid and was discarded: hardware fault or bug"
        case .mnemonic(let error): error.sentence
        case .secretLength(let count): "a secret of \(Sentence.count(count, "byte")) has the wrong length for its scheme"
        }
    }

    public static var examples: [KeyError] {
        [.softJunction(index: 1), .reservedPath, .unusableSecret, .signatureCheckFailed] + MnemonicError.examples.map(KeyError.mnemonic) + [
            .secretLength(31)
        ]
    }
}

extension SeedQR.Failure: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case notASeedQR = "seed-qr"
        case checksum = "phrase-checksum"
    }

    public var code: Code {
        switch self {
        case .notASeedQR, .indexOutOfRange, .notCompact: .notASeedQR
        case .checksum: .checksum
        }
    }

    public var sentence: String {
        switch self {
        case .notASeedQR: "the QR code is neither a SeedQR nor a CompactSeedQR"
        case .indexOutOfRange(let word): "word \(word + 1) of the SeedQR is above 2047"
        case .checksum: "the SeedQR has an invalid checksum"
        case .notCompact(let words): "a phrase of \(words) words has no CompactSeedQR, which holds 12 or 24"
        }
    }

    public static var examples: [Self] { [.notASeedQR, .indexOutOfRange(word: 3), .checksum, .notCompact(words: 15)] }
}
