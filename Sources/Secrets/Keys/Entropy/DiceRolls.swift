import Diagnostics

/// Rolls of a six-sided die or flips of a coin, for people who do not want to trust a computer's random
/// source alone.
public struct DiceRolls: ~Copyable, Sendable {
    /// What is rolled or flipped. The first roll tells it.
    public enum Kind: String, CaseIterable, Sendable {
        case dice, coins

        /// How many results one roll can have.
        public var sides: Int {
            switch self {
            case .dice: 6
            case .coins: 2
            }
        }

        /// The key of each result, in order: `1` to `6`, `h` for heads and `t` for tails.
        public var keys: [UInt8] {
            switch self {
            case .dice: Array("123456".utf8)
            case .coins: Array("ht".utf8)
            }
        }

        /// The kind that has this result.
        public init?(of key: UInt8) {
            guard let kind = Self.allCases.first(where: { $0.keys.contains(key) }) else { return nil }
            self = kind
        }
    }

    /// ASCII `1`…`6`, or `h` and `t`, in the order of rolling.
    public let faces: SecretBytes
    /// Dice where there are no rolls.
    public let kind: Kind

    /// Why a text is not a list of dice rolls.
    public enum Failure: Error, Equatable, Sendable {
        /// A character other than 1…6 and white space; the number counts characters from 0.
        case notAFace(offset: Int)
        case tooFew(have: Int, need: Int)
        /// More than 10,000 rolls.
        case tooMany
    }

    /// The most rolls that are read.
    public static let limit = 10_000

    /// Reads ASCII digits 1…6, or `h` and `t`; white space between them is allowed, dice beside coins are
    /// not.
    public init(_ text: borrowing SecretBytes) throws(Failure) {
        guard text.count <= 2 * Self.limit else { throw .tooMany }
        let faces = SecretBytes(count: text.count)
        var count = 0
        var kind: Kind?
        for offset in 0..<text.count {
            let byte = text.withUnsafeBytes { $0[offset] }
            if [0x20, 0x09, 0x0a, 0x0d].contains(byte) { continue }
            kind = kind ?? Kind(of: byte)
            guard kind?.keys.contains(byte) == true else { throw .notAFace(offset: offset) }
            faces.withUnsafeMutableBytes { $0[count] = byte }
            count += 1
        }
        guard count <= Self.limit else { throw .tooMany }
        self.faces = faces.slice(0..<count)
        self.kind = kind ?? .dice
    }

    public var count: Int { faces.count }

    /// Rolls that carry at least the entropy of a phrase, log2(6) = 2.585 bits each: 50 for 12 words (129.2
    /// bits), 99 for 24 words (255.9 bits, as near as is customary). A flip of a coin carries one bit.
    public static func required(forWords words: Int, _ kind: Kind = .dice) -> Int {
        switch kind {
        case .dice: words <= 12 ? 50 : 99
        case .coins: words <= 12 ? 128 : 256
        }
    }

    /// Rolls that make a seed by themselves as hard to guess as a key is to break, 128 bits, beside whatever
    /// a machine puts in.
    public static func mixed(_ kind: Kind) -> Int { required(forWords: 12, kind) }

    /// The whole bits that the rolls carry if they are fair.
    public var bits: Int {
        switch kind {
        // Thousandths of log2(6), rounded down.
        case .dice: count * 2584 / 1000
        case .coins: count
        }
    }
    /// What a person types to make a seed of rolls that do not look random: exactly these bytes.
    public static let word = "use these rolls"

    /// What fair dice do not do: less often than once in 10,000 times all of these together, however many
    /// rolls there are (see `RollStatistics`). Rolls that a person made up, typed along the keyboard or
    /// repeated do it nearly always.
    public enum Concern: Equatable, Sendable {
        /// Counts of the faces 1…6, or of heads and tails.
        case bias(counts: [Int])
        /// One face this many times in a row.
        case run(length: Int)
        /// Too many rolls follow from those `distance` rolls before, or too few do: faces that repeat, that
        /// go up or down by the same step, or that avoid each other.
        case pattern(distance: Int)
    }

    /// Empty for rolls that look random, and for too few of them to tell.
    public var concerns: [Concern] { faces.withUnsafeBytes { RollStatistics($0, kind).concerns } }
}

extension DiceRolls.Failure: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .notAFace(let offset):
            .badInput(
                "bad-dice",
                "character \(offset + 1) of the rolls is not a roll: dice are 1 to 6, coins h and t",
                hint: "heliograph help seed new")
        case .tooFew(let have, let need):
            .badInput(
                "too-few-rolls",
                "\(Sentence.count(have, "roll")) \(Sentence.be(have)) too few: \(need) are needed",
                hint: "heliograph help seed new")
        case .tooMany: .badInput("too-many-rolls", "too many rolls", hint: "heliograph help seed new")
        }
    }

    public static var examples: [Self] { [.notAFace(offset: 2), .tooFew(have: 1, need: 99), .tooMany] }
}
