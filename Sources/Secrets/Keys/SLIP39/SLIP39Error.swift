import Diagnostics

/// Why shares of SLIP-0039 are refused.
public enum SLIP39Error: Error, Equatable, Sendable {
    /// No share has this number of words.
    case wordCount(Int)
    /// The word at this index, counted from 0, is not in the list.
    case unknownWord(index: Int)
    /// Every word is in the list, but the checksum is invalid.
    case checksum
    /// The checksum is right, but no program writes this: a wrong number of groups, or bits that must be
    /// zero.
    case malformed
    /// Shares of different sets; the words name what differs.
    case mixedSets(String)
    /// Two different shares claim this place, counted from 1.
    case conflictingShares(share: Int, group: Int)
    /// The group, counted from 1, lacks shares.
    case tooFewShares(missing: Int, group: Int)
    /// Every group that was started is complete, and more groups are needed.
    case tooFewGroups(have: Int, need: Int)
    /// The shares of a group, counted from 1, or the groups, do not lie on one polynomial.
    case inconsistent(group: Int?)
    /// A passphrase with other characters than the printable ones of ASCII.
    case passphrase
    /// A set has at most 16 shares, of which at least 2 are needed, or is one share.
    case shareCount(total: Int, required: Int)
    /// What is shared has 16 to 32 bytes, an even number.
    case secretLength(Int)
    /// What was split did not join to the same secret; no share was returned.
    case checkFailed
}

extension SLIP39Error: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .wordCount(let count):
            .badInput(
                "slip39-length",
                "a SLIP-39 share has 20 words or 33, and rarely 22, 23, 25, 27, 28, 30 or 31, not \(count)",
                hint: Self.typeAgain)
        case .unknownWord(let index):
            .badInput(
                "unknown-share-word", "word \(index + 1) of the share is not a SLIP-39 word",
                hint: "a recovery phrase has other words: heliograph seed restore NAME")
        case .checksum:
            .badInput(
                "share-checksum",
                "the share has an invalid checksum: a word is wrong, or two words are swapped",
                hint: Self.typeAgain)
        case .malformed:
            .badInput(
                "malformed-share",
                "the words of the share contradict each other: no wallet writes such a share",
                hint: Self.typeAgain)
        case .mixedSets(let part):
            .badInput(
                "mixed-shares", BananaSplitError.mixedSets(part).sentence,
                hint: "type the shares of one set alone")
        case .conflictingShares(let share, let group):
            .badInput(
                "conflicting-shares", "two different shares have number \(share) of group \(group)",
                hint: "type the shares of one set alone")
        case .tooFewShares(let missing, let group):
            .refused(
                "too-few-shares",
                "\(Sentence.count(missing, "more share")) of group \(group) \(missing == 1 ? "is" : "are") needed",
                hint: "type all shares that are needed, one after the other")
        case .tooFewGroups(let have, let need):
            .refused(
                "too-few-shares",
                "\(Sentence.count(have, "group")) \(Sentence.be(have)) complete, and \(need) are needed",
                hint: "type all shares that are needed, one after the other")
        case .inconsistent(let group):
            .badInput(
                "inconsistent-share",
                group.map { "the shares of group \($0) do not match each other" }
                    ?? "the groups of shares do not match each other",
                hint: "type the shares of one set alone")
        case .passphrase:
            .refused(
                "share-passphrase",
                "the passphrase of SLIP-39 shares has only letters, digits, signs and spaces of ASCII",
                hint: "type it as in the wallet that made the shares")
        case .shareCount(let total, let required):
            .usage(
                "slip39-count",
                "\(required) of \(total) SLIP-39 shares is not possible: "
                    + "at least 2 are required, of at most 16, or 1 of 1",
                hint: "heliograph help seed split")
        case .secretLength(let count):
            .usage(
                "slip39-secret-length", "shares of SLIP-39 hold 16 to 32 bytes, an even number, not \(count)",
                hint: "heliograph help seed split")
        case .checkFailed: BananaSplitError.checkFailed.diagnostic
        }
    }

    private static let typeAgain = "compare each word with the paper, and type the share again"

    public static var examples: [SLIP39Error] {
        [
            .wordCount(19), .unknownWord(index: 4), .checksum, .malformed, .mixedSets("identifier"),
            .conflictingShares(share: 2, group: 1), .tooFewShares(missing: 1, group: 1),
            .tooFewShares(missing: 2, group: 3), .tooFewGroups(have: 1, need: 2), .inconsistent(group: 1),
            .inconsistent(group: nil), .passphrase, .shareCount(total: 17, required: 1), .secretLength(15),
            .checkFailed,
        ]
    }
}
