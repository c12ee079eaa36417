import Ceremony
import Glibc
import Keys
import Presentation
import TerminalIO

/// Asks for rolls of a die, key by key. Each counts at once, Backspace takes one back, and the number of
/// missing rolls is shown.
package struct DicePrompt {
    /// Rolls that are needed of each kind.
    let need: (DiceRolls.Kind) -> Int
    /// Whether Enter alone goes on without any.
    let isOptional: Bool
    let console: Console

    package init(isOptional: Bool = false, console: Console, need: @escaping (DiceRolls.Kind) -> Int) {
        (self.isOptional, self.console, self.need) = (isOptional, console, need)
    }

    private var question: String {
        Wording.rollsQuestion(dice: need(.dice), coins: need(.coins), optional: isOptional)
    }

    /// Reads until there are enough rolls and Enter is pressed. Further rolls before Enter count, too. The
    /// first roll tells whether it is a die or a coin.
    package func read() throws -> SecretBytes {
        guard let terminal = console.terminal, let mode = TerminalMode(terminal, without: ECHO | ICANON)
        else {
            throw CommandError.noTerminal(question: question, .rolls)
        }
        defer { mode.restore() }
        let rolls = SecretBytes(count: DiceRolls.limit)
        var count = 0
        var kind = DiceRolls.Kind.dice
        console.tell(question)
        var slip: String?
        while true {
            let last = count > 0 ? rolls.withUnsafeBytes { $0[count - 1] } : nil
            console.prompt(Wording.diceProgress(count, of: need(kind), last: last, slip: slip))
            slip = nil
            guard let (key, isSequence) = try console.press(from: terminal), key != Console.endOfTransmission
            else {
                throw CommandError.interrupted
            }
            switch key {
            case _ where isSequence: slip = Wording.noFace
            case let key
            where count < rolls.count
                && (count == 0 ? DiceRolls.Kind(of: key) != nil : kind.keys.contains(key)):
                kind = DiceRolls.Kind(of: key) ?? kind
                rolls.withUnsafeMutableBytes { $0[count] = key }
                count += 1
            case 0x7f, 0x08: count = max(0, count - 1)
            case UInt8(ascii: "\n"):
                if count >= need(kind) || isOptional && count == 0 {
                    console.tell("")
                    return rolls.slice(0..<count)
                }
                slip = Wording.rollsMissing(need(kind) - count)
            case UInt8(ascii: " "), UInt8(ascii: "\t"): break
            default: slip = Wording.noFace
            }
        }
    }
}

extension DiceRolls {
    /// Rolls from a descriptor, or key by key at the terminal.
    /// - Parameters:
    ///   - isOptional: whether Enter alone goes on without any at the terminal.
    ///   - descriptor: holds one line of them; nil for the terminal.
    ///   - need: rolls that are needed of each kind.
    package static func asked(
        isOptional: Bool, descriptor: Int32?, _ console: Console, need: @escaping (Kind) -> Int
    ) throws -> DiceRolls {
        do {
            guard descriptor == nil else {
                let question = Wording.rollsQuestion(dice: need(.dice), coins: need(.coins))
                return try DiceRolls(secret(question, for: .rolls, descriptor: descriptor, console))
            }
            return try DiceRolls(DicePrompt(isOptional: isOptional, console: console, need: need).read())
        } catch let error as DiceRolls.Failure { throw SeedEntropyError.dice(error) }
    }
}
