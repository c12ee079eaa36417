import ArgumentParser
import CommandKit
import Keys
import Presentation
import TerminalIO

/// `util seed-from`: the words that another machine must have made of its part and the rolls.
struct UtilSeedFrom: Command {
    static let configuration = CommandConfiguration(
        commandName: "seed-from", abstract: "Compute again the words of a seed that was made with rolls.",
        discussion: """
            Run it on a second machine of another make, which is offline for good as well: the machine's part \
            that heliograph seed new shows after the words, and the rolls, are the seed together. It shows \
            the number that the first machine showed before the first roll, and then the words. If both are \
            the same, the first machine did not choose its part to fit your rolls. With both descriptors the \
            words are printed as one line.
            """)

    @Option(
        help: ArgumentHelp("The number of words: 12, 15, 18, 21 or 24.", valueName: "n"),
        completion: .list(["12", "24"]))
    var words = 24

    @Option(help: ArgumentHelp("Read the machine's part as one line from this descriptor.", valueName: "n"))
    var machineFd: Int32?

    @Option(help: ArgumentHelp("Read the rolls as one line from this descriptor.", valueName: "n"))
    var diceFd: Int32?

    func validate() throws {
        guard [12, 15, 18, 21, 24].contains(words) else {
            throw ValidationError("--words must be 12, 15, 18, 21 or 24")
        }
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let part = try machinePart(console)
        for line in Wording.commitmentAgain(part.commitment) {
            if console.terminal == nil { console.note(line) } else { console.tell(line) }
        }
        let rolls = try DiceRolls.asked(
            isOptional: machineFd == nil, descriptor: diceFd, console, need: DiceRolls.mixed)
        let entropy = try SeedEntropy.mixed(words: words, machine: part, dice: rolls)
        let phrase = try Mnemonic(entropy: entropy).phrase()
        // A script that has both has the seed already.
        guard machineFd == nil || diceFd == nil else { return console.print(secret: phrase) }
        try console.reveal(PhrasePage(phrase) { Wording.computedWords($0) })
    }

    private func machinePart(_ console: Console) throws -> MachinePart {
        while true {
            let digits =
                machineFd == nil
                ? try console.askSecret(Wording.machinePart, for: .machinePart, hidden: false, clears: true)
                : try secret(Wording.machinePart, for: .machinePart, descriptor: machineFd, console)
            if let part = MachinePart(digits: digits) { return part }
            guard machineFd == nil else { throw CommandError.badMachinePart }
            console.tell(CommandError.badMachinePart.sentence)
        }
    }
}
