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
    case random(RandomHealthError)
    /// Fewer key presses than needed, fewer than 8 different keys, or fewer than 32 different pauses (a
    /// pasted or held key).
    case keyPresses(have: Int, need: Int, keys: Int, pauses: Int)
}

/// The entropy of a new phrase.
public enum SeedEntropy {
    /// 64 presses give 128 bits at a careful two bits each. The operating system's 64 bytes are always mixed
    /// in.
    public static let requiredKeyPresses = 64

    /// Mixes 64 bytes from the operating system with dice rolls and key presses: the first bytes of SHA-512
    /// over `heliograph seed entropy` and the three parts, each after its length as eight bytes,
    /// little-endian.
    ///
    /// The result is unpredictable as long as one of the parts is. The operating system's source is tested
    /// first.
    public static func mixed(
        words: Int, dice: borrowing DiceRolls, keyPresses: [KeyPress] = []
    ) throws(SeedEntropyError) -> SecretBytes {
        let length = try entropyLength(words: words)
        do { try RandomHealth.check() } catch { throw .random(error) }
        let need = DiceRolls.required(forWords: words)
        guard dice.count == 0 || dice.count >= need else {
            throw .dice(.tooFew(have: dice.count, need: need))
        }
        try check(keyPresses)
        return mixed(length: length, random: SecretBytes(randomCount: 64), dice: dice, keyPresses: keyPresses)
    }

    /// The operating system's randomness alone, tested first.
    public static func fromSystem(words: Int) throws(SeedEntropyError) -> SecretBytes {
        try mixed(words: words, dice: noDice())
    }

    /// Entropy that a person can compute by hand: the first bytes of SHA-256 over the rolls as text without
    /// spaces or newline (`printf 163452… | sha256sum`; the first 32 hexadecimal digits are the entropy of 12
    /// words, all 64 that of 24). No other source goes in.
    public static func fromDiceOnly(words: Int, dice: borrowing DiceRolls) throws(SeedEntropyError)
        -> SecretBytes
    {
        let length = try entropyLength(words: words)
        let need = DiceRolls.required(forWords: words)
        guard dice.count >= need else { throw .dice(.tooFew(have: dice.count, need: need)) }
        return withSecretScratch(32) { digest in
            dice.faces.withUnsafeBytes {
                _ = crypto_hash_sha256(digest, $0.bindMemory(to: UInt8.self).baseAddress, UInt64($0.count))
            }
            return SecretBytes(copying: UnsafeRawBufferPointer(start: digest, count: length))
        }
    }

    static func mixed(
        length: Int, random: borrowing SecretBytes, dice: borrowing DiceRolls, keyPresses: [KeyPress]
    ) -> SecretBytes {
        let label = Array("heliograph seed entropy".utf8)
        // Each press is its byte and its time.
        let presses = SecretBytes(count: 9 * keyPresses.count)
        presses.withUnsafeMutableBytes { out in
            for (index, press) in keyPresses.enumerated() {
                out[9 * index] = press.byte
                out.storeBytes(
                    of: press.nanoseconds.littleEndian, toByteOffset: 9 * index + 1, as: UInt64.self)
            }
        }
        var state = crypto_hash_sha512_state()
        crypto_hash_sha512_init(&state)
        crypto_hash_sha512_update(&state, label, UInt64(label.count))
        random.withUnsafeBytes { update(&state, $0) }
        dice.faces.withUnsafeBytes { update(&state, $0) }
        presses.withUnsafeBytes { update(&state, $0) }
        return withSecretScratch(64) { digest in
            crypto_hash_sha512_final(&state, digest)
            withUnsafeMutableBytes(of: &state) { sodium_memzero($0.baseAddress!, $0.count) }
            return SecretBytes(copying: UnsafeRawBufferPointer(start: digest, count: length))
        }
    }

    private static func update(_ state: inout crypto_hash_sha512_state, _ part: UnsafeRawBufferPointer) {
        withUnsafeBytes(of: UInt64(part.count).littleEndian) {
            _ = crypto_hash_sha512_update(&state, $0.bindMemory(to: UInt8.self).baseAddress, 8)
        }
        crypto_hash_sha512_update(&state, part.bindMemory(to: UInt8.self).baseAddress, UInt64(part.count))
    }

    private static func entropyLength(words: Int) throws(SeedEntropyError) -> Int {
        guard (12...24).contains(words), words.isMultiple(of: 3) else { throw .wordCount(words) }
        return words / 3 * 4
    }

    private static func check(_ presses: [KeyPress]) throws(SeedEntropyError) {
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
        case .random(let error): error.diagnostic
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
        [.wordCount(13)] + DiceRolls.Failure.examples.map(SeedEntropyError.dice) + [.random(.repeatedBlock)]
            + [.keyPresses(have: 64, need: 64, keys: 1, pauses: 2)]
    }
}
