import Diagnostics
import Keys

/// What a new seed is made of, for the person, the log and the rule that asks for a word.
public struct SeedSources: Equatable, Sendable {
    /// Of this machine, those that passed their tests.
    public let machine: [MachinePart.Contribution]
    /// Of this machine, those that are missing.
    public let leftOut: [MachinePart.LeftOut]
    /// Rolls of a person; 0 for none.
    public let rolls: Int
    /// What was rolled.
    public let kind: DiceRolls.Kind
    /// The whole bits that fair rolls of this number carry; nil for rolls that do not look random, whose
    /// number says nothing.
    public let bits: Int?
    /// Whether fewer than two sources beside the kernel are left, or the kernel's failed.
    public let areTooFew: Bool
    /// Whether a person gave rolls that do not look random. They make the seed no less secret than without
    /// them, but whoever rolled believes that this machine is not trusted alone, and it is.
    public var countNoRolls: Bool { rolls > 0 && bits == nil }
    /// Whether a seed of them needs a person's word.
    public var isDoubtful: Bool { areTooFew || countNoRolls }

    /// - `rolls`: none where a person gave none.
    public init(_ part: borrowing MachinePart, _ rolls: borrowing DiceRolls) {
        machine = part.contributions
        leftOut = part.leftOut
        self.rolls = rolls.count
        kind = rolls.kind
        bits = rolls.concerns.isEmpty ? rolls.bits : nil
        areTooFew = part.isDoubtful(withRolls: rolls.count > 0 && rolls.concerns.isEmpty)
    }

    /// One line, such as `kernel 64 bytes, jitter 64 bytes, keys 64 strokes, dice 50 rolls (2^129)`.
    public var text: String {
        var parts = machine.map { "\($0.source.rawValue) \(Sentence.count($0.amount, $0.source.unit))" }
        if rolls > 0 {
            let worth = bits.map { "2^\($0)" } ?? "not random: counted as nothing"
            parts.append("\(kind.rawValue) \(Sentence.count(rolls, kind.unit)) (\(worth))")
        }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ")
    }
}

extension MachinePart.Source {
    fileprivate var unit: String {
        switch self {
        case .kernel, .jitter, .processor, .tpm: "byte"
        case .camera: "frame"
        case .keys: "stroke"
        }
    }
}

extension DiceRolls.Kind {
    fileprivate var unit: String {
        switch self {
        case .dice: "roll"
        case .coins: "flip"
        }
    }
}
