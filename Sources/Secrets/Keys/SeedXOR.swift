import CSodium
import Diagnostics

/// Why parts of Seed XOR are refused.
public enum SeedXORError: Error, Equatable, Sendable {
    /// A seed has at least two parts.
    case tooFewParts(Int)
    /// Parts of different numbers of words.
    case differentLengths(Int, Int)
    /// Two equal parts, counted from 1: they cancel each other.
    case sameParts(Int, Int)
    /// The parts cancel each other out: nothing is left of them.
    case nothingLeft
    /// Parts to make: 2 to 4.
    case partCount(Int)
    /// What was split did not join to the same seed; no part was returned.
    case checkFailed
}

/// Seed XOR: a seed as several recovery phrases of its length, all of which are needed.
///
/// Each part is a phrase like any other and has a checksum of its own; the seed's checksum is in none. So any
/// parts of one length join to some seed.
///
/// Source: Coldcard, docs/seed-xor.md.
public enum SeedXOR {
    /// How many parts are made; any number from 2 on joins.
    public static let partCounts = 2...4

    /// The entropy of the seed.
    /// - Parameter parts: the entropy of each part, in any order.
    public static func join(_ parts: [HeldSecret]) throws(SeedXORError) -> SecretBytes {
        guard let first = parts.first, parts.count > 1 else { throw .tooFewParts(parts.count) }
        let joined = SecretBytes(count: first.count)
        for (number, part) in parts.enumerated() {
            guard part.count == first.count else {
                throw .differentLengths(first.count / 4 * 3, part.count / 4 * 3)
            }
            if let same = parts[..<number].firstIndex(where: { isSame($0, part) }) {
                throw .sameParts(same + 1, number + 1)
            }
            add(part, to: joined)
        }
        let isZero = joined.withUnsafeBytes { bytes in
            sodium_is_zero(bytes.bindMemory(to: UInt8.self).baseAddress!, bytes.count) == 1
        }
        guard !isZero else { throw .nothingLeft }
        return joined
    }

    private static func isSame(_ one: HeldSecret, _ other: HeldSecret) -> Bool {
        one.withSecret { (one: borrowing SecretBytes) in
            other.withSecret { (other: borrowing SecretBytes) in one.isEqual(to: other) }
        }
    }

    private static func add(_ part: HeldSecret, to sum: borrowing SecretBytes) {
        sum.withUnsafeMutableBytes { sum in
            part.withSecret { (part: borrowing SecretBytes) in
                part.withUnsafeBytes { part in for place in sum.indices { sum[place] ^= part[place] } }
            }
        }
    }

    /// Random parts, the last one so that all together give the seed; they are joined and compared before
    /// they are returned.
    /// - Parameters:
    ///   - entropy: of a phrase.
    ///   - count: 2…4
    public static func split(_ entropy: borrowing SecretBytes, into count: Int) throws(SeedXORError)
        -> [HeldSecret]
    {
        guard partCounts.contains(count) else { throw .partCount(count) }
        var parts = (1..<count).map { _ in HeldSecret(SecretBytes(randomCount: entropy.count)) }
        let last = entropy.copy()
        for part in parts { add(part, to: last) }
        parts.append(HeldSecret(last))
        guard try join(parts).isEqual(to: entropy) else { throw .checkFailed }
        return parts
    }
}

extension SeedXORError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .tooFewParts(let count):
            .refused(
                "too-few-parts",
                "there \(Sentence.be(count)) \(Sentence.count(count, "part")): Seed XOR has at least 2",
                hint: "type all parts, one after the other")
        case .differentLengths(let one, let other):
            .badInput(
                "different-parts", "the parts have different lengths: \(one) words and \(other)",
                hint: "type the parts of one seed alone")
        case .sameParts(let one, let other):
            .badInput(
                "same-parts", "parts \(one) and \(other) are the same: they cancel each other",
                hint: "type each part once")
        case .nothingLeft:
            .badInput(
                "same-parts", "the parts cancel each other: they join to nothing",
                hint: "type the parts of one seed alone")
        case .partCount(let count):
            .usage(
                "part-count", "\(count) parts are not possible: Seed XOR makes 2, 3 or 4",
                hint: "heliograph help seed split")
        case .checkFailed: BananaSplitError.checkFailed.diagnostic
        }
    }

    public static var examples: [SeedXORError] {
        [
            .tooFewParts(1), .differentLengths(12, 24), .sameParts(1, 2), .nothingLeft, .partCount(5),
            .checkFailed,
        ]
    }
}
