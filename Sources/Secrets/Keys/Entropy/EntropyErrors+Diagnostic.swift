import Diagnostics

extension RandomHealthError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable { case randomSource = "random-source" }

    public var code: Code { .randomSource }
    public var sentence: String { "the random source of this machine is broken, so no seed is created: \(detail)" }

    private var detail: String {
        switch self {
        case .repetition(let count): "one byte occurred \(Sentence.count(count, "time")) in a row"
        case .proportion(let count): "one byte occurred \(Sentence.count(count, "time")) in 512 bytes"
        case .stuckBit(let bit): "bit \(bit) never changes"
        case .repeatedBlock: "it returned the same bytes twice"
        }
    }

    public static var examples: [RandomHealthError] { [.repetition(count: 6), .proportion(count: 20), .stuckBit(3), .repeatedBlock] }
}

extension DiceRolls.Failure: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case bad = "bad-dice"
        case tooFew = "too-few-rolls"
        case tooMany = "too-many-rolls"
    }

    public var code: Code {
        switch self {
        case .notAFace: .bad
        case .tooFew: .tooFew
        case .tooMany: .tooMany
        }
    }

    public var sentence: String {
        switch self {
        case .notAFace(let offset): "character \(offset + 1) of the rolls is not a digit from 1 to 6"
        case .tooFew(let have, let need): "\(Sentence.count(have, "roll")) \(Sentence.be(have)) too few: \(need) are needed"
        case .tooMany: "too many rolls"
        }
    }

    public static var examples: [Self] { [.notAFace(offset: 2), .tooFew(have: 1, need: 99), .tooMany] }
}

extension SeedEntropyError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case wordCount = "word-count"
        case badDice = "bad-dice"
        case tooFewRolls = "too-few-rolls"
        case tooManyRolls = "too-many-rolls"
        case randomSource = "random-source"
        case keyPresses = "key-presses"
    }

    public var code: Code {
        switch self {
        case .wordCount: .wordCount
        case .dice(.notAFace): .badDice
        case .dice(.tooFew): .tooFewRolls
        case .dice(.tooMany): .tooManyRolls
        case .random: .randomSource
        case .keyPresses: .keyPresses
        }
    }

    public var sentence: String {
        switch self {
        case .wordCount(let count): "a recovery phrase has 12, 15, 18, 21 or 24 words, not \(count)"
        case .dice(let error): error.sentence
        case .random(let error): error.sentence
        case .keyPresses(let have, let need, let keys, let pauses):
            "the key presses are too regular: \(have) of \(need) needed, \(Sentence.count(keys, "different key")), \(Sentence.count(pauses, "different pause"))"
        }
    }

    public static var examples: [SeedEntropyError] {
        [.wordCount(13)] + DiceRolls.Failure.examples.map(SeedEntropyError.dice) + [.random(.repeatedBlock)]
            + [.keyPresses(have: 64, need: 64, keys: 1, pauses: 2)]
    }
}
