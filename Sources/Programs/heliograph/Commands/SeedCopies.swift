import ArgumentParser
import Ceremony
import CommandKit
import Glibc
import Keys
import Lines
import Presentation
import QRCode
import SystemIO
import TerminalIO

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
                let page = PhrasePage(phrase.copy())
                try console.reveal(page, of: name)
                console.tell(Wording.quizHeading(Console.askedWords))
                return try console.quiz(page, of: name)
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
    func validate() throws {
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
        commandName: "check", abstract: "Check whether a recovery phrase matches a seed.")

    @Argument(help: "The seed's name.", completion: .named(.seed)) var name: String

    @Flag(help: "Read a SeedQR, a CompactSeedQR or Banana Split shares from pictures.")
    var scan = false

    @OptionGroup var input: InputOptions
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var phrase: PhraseOptions

    @Option(
        help: ArgumentHelp("Read the shares' passphrase as one line from this descriptor.", valueName: "n"))
    var splitPassphraseFd: Int32?

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let scanned =
            scan
            ? try ChildProcess.secret(console) {
                try ScannedSeed.seedQROrShares(input, passphraseFd: splitPassphraseFd, console).entropy.copy()
            } : SecretBytes()
        let session = try context.unlock(self)
        try session.requireSeed(name)
        let entropy = scan ? scanned : try phrase.mnemonic(console).entropy.copy()
        guard try session.isEntropy(entropy, of: name) else {
            // Whoever has words and passphrase learns nothing that `seed show` would not tell.
            let other = try session.seedNames.first { try session.isEntropy(entropy, of: $0) }
            throw CommandError.phraseDiffers(seed: name, other: other)
        }
        try session.recordChecked(seed: name)
        if json { return JSONText.print(["seed": name, "result": "matches"], console) }
        console.print("the recovery phrase matches seed \(Escape.terminal(name))")
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

/// `seed split`: Banana Split shares as pictures and as text to print.
struct SeedSplit: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "split", abstract: "Split a seed into Banana Split shares.",
        discussion: """
            Writes share-1.png, share-1.txt and so on. Any K of the N shares and the shares' own passphrase \
            restore the seed. The shares are joined and compared with the seed before they are written.
            """)

    @Argument(help: "The seed's name.", completion: .named(.seed)) var name: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("The number of shares to create.", valueName: "n")) var shares: Int
    @Option(help: ArgumentHelp("The number of shares needed to restore the seed.", valueName: "k"))
    var required: Int
    @Option(help: ArgumentHelp("The directory for the shares.", valueName: "dir"), completion: .directory)
    var out: String
    @Option(help: ArgumentHelp("The title of the shares (default: the seed's name).", valueName: "text"))
    var title: String?

    @Option(
        help: ArgumentHelp("Read the shares' passphrase as one line from this descriptor.", valueName: "n"))
    var splitPassphraseFd: Int32?

    func validate() throws {
        guard (2...255).contains(required), (required...255).contains(shares) else {
            throw ValidationError(
                "--required must be at least 2, and --shares must be between --required and 255")
        }
    }

    func access() throws -> Access {
        if out.utf8Equals("-") { throw CommandError.outputRefused(path: out, .standardOutput) }
        try Files.makeFolder(out)
        return Access(writable: [try vault.directory(), out])
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        // Share ids count from 1: every file is known before the first share is made.
        for path in (1...shares).flatMap({ ["\(out)/share-\($0).png", "\(out)/share-\($0).txt"] })
        where Glibc.access(path, F_OK) == 0 {
            throw CommandError.fileExists(path: path)
        }
        if let left = try halfWritten() { throw CommandError.fileExists(path: left) }
        context.requirePerson()
        let session = try context.unlock(self)
        try session.requireSeed(name)
        let question = NewPassphrase(
            question: "passphrase for the shares (leave empty to generate one): ", separator: "-",
            needsStrength: false, console: console)
        let split = SplitSeed(
            name, title: title, passphrase: HeldSecret(try question.read(descriptor: splitPassphraseFd)),
            total: shares, required: required)
        let made = try session.perform(session.preview(split).confirm()).outcome
        var files: [(path: String, bytes: [UInt8])] = []
        for share in made {
            let path = "\(out)/share-\(share.id)"
            files.append((path + ".png", try QRCode(text: share.text, errorCorrection: .medium).png()))
            let text = """
                \(Escape.terminal(share.title))
                share \(share.id) of \(shares); \(share.required) shares and the passphrase restore the seed
                read the QR code with: heliograph seed join
                \(share.text)

                """
            files.append((path + ".txt", Array(text.utf8)))
        }
        // Fewer shares than were asked for look like a set, and do not join with those of the next split.
        do throws(AtomicFile.SetError) { try AtomicFile.create(set: files) } catch {
            session.record(.shares(seed: name, left: error.left))
            throw CommandError.sharesNotWritten(
                path: error.cause.path ?? out, errno: error.cause.errno, left: error.left)
        }
        console.note(
            """
            wrote \(shares) shares to \(Escape.terminal(out)); any \(required) of them and the passphrase \
            restore the seed
            """)
        if let line = Wording.notOfSeed(session.importedKeys.count) { console.note(line) }
        if json { JSONText.print(["files": files.map(\.path)], console) }
    }
}

extension SeedSplit {
    /// A share that a killed split left in the directory, under a hidden name; nil without one.
    private func halfWritten() throws(CommandError) -> String? {
        do throws(SystemError) {
            return try Directory.names(out)
                .filter { $0.utf8Starts(with: ".share-") && $0.utf8Ends(with: ".new") }
                .map { "\(out)/\($0)" }
                .first { (try? Permissions.of($0, followingLinks: false))?.isFile == true }
        } catch {
            throw .file(path: out, errno: error.errno)
        }
    }
}

/// `seed join`: the seed of a set of shares.
struct SeedJoin: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Restore a seed from Banana Split shares.")

    @OptionGroup var input: InputOptions
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var joining: JoinOptions

    var place: CommandPlace { input.place }

    func access() throws -> Access {
        Access(
            readable: input.readable, writable: [try vault.directory()], scans: input.needsScanner,
            cameras: input.cameras)
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        var payloadInput = PayloadInput()
        try payloadInput.read(input, console)
        let texts = try payloadInput.result(console).shares
        let shares = try BananaSplit.checkSet(try texts.map { try BananaShare($0) })
        let vault = try context.unlock(self, asking: Wording.passphraseOfVault)
        let name = try joining.restore(shares, in: vault, console)
        if json { JSONText.print(["seed": name], console) }
    }
}
