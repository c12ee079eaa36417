import ArgumentParser
import Ceremony
import CommandKit
import Keys
import Lines
import Presentation
import TerminalIO
import Vault

/// `seed backup`: one seed on paper or metal, and how the copy is checked.
struct SeedBackup: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Show a seed for copying by hand: as words or as a SeedQR.",
        discussion: """
            Nothing is written to a file: what is shown stands on the terminal until a key is pressed, and \
            the screen and its scrollback are cleared. heliograph seed check compares the copy with the \
            seed. heliograph seed split makes shares on files, several of which restore the seed; heliograph \
            vault backup makes an encrypted copy of the whole vault.
            """)

    @Argument(help: "The seed's name.", completion: .named(.seed)) var name: String
    @OptionGroup var vault: VaultOptions

    @Option(help: ArgumentHelp("What is shown (default: ask).", valueName: "form"))
    var form: BackupForm?

    func access() throws -> Access { Access(writable: [try vault.directory()], forks: true) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let preview = try context.device(self).preview(RevealPhrase(seed: name))
        guard let form = try form ?? chosen(console) else { throw CeremonyError.declined }
        guard form != .shares else { return console.tell(Wording.checkBackup(form, of: name)) }
        let approval = try preview.confirm {
            try console.confirm(
                """
                Whoever sees \(form.title) has all keys of seed \(Escape.terminal(name)). Show \
                \(form == .words ? "them" : "it")?
                """)
        }
        context.requirePerson()
        let session = try context.unlock(self)
        let phrase = try session.perform(approval).outcome
        try phrase.withSecret { (phrase: borrowing SecretBytes) in
            guard let code = form.code else {
                let page = PhrasePage(phrase.copy(), of: name)
                try console.reveal(page)
                console.tell(Wording.quizHeading(Console.askedWords))
                return try console.quiz(page)
            }
            try SeedQRPage.show(Mnemonic(phrase: phrase), as: code, of: name, console)
        }
        console.tell(Wording.checkBackup(form, of: name))
        if let line = Wording.notOfSeed(session.importedKeys.count) { console.tell(line) }
    }

    private func chosen(_ console: Console) throws -> BackupForm? {
        for form in [
            "1  words, numbered", "2  SeedQR, a code to copy by hand",
            "3  CompactSeedQR, a smaller code to copy by hand",
            "4  Banana Split shares, several of which restore the seed",
        ] { console.tell(form) }
        let numbers = (1...BackupForm.allCases.count).map(String.init)
        return try console.choose("Which form (1 to 4, or no)? ", among: numbers).flatMap { Int($0) }.map {
            BackupForm.allCases[$0 - 1]
        }
    }
}

extension BackupForm: ExpressibleByArgument {}

extension BackupForm {
    /// How `SeedQR` calls it; nil for what is not a code.
    fileprivate var code: SeedQR.Form? {
        switch self {
        case .seedQR: .standard
        case .compactSeedQR: .compact
        case .words, .shares: nil
        }
    }
}

/// A command that takes a seed as a typed phrase, or with `--scan` from pictures.
private protocol ReadsSeed: VaultCommand {
    var scan: Bool { get }
    var input: InputOptions { get }
}

extension ReadsSeed {
    func validate() throws { try validateScan() }

    fileprivate func validateScan() throws {
        guard scan != input.isEmpty else {
            throw ValidationError(scan ? "--scan needs a picture of the QR code" : "pictures need --scan")
        }
    }

    var place: CommandPlace { input.place }

    func access() throws -> Access {
        Access(
            readable: input.readable, writable: [try vault.directory()], scans: input.needsScanner,
            forks: scan, cameras: input.cameras)
    }
}

/// `seed check`: compares a phrase with a seed without showing either.
struct SeedCheck: ReadsSeed, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check whether a recovery phrase or shares match a seed.")

    @Argument(help: "The seed's name.", completion: .named(.seed)) var name: String

    @Flag(help: "Read a SeedQR, a CompactSeedQR or Banana Split shares from pictures.")
    var scan = false

    func validate() throws {
        try validateScan()
        guard !parts.isGiven || !scan && !phrase.isGiven else {
            throw ValidationError(
                "--slip39 and --xor cannot be combined with --scan, --phrase-fd and --language")
        }
    }

    @OptionGroup var input: InputOptions
    @OptionGroup var parts: PartsOptions
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var phrase: PhraseOptions

    @Option(
        help: ArgumentHelp("Read the shares' passphrase as one line from this descriptor.", valueName: "n"))
    var splitPassphraseFd: Int32?

    func execute(_ context: CommandContext) throws {
        if parts.isGiven { return try checkShares(context) }
        let console = context.console
        let scanned =
            scan
            ? try ChildProcess.secret(console) {
                try ScannedSeed.seedQROrShares(input, passphraseFd: splitPassphraseFd, console).entropy.copy()
            } : SecretBytes()
        let session = try context.unlock(self)
        try session.requireSeed(name)
        // Nobody types words for a seed that has none.
        guard try session.kind(ofSeed: name) == .phrase else { throw VaultError.noPhrase(name) }
        let entropy = scan ? scanned : try phrase.mnemonic(console).entropy.copy()
        guard try session.isEntropy(entropy, of: name) else {
            // Whoever has words and passphrase learns nothing that `seed show` would not tell.
            let other = try session.seedNames.first { try session.isEntropy(entropy, of: $0) }
            throw CommandError.phraseDiffers(seed: name, other: other)
        }
        try report(session, "the recovery phrase matches", console)
    }

    /// As the seed is, so the shares are taken: as a master secret, or as the entropy of its phrase.
    private func checkShares(_ context: CommandContext) throws {
        let console = context.console
        let session = try context.unlock(self, asking: Wording.passphraseOfVault)
        try session.requireSeed(name)
        let joined = try parts.join(passphraseFd: splitPassphraseFd, console)
        let secret = try joined.seed(parts.isXOR ? .phrase : session.kind(ofSeed: name))
        guard try session.isSecret(secret, of: name) else { throw CommandError.sharesDiffer(seed: name) }
        try report(session, "the shares match", console)
    }

    private func report(_ session: Session, _ result: String, _ console: Console) throws {
        try session.recordChecked(seed: name)
        if json { return JSONText.print(["seed": name, "result": "matches"], console) }
        console.print("\(result) seed \(Escape.terminal(name))")
        if let line = Wording.notOfSeed(session.importedKeys.count) { console.note(line) }
    }
}

/// `seed restore`: a seed from its phrase, or from a SeedQR of another device.
struct SeedRestore: ReadsSeed, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a seed from its recovery phrase, a SeedQR or a CompactSeedQR.")

    @Argument(help: "The name for the seed.") var name: String

    @Flag(help: "Read a SeedQR or CompactSeedQR from pictures.")
    var scan = false

    @OptionGroup var input: InputOptions
    @OptionGroup var phrase: PhraseOptions
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var firstKeys: FirstKeysOption

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let scanned =
            scan
            ? try ChildProcess.secret(console) { try ScannedSeed.seedQR(input, console).entropy.copy() }
            : SecretBytes()
        let session = try context.unlock(self)
        // A phrase is typed only once the name is known to be free.
        try session.requireFree(seed: name)
        let entropy = scan ? scanned : try typed(console)
        let seed = AddSeed(name, entropy: HeldSecret(entropy), origin: scan ? .scanned : .phrase)
        let isAttended = try context.isAttended(self)
        let isNew = try session.add(seed, asks: isAttended, asking: TerminalPerson(console: console), console)
        console.note(Wording.restoredSeed(name))
        let keys =
            isNew ? try firstKeys.derive(from: name, session, asks: isAttended, json: json, console) : []
        if json { JSONText.print(FirstKeysOption.Document(seed: name, keys: keys), console) }
    }

    /// The vault keeps entropy, and shows and derives by the English words of it. A person whose wallet made
    /// the phrase in another language must know which accounts are others by that.
    private func typed(_ console: Console) throws -> SecretBytes {
        let mnemonic = try phrase.mnemonic(console)
        if mnemonic.language != .english { console.note(Wording.becomesEnglish(mnemonic.language)) }
        return mnemonic.entropy.copy()
    }
}
