import ArgumentParser
import Ceremony
import CommandKit
import Keys
import Lines
import Presentation
import TerminalIO
import TrustStore

struct SeedGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed", abstract: "Create, restore, check, split and list seeds.",
        subcommands: [
            SeedNew.self, SeedRestore.self, SeedList.self, SeedShow.self, SeedCheck.self, SeedBackup.self,
            SeedRemove.self, SeedSplit.self, SeedJoin.self,
        ])
}

/// `seed new`: a seed from the operating system's randomness, dice and key presses.
struct SeedNew: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Create a seed.",
        discussion: """
            The entropy comes from the operating system, whose random source is tested first. --dice and \
            --keys mix in dice rolls and key presses. With --dice-only the entropy comes from the rolls \
            alone and anyone can reproduce the seed by hand: it is the start of the SHA-256 hash of the \
            rolls as text (sha256sum). Rolls that do not look random then need a typed word; fair dice are \
            mistaken for such rolls less than once in 10,000 times.
            """)

    @Argument(help: "The name for the seed.") var name: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var word: WordOption
    @OptionGroup var firstKeys: FirstKeysOption

    @Option(help: ArgumentHelp("The number of words: 12, 15, 18, 21 or 24.", valueName: "n"))
    var words = 24

    @Flag(help: "Mix in rolls of a six-sided die.")
    var dice = false

    @Flag(help: "Use dice rolls as the only source of entropy.")
    var diceOnly = false

    @Option(help: ArgumentHelp("Read the rolls as one line from this descriptor.", valueName: "n"))
    var diceFd: Int32?

    @Flag(help: "Mix in key presses and their timing.")
    var keys = false

    func validate() throws {
        guard [12, 15, 18, 21, 24].contains(words) else {
            throw ValidationError("--words must be 12, 15, 18, 21 or 24")
        }
        if diceFd != nil, !dice, !diceOnly { throw ValidationError("--dice-fd needs --dice or --dice-only") }
        if diceOnly, keys { throw ValidationError("--dice-only and --keys cannot be combined") }
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try word.requireAllowed(vault)
        // Report a broken random source before asking any question.
        do { try RandomHealth.check() } catch { throw SeedEntropyError.random(error) }
        // Nobody rolls a die for a passphrase that is wrong.
        let session = try context.unlock(self)
        try session.requireFree(seed: name)
        let isAttended = try context.isAttended(self)
        let person = TerminalPerson(console: console, word: word)
        let isNew = try session.add(try seed(console), asks: isAttended, asking: person, console)
        if isAttended {
            try copyWords(session, console)
        } else {
            console.note(Wording.madeSeedUnseen(name, words: words))
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
    /// and can see its words again.
    private func copyWords(_ session: Session, _ console: Console) throws {
        TerminalMode.setLastWords(Wording.madeSeedUnchecked(name))
        defer { TerminalMode.setLastWords(nil) }
        do {
            let phrase = try session.perform(session.preview(RevealPhrase(seed: name)).confirm()).outcome
            let page = PhrasePage(phrase.withSecret { (phrase: borrowing SecretBytes) in phrase.copy() })
            try console.reveal(page, of: name)
            console.tell(Wording.quizHeading(Console.askedWords))
            try console.quiz(page, of: name)
            console.note(Wording.madeSeed(name, words: words))
        } catch {
            console.note(Wording.madeSeedUnchecked(name))
            throw error
        }
    }

    private func seed(_ console: Console) throws -> AddSeed {
        let presses =
            keys
            ? try console.keyPresses(
                SeedEntropy.requiredKeyPresses,
                "press random keys until there are enough; each counts once, Enter too") : []
        guard dice || diceOnly else {
            let entropy = try SeedEntropy.mixed(words: words, dice: SeedEntropy.noDice(), keyPresses: presses)
            return AddSeed(name, entropy: HeldSecret(entropy), origin: .new)
        }
        let need = DiceRolls.required(forWords: words)
        let rolls: DiceRolls
        do {
            rolls =
                diceFd == nil
                ? try DiceRolls(DicePrompt(need: need, console: console).read())
                : try DiceRolls(secret(Wording.diceQuestion(need), for: .rolls, descriptor: diceFd, console))
        } catch let error as DiceRolls.Failure { throw SeedEntropyError.dice(error) }
        if diceOnly { return try AddSeed(name, rolls: rolls, words: words) }
        // Whoever asked for dice and gave none believes that they are in the seed.
        guard rolls.count > 0 else { throw SeedEntropyError.dice(.tooFew(have: 0, need: need)) }
        // The seed stays as secret as this machine's randomness, so the person is only told.
        for concern in rolls.concerns { console.note(Wording.diceConcern(concern)) }
        let entropy = try SeedEntropy.mixed(words: words, dice: rolls, keyPresses: presses)
        return AddSeed(name, entropy: HeldSecret(entropy), origin: .new)
    }
}

/// `seed list`: names only.
struct SeedList: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the seeds.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws {
        let device = try context.device(self)
        let names = try device.vault().seedNames
        let state = try device.trust().state
        if json {
            JSONText.print(
                ["seeds": names.map { SeedFacts(name: $0, keys: state.keys(seed: $0).count) }],
                context.console)
        } else {
            for name in names {
                context.console.print(
                    "\(Escape.terminal(name))  \(Wording.keyCount(state.keys(seed: name).count))")
            }
        }
    }

    private struct SeedFacts: Encodable {
        let name: String
        let keys: Int
    }
}

/// `seed show`: the phrase, for a person who copies it to paper. Every time stands in the log.
struct SeedShow: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the recovery phrase of a seed.",
        discussion: """
            The words stand on the terminal until a key is pressed; then the screen and its scrollback are \
            cleared. Where stdout is not a terminal, the phrase is printed as one line, in a development \
            vault only.
            """)

    @Argument(help: "The seed's name.") var name: String
    @OptionGroup var vault: VaultOptions

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let isShown = console.resultsAreTerminal
        try requireTerminal(isDevelopment: vault.isDevelopment(), isShown)
        let preview = try context.device(self).preview(RevealPhrase(seed: name))
        let approval = try preview.confirm {
            try !isShown
                || console.confirm(
                    "Whoever sees these words has all keys of seed \(Escape.terminal(name)). Show them?")
        }
        let session = try context.unlock(self)
        // The header of a vault is not proof.
        try requireTerminal(isDevelopment: session.isDevelopment, isShown)
        let phrase = try session.perform(approval).outcome
        try phrase.withSecret { (phrase: borrowing SecretBytes) in
            guard isShown else { return console.print(secret: phrase) }
            try console.reveal(PhrasePage(phrase.copy()), of: name)
        }
    }

    private func requireTerminal(isDevelopment: Bool, _ isShown: Bool) throws(CommandError) {
        guard isShown || isDevelopment else { throw .phraseIntoPipe }
    }
}

/// `seed remove`: the seed and all keys that were derived from it.
struct SeedRemove: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a seed and its keys, after its name is typed.",
        discussion: """
            Only the words of the seed restore it. The question says when they were last checked, by \
            heliograph seed check.
            """)

    @Argument(help: "The seed's name.") var name: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Skip the confirmation.")
    var yes = false

    func execute(_ context: CommandContext) throws {
        // A seed that cannot be removed is refused before the passphrase is asked for.
        _ = try context.device(self).preview(RemoveSeed(name))
        // When the words were checked is read under the seal.
        let session = try context.unlock(self)
        let preview = try session.preview(RemoveSeed(name))
        let keys = preview.shown.keys.count
        let approval = try preview.confirm {
            try yes
                || context.console.confirm(
                    Wording.removeSeed(name, keys: keys, session.lastCheck(of: name)),
                    word: Wording.removalWord(name))
        }
        _ = try session.perform(approval)
        context.console.note(Wording.removedSeed(name, keys: keys))
        if json { JSONText.print(["seed": name], context.console) }
    }
}
