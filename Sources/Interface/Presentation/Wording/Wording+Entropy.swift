import Ceremony
import Diagnostics
import Hashing
import Keys
import TerminalIO

/// What a new seed is made of: rolls, sources, and this machine's part.
extension Wording {
    /// - Parameter optional: whether Enter goes on without rolls, and what is trusted then.
    package static func rollsQuestion(dice: Int, coins: Int, optional: Bool = false) -> String {
        let question = """
            roll a die \(dice) times or more and press the key of each face, 1 to 6, or flip a coin \
            \(coins) times, h or t; Backspace takes the last one back
            """
        return optional
            ? question + ". Enter alone skips this: you then trust this program and this machine"
            : question
    }

    /// What makes a seed unpredictable, before it exists.
    package static func sources(_ sources: SeedSources) -> String { "sources: \(sources.text)" }
    package static func leftOut(_ source: MachinePart.LeftOut) -> String {
        let name = "heliograph: the source \(source.source.rawValue) is left out: "
        guard let failure = source.failure else { return name + "this machine has none" }
        return switch failure {
        case .health(let error): name + "it failed its test, \(error.detail)"
        case .steadyClock: name + "this machine's clock is too coarse or too steady to draw from"
        case .steadyTimes: name + "it failed its test, its times repeat or can be foretold"
        case .exhausted: name + "it stopped giving bytes"
        case .notADevice: name + "there is no device at its path"
        case .refused(let number): name + "its device refuses: \(Sentence.systemError(number))"
        case .strangeAnswer: name + "its device does not answer as a TPM does"
        case .frames(.tooFew): name + "the camera sent too few frames"
        case .frames(.repeated): name + "it failed its test, two frames are the same"
        case .frames(.still): name + "it failed its test, its frames hardly differ"
        case .frames(.steps): name + "it failed its test, its frames change in equal steps"
        }
    }

    /// Before the frames are taken.
    package static func takingFrames(_ count: Int) -> String {
        "heliograph: taking \(count) frames of the camera; what it sees does not matter, but light must reach it"
    }
    package static let doubtfulSources = """
        heliograph: fewer than two sources beside the kernel would make this seed, or the kernel's own failed \
        its test
        """
    package static let uncountedRolls = """
        heliograph: these rolls do not look random and count as nothing: the seed would come from this \
        machine alone
        """
    /// To whoever wants no seed without rolls.
    package static let rollAgain =
        "heliograph: these rolls do not look random and count as nothing: roll again"

    /// Above the first roll: this machine's part cannot be chosen any more.
    package static func commitment(_ commitment: [UInt8]) -> [String] {
        let hex = Hex.encode(commitment)
        return [
            "this machine has closed its part, and this number fixes it; note the words, or the number:",
            "  " + String(hex.prefix(64)),
            "  " + MachinePart.words(of: commitment).joined(separator: " "),
        ]
    }
    package static func commitmentAgain(_ commitment: [UInt8]) -> [String] {
        ["the number of this part, which the first machine showed before the first roll:"]
            + Self.commitment(commitment).dropFirst()
    }
    package static func computedWords(_ words: Int) -> [String] {
        ["", "The \(words) words that this part and these rolls make.", ""]
    }
    package static let machinePartQuestion = """
        Show this machine's part? With it, your rolls and heliograph util seed-from, a second machine computes \
        the same words.
        """
    package static let machinePartHeading = [
        "",
        """
        This machine's part. With the rolls it is the seed: type it into the second machine, and write it \
        nowhere else.
        """,
        "",
    ]
    package static let machinePart = "the machine's part, 64 digits: "

    package static func diceConcern(_ concern: DiceRolls.Concern) -> String {
        switch concern {
        case .bias(let counts):
            "heliograph: the dice may be biased: "
                + counts.enumerated().map {
                    let side = counts.count == 2 ? ["heads", "tails"][$0.offset] : "\($0.offset + 1)"
                    return "\(side) was rolled \(Sentence.count($0.element, "time"))"
                }.joined(separator: ", ")
        case .run(let length): "heliograph: one face was rolled \(length) times in a row"
        case .pattern(1): "heliograph: too many rolls can be told from the roll before"
        case .pattern(let distance):
            "heliograph: too many rolls can be told from those \(distance) rolls before"
        }
    }
    /// - Parameters:
    ///   - last: the roll that was just pressed, as its digit.
    ///   - slip: what was wrong with the pressed key; nil if it was a roll.
    package static func diceProgress(_ have: Int, of need: Int, last: UInt8?, slip: String?) -> String {
        let missing = have < need ? "\(need - have) more needed" : "enough, Enter ends"
        return "\(have) of \(need) rolls, \(missing)" + (last.map { ", last \(Unicode.Scalar($0))" } ?? "")
            + (slip.map { "; \($0)" } ?? "")
            + ": "
    }
    package static func rollsMissing(_ count: Int) -> String {
        "\(Sentence.count(count, "roll")) \(Sentence.be(count)) still missing"
    }
    package static let passphraseHasControl =
        "the passphrase has a key in it that is no character, such as an arrow: type it again"
    package static let noFace = "press 1 to 6, or h or t for a coin"
}
