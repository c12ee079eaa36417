import CSodium
import Diagnostics

/// One key press at a prompt.
public struct KeyPress: Sendable {
    /// The byte that arrived.
    public let byte: UInt8
    /// When, in nanoseconds of a clock that only moves forward.
    public let nanoseconds: UInt64

    public init(byte: UInt8, nanoseconds: UInt64) {
        self.byte = byte
        self.nanoseconds = nanoseconds
    }
}

/// Why no entropy is made.
public enum SeedEntropyError: Error, Equatable, Sendable {
    /// Not 12, 15, 18, 21 or 24.
    case wordCount(Int)
    case dice(DiceRolls.Failure)
    /// Fewer key presses than needed, fewer than 8 different keys, or fewer than 32 different pauses (a
    /// pasted or held key).
    case keyPresses(have: Int, need: Int, keys: Int, pauses: Int)
}

/// The entropy of a new phrase.
public enum SeedEntropy {
    /// 64 presses give 128 bits at a careful two bits each.
    public static let requiredKeyPresses = 64

    /// A machine's part and the rolls of a person: BLAKE2b, keyed with `heliograph seed entropy`, over both,
    /// each after its length as eight bytes, little-endian; as long as the entropy of the words.
    ///
    /// The result is unpredictable as long as one of the parts is. A second machine that gets both computes
    /// the same.
    /// - `words`: 12, 15, 18, 21 or 24.
    /// - `dice`: none, or at least ``DiceRolls/mixed(_:)`` of them.
    public static func mixed(
        words: Int, machine: borrowing MachinePart, dice: borrowing DiceRolls
    ) throws(SeedEntropyError) -> SecretBytes {
        let length = try entropyLength(words: words)
        let need = DiceRolls.mixed(dice.kind)
        guard dice.count == 0 || dice.count >= need else {
            throw .dice(.tooFew(have: dice.count, need: need))
        }
        var input = FramedInput(capacity: 16 + MachinePart.length + dice.count)
        machine.secret.withUnsafeBytes { input.append($0) }
        dice.faces.withUnsafeBytes { input.append($0) }
        return input.hash(domain: "heliograph seed entropy", length: length)
    }

    /// Entropy that a person can compute by hand: the first bytes of SHA-256 over the rolls as text without
    /// spaces or newline (`printf 163452… | sha256sum`; the first 32 hexadecimal digits are the entropy of 12
    /// words, all 64 that of 24). No other source goes in.
    public static func fromDiceOnly(words: Int, dice: borrowing DiceRolls) throws(SeedEntropyError)
        -> SecretBytes
    {
        let length = try entropyLength(words: words)
        let need = DiceRolls.required(forWords: words, dice.kind)
        guard dice.count >= need else { throw .dice(.tooFew(have: dice.count, need: need)) }
        return withSecretScratch(32) { digest in
            dice.faces.withUnsafeBytes {
                _ = crypto_hash_sha256(digest, $0.bindMemory(to: UInt8.self).baseAddress, UInt64($0.count))
            }
            return SecretBytes(copying: UnsafeRawBufferPointer(start: digest, count: length))
        }
    }

    private static func entropyLength(words: Int) throws(SeedEntropyError) -> Int {
        guard (12...24).contains(words), words.isMultiple(of: 3) else { throw .wordCount(words) }
        return words / 3 * 4
    }

    static func check(_ presses: [KeyPress]) throws(SeedEntropyError) {
        guard !presses.isEmpty else { return }
        let keys = Set(presses.map(\.byte)).count
        let pauses = Set(zip(presses.dropFirst(), presses).map { $0.nanoseconds &- $1.nanoseconds }).count
        guard presses.count >= requiredKeyPresses, keys >= 8, pauses >= 32 else {
            throw .keyPresses(have: presses.count, need: requiredKeyPresses, keys: keys, pauses: pauses)
        }
    }

    /// No rolls at all.
    public static func noDice() -> DiceRolls {
        // An empty text holds no wrong face.
        try! DiceRolls(SecretBytes())
    }
}

extension SeedEntropyError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .wordCount(let count):
            .usage(
                "word-count", "a recovery phrase has 12, 15, 18, 21 or 24 words, not \(count)",
                hint: "heliograph help seed new")
        case .dice(let error): error.diagnostic
        case .keyPresses(let have, let need, let keys, let pauses):
            .badInput(
                "key-presses",
                """
                the key presses are too regular: \(have) of \(need) needed, \
                \(Sentence.count(keys, "different key")), \(Sentence.count(pauses, "different pause"))
                """,
                hint: "heliograph help seed new")
        }
    }

    public static var examples: [SeedEntropyError] {
        [.wordCount(13)] + DiceRolls.Failure.examples.map(SeedEntropyError.dice)
            + [.keyPresses(have: 64, need: 64, keys: 1, pauses: 2)]
    }
}
