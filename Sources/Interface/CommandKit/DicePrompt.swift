import Ceremony
import Glibc
import Keys
import Presentation
import TerminalIO

/// Asks for rolls of a die, key by key: each counts at once, a slip is taken back alone, and what is missing
/// stands there.
package struct DicePrompt {
    /// Rolls that are needed.
    let need: Int
    let console: Console

    package init(need: Int, console: Console) {
        (self.need, self.console) = (need, console)
    }

    /// Until Enter is pressed and there are enough. What is pressed beyond them until then counts, too.
    package func read() throws -> SecretBytes {
        guard let terminal = console.terminal, let mode = TerminalMode(terminal, without: ECHO | ICANON)
        else {
            throw CommandError.noTerminal(question: Wording.diceQuestion(need), .rolls)
        }
        defer { mode.restore() }
        let rolls = SecretBytes(count: DiceRolls.limit)
        var count = 0
        console.tell(Wording.diceQuestion(need))
        var slip: String?
        while true {
            let last = count > 0 ? rolls.withUnsafeBytes { $0[count - 1] } : nil
            console.prompt(Wording.diceProgress(count, of: need, last: last, slip: slip))
            slip = nil
            guard let key = try console.byte(from: terminal), key != Console.endOfTransmission else {
                throw CommandError.interrupted
            }
            switch key {
            case UInt8(ascii: "1")...UInt8(ascii: "6") where count < rolls.count:
                rolls.withUnsafeMutableBytes { $0[count] = key }
                count += 1
            case 0x7f, 0x08: count = max(0, count - 1)
            case UInt8(ascii: "\n"):
                if count >= need {
                    console.tell("")
                    return rolls.slice(0..<count)
                }
                slip = Wording.rollsMissing(need - count)
            case UInt8(ascii: " "), UInt8(ascii: "\t"): break
            default: slip = Wording.noFace
            }
        }
    }
}
