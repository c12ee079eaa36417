import Diagnostics

extension BananaSplitError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case notAShare = "not-a-share"
        case unknownVersion = "share-version"
        case mixed = "mixed-shares"
        case conflicting = "conflicting-shares"
        case tooFew = "too-few-shares"
        case inconsistent = "inconsistent-share"
        case wrongPassphrase = "wrong-split-passphrase"
        case count = "share-count"
        case length = "share-length"
        case outOfMemory = "out-of-memory"
        case selfCheck = "self-check"
    }

    public var code: Code {
        switch self {
        case .notAShare: .notAShare
        case .unknownVersion: .unknownVersion
        case .mixedSets: .mixed
        case .conflictingShares: .conflicting
        case .tooFewShares: .tooFew
        case .inconsistentShare, .noSecret: .inconsistent
        case .wrongPassphrase: .wrongPassphrase
        case .shareCount: .count
        case .length: .length
        case .outOfMemory: .outOfMemory
        case .checkFailed: .selfCheck
        }
    }

    public var sentence: String {
        switch self {
        case .notAShare(let part): "the QR code is not a Banana Split share (\(part))"
        case .unknownVersion(let version): "shares of version \(version) are not supported"
        case .mixedSets(let part): "the shares belong to different sets: their \(part) differs"
        case .conflictingShares(let id): "two different shares have number \(id)"
        case .tooFewShares(let have, let need): "there \(Sentence.be(have)) \(Sentence.count(have, "share")), and \(need) are needed"
        case .inconsistentShare(let id): "share \(id) does not match the others"
        case .wrongPassphrase: "the passphrase of the shares is wrong, or a share was changed"
        case .noSecret: "the shares hold no seed: one of them was changed"
        case .shareCount(let total, let required): "\(required) of \(total) shares is not possible: at least 2 are required, of at most 255"
        case .length(let part): "the \(part) is empty or too long"
        case .outOfMemory: "there is not enough memory to derive the key of the shares"
        case .checkFailed: "the new shares do not join to the seed and were discarded: hardware fault or bug"
        }
    }

    public static var examples: [BananaSplitError] {
        [
            .notAShare("JSON"), .unknownVersion(2), .mixedSets("title"), .conflictingShares(id: 2), .tooFewShares(have: 1, need: 2),
            .inconsistentShare(id: 3), .wrongPassphrase, .noSecret, .shareCount(total: 3, required: 1), .length("title"), .outOfMemory,
            .checkFailed,
        ]
    }
}
