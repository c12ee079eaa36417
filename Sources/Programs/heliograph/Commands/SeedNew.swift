import ArgumentParser
import Ceremony
import CommandKit
import Keys
import Presentation
import ScannerClient
import TerminalIO
import TrustStore

/// `seed new`: a seed from all of this machine's sources and the rolls of a person.
struct SeedNew: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Create a seed.",
        discussion: """
            The seed is a hash over this machine's part and rolls of dice or flips of a coin, which are asked \
            for at a terminal. The part comes from the kernel, from differences in the processor's timing, \
            from the processor's instruction, from the TPM where there is one, with --camera from the noise \
            in frames of a camera, and with --keys from key presses. Each is tested; one that \
            fails is named and left out. The part is closed before the first roll, and a number that fixes \
            it is shown: with heliograph util seed-from a second machine computes the words again. Rolls \
            that do not look random count as nothing: --dice then makes no seed, and otherwise a typed word is \
            needed. With --dice-only the rolls alone make the seed, and sha256sum redoes it: it is the start \
            of the SHA-256 hash of the rolls as text. Rolls that do not look random need a typed word there, \
            too; fair dice are mistaken for such rolls less than once in 10,000 times.
            """)

    @Argument(help: "The name for the seed.") var name: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var word: WordOption
    @OptionGroup var firstKeys: FirstKeysOption

    @Option(
        help: ArgumentHelp("The number of words: 12, 15, 18, 21 or 24.", valueName: "n"),
        completion: .list(["12", "24"]))
    var words = 24

    @Flag(help: "Make no seed without rolls of a die or flips of a coin.")
    var dice = false

    @Flag(help: "Do not ask for rolls: trust this program and this machine.")
    var noDice = false

    @Flag(help: "Use rolls as the only source of entropy.")
    var diceOnly = false

    @Option(help: ArgumentHelp("Read the rolls as one line from this descriptor.", valueName: "n"))
    var diceFd: Int32?

    @Flag(help: "Mix in key presses and their timing.")
    var keys = false

    @Option(
        defaultAsFlag: "", parsing: .next,
        help: ArgumentHelp(
            "Mix in frames of this camera, e.g. /dev/video0 (default: the first one).", valueName: "device"),
        completion: .file())
    var camera: String?

    @Option(
        help: ArgumentHelp(
            "Draw from the TPM at this device (default: \(MachinePart.tpmPath), if it is there).",
            valueName: "device"),
        completion: .file())
    var tpm: String?

    func access() throws -> Access {
        Access(
            writable: [try vault.directory()], scans: camera != nil, forks: camera != nil,
            cameras: cameras, devices: [tpm ?? MachinePart.tpmPath])
    }

    /// Devices that the scanner may open.
    private var cameras: [String] { camera.map { $0.isEmpty ? Cameras.devices : [$0] } ?? [] }

    func validate() throws {
        guard [12, 15, 18, 21, 24].contains(words) else {
            throw ValidationError("--words must be 12, 15, 18, 21 or 24")
        }
        if noDice, dice || diceOnly || diceFd != nil {
            throw ValidationError("--no-dice cannot be combined with --dice, --dice-only and --dice-fd")
        }
        if diceOnly, keys || camera != nil || tpm != nil {
            throw ValidationError("--dice-only cannot be combined with --keys, --camera and --tpm")
        }
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try word.requireAllowed(vault)
        // The words are shown at the end.
        if try context.isAttended(self) { context.requirePerson() }
        // After the unlock no program can be started, and the scanner has the camera.
        let frames = try camera.map { _ in try takeFrames(console) }
        // Nobody rolls a die for a passphrase that is wrong.
        let session = try context.unlock(self)
        try session.requireFree(seed: name)
        let isAttended = try context.isAttended(self)
        try add(
            diceOnly ? try ofRollsAlone(console) : try mixed(frames, isAttended, console), to: session,
            isAttended,
            context)
    }

    /// A seed that is about to be added, and this machine's part, which a person may see after the words; nil
    /// where that proves nothing. Rolls and part are nowhere else by then.
    private struct Made: ~Copyable {
        let seed: AddSeed
        let part: SecretBytes?
    }

    private func ofRollsAlone(_ console: Console) throws -> Made {
        let rolls = try rolls(isOptional: false, console) { DiceRolls.required(forWords: words, $0) }
        return Made(seed: try AddSeed(name, rolls: rolls, words: words), part: nil)
    }

    /// Closes this machine's part, asks for rolls, and mixes the two.
    private func mixed(_ frames: CameraDraw?, _ isAttended: Bool, _ console: Console) throws -> Made {
        let presses =
            keys
            ? try console.keyPresses(
                SeedEntropy.requiredKeyPresses,
                "press random keys until there are enough; each counts once, Enter too") : []
        let part = try MachinePart.drawn(
            tpm: tpm ?? (MachinePart.hasTPM ? MachinePart.tpmPath : nil), camera: frames, keyPresses: presses)
        let asksForRolls = !noDice && diceFd == nil && (dice || isAttended)
        if asksForRolls { Wording.commitment(part.commitment).forEach(console.tell) }
        let rolls =
            asksForRolls || diceFd != nil
            ? try mixedRolls(isOptional: !dice && asksForRolls, console) : SeedEntropy.noDice()
        for source in part.leftOut { console.note(Wording.leftOut(source)) }
        let seed = try AddSeed(name, machine: part, rolls: rolls, words: words)
        console.note(Wording.sources(SeedSources(part, rolls)))
        // Without rolls there is nothing that the part had to be closed before.
        let isRecomputable = asksForRolls && rolls.count > 0
        return Made(seed: seed, part: isRecomputable ? part.digits() : nil)
    }

    /// Rolls to mix in. With --dice there is no seed whose rolls count as nothing: they are asked for again
    /// where a person rolls. Without it the act asks for a word.
    private func mixedRolls(isOptional: Bool, _ console: Console) throws -> DiceRolls {
        while true {
            let rolls = try rolls(isOptional: isOptional, console, need: DiceRolls.mixed)
            for concern in rolls.concerns { console.note(Wording.diceConcern(concern)) }
            guard dice, !rolls.concerns.isEmpty else { return rolls }
            guard diceFd == nil else { throw CeremonyError.uncountedRolls }
            console.tell(Wording.rollAgain)
        }
    }

    /// The noise of a camera. The scanner's records stay in memory that is not wiped, so a child reads them.
    private func takeFrames(_ console: Console) throws -> CameraDraw {
        guard !cameras.isEmpty else { throw CommandError.noCamera }
        console.note(Wording.takingFrames(CameraFrames.required))
        let devices = cameras
        let draw = try ChildProcess.secret(console) {
            var frames = CameraFrames()
            try ScannerClient().rawFrames(CameraFrames.required, cameras: devices) { frames.add(wiping: &$0) }
            return frames.draw().encoded()
        }
        guard let read = CameraDraw(encoded: draw) else { throw ScannerClientError.notUnderstood }
        return read
    }

    /// Adds the seed, shows its words, and derives the first keys.
    private func add(
        _ made: consuming Made, to session: Session, _ isAttended: Bool, _ context: CommandContext
    ) throws {
        let console = context.console
        let person = TerminalPerson(console: console, word: word)
        let isNew = try session.add(made.seed, asks: isAttended, asking: person, console)
        if isAttended {
            try copyWords(session, showing: made.part, console)
        } else {
            console.note(Wording.madeSeedUnseen(name, words: words, vault.vault))
        }
        let keys =
            isNew ? try firstKeys.derive(from: name, session, asks: isAttended, json: json, console) : []
        let state = try session.trust().state
        console.note(
            Wording.nextStep(Wording.next(Overview.setUp(state, seeds: 1), state, seeds: [name], vault.vault))
        )
        if json { JSONText.print(FirstKeysOption.Document(seed: name, keys: keys), console) }
    }

    /// Shows the words and asks some of them back. Whoever leaves before the end has the seed all the same,
    /// and can see its words again. Only now is asked whether the machine's part is shown: a program that
    /// lies about it would have to know before whether somebody computes the words again.
    private func copyWords(
        _ session: Session, showing part: consuming SecretBytes?, _ console: Console
    ) throws {
        TerminalMode.setLastWords(Wording.madeSeedUnchecked(name))
        defer { TerminalMode.setLastWords(nil) }
        do {
            let phrase = try session.perform(session.preview(RevealPhrase(seed: name)).confirm()).outcome
            let page = PhrasePage(
                phrase.withSecret { (phrase: borrowing SecretBytes) in phrase.copy() }, of: name)
            try console.reveal(page)
            console.tell(Wording.quizHeading(Console.askedWords))
            try console.quiz(page)
            console.note(Wording.madeSeed(name, words: words))
        } catch {
            console.note(Wording.madeSeedUnchecked(name))
            throw error
        }
        guard let part, try console.confirm(Wording.machinePartQuestion) else { return }
        try console.reveal(part, above: Wording.machinePartHeading, below: Wording.pressKeyToClear)
    }

    private func rolls(
        isOptional: Bool, _ console: Console, need: @escaping (DiceRolls.Kind) -> Int
    ) throws -> DiceRolls {
        let rolls = try DiceRolls.asked(isOptional: isOptional, descriptor: diceFd, console, need: need)
        // Whoever asked for rolls and gave none believes that they are in the seed.
        guard rolls.count > 0 || isOptional else {
            throw SeedEntropyError.dice(.tooFew(have: 0, need: need(.dice)))
        }
        return rolls
    }
}
