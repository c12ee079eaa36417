import Accounts
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
import Vault

/// `seed split`: Banana Split shares as pictures and as text to print.
struct SeedSplit: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "split", abstract: "Split a seed into shares, several of which restore it.",
        discussion: """
            Makes Banana Split shares: share-1.png, share-1.txt and so on in the directory. Any K of the N \
            shares and the shares' own passphrase restore the seed. With --slip39 the shares are words that \
            stand on the terminal one after the other, for copying by hand; no file is written. Other wallets \
            show other addresses for the shares of a phrase. With --xor the parts are recovery phrases of the \
            seed's length, all of which are needed, as Coldcard joins them. Shares are joined and compared with the seed \
            before they leave the program.
            """)

    @Argument(help: "The seed's name.", completion: .named(.seed)) var name: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("The number of shares to create.", valueName: "n")) var shares: Int
    @Option(
        help: ArgumentHelp(
            "The number of shares needed to restore the seed (with --xor: all of them).", valueName: "k"))
    var required: Int?
    @Option(help: ArgumentHelp("The directory for the shares.", valueName: "dir"), completion: .directory)
    var out: String?
    @Flag(name: .customLong("slip39"), help: "Make SLIP-39 shares, shown as words on the terminal.")
    var isSLIP39 = false
    @Flag(name: .customLong("xor"), help: "Make parts of a Seed XOR, shown as words on the terminal.")
    var isXOR = false
    @Option(help: ArgumentHelp("The title of the shares (default: the seed's name).", valueName: "text"))
    var title: String?

    @Option(
        help: ArgumentHelp("Read the shares' passphrase as one line from this descriptor.", valueName: "n"))
    var splitPassphraseFd: Int32?

    func validate() throws {
        if isXOR {
            guard !isSLIP39, required == nil || required == shares, SeedXOR.partCounts.contains(shares) else {
                throw ValidationError("--xor makes 2, 3 or 4 parts, and all of them are needed")
            }
            guard splitPassphraseFd == nil else { throw ValidationError("--xor has no passphrase") }
        }
        let required = required ?? (isXOR ? shares : 0)
        let most = isSLIP39 ? SLIP39.maximumCount : 255
        guard (2...most).contains(required), (required...most).contains(shares) else {
            throw ValidationError(
                "--required must be at least 2, and --shares must be between --required and \(most)")
        }
        let isShown = isSLIP39 || isXOR
        guard isShown != (out != nil) else {
            throw ValidationError(
                isShown ? "--slip39 and --xor write no files: leave out --out" : "--out DIR is needed")
        }
        guard !isShown || title == nil && !json else {
            throw ValidationError("--slip39 and --xor take neither --title nor --json")
        }
    }

    func access() throws -> Access {
        guard let out else { return Access(writable: [try vault.directory()]) }
        if out.utf8Equals("-") { throw CommandError.outputRefused(path: out, .standardOutput) }
        try Files.makeFolder(out)
        return Access(writable: [try vault.directory(), out])
    }

    func execute(_ context: CommandContext) throws {
        guard let out, let required else { return try isXOR ? showXOR(context) : showSLIP39(context) }
        let console = context.console
        // Share ids count from 1: every file is known before the first share is made.
        for path in (1...shares).flatMap({ ["\(out)/share-\($0).png", "\(out)/share-\($0).txt"] })
        where Glibc.access(path, F_OK) == 0 {
            throw CommandError.fileExists(path: path)
        }
        if let left = try halfWritten(in: out) { throw CommandError.fileExists(path: left) }
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
    /// Shows what was split, each page until a key is pressed, and asks some of its words back.
    private func show(
        _ made: [HeldSecret], _ list: WordList, option: String, _ session: Session, _ console: Console,
        heading: (_ number: Int, _ words: Int) -> [String]
    ) throws {
        // The next split makes another set. Papers of this one would be counted among its shares, although
        // they do not fit them, or would restore the seed although nobody keeps them as shares.
        var lastWords = Wording.incompleteShares(option: option)
        if console.resultsAreTerminal { TerminalMode.setLastWords(lastWords) }
        defer { TerminalMode.setLastWords(nil) }
        do {
            for (index, words) in made.enumerated() {
                try words.withSecret { (words: borrowing SecretBytes) in
                    guard console.resultsAreTerminal else { return console.print(secret: words) }
                    let page = PhrasePage(words.copy(), list) { heading(index + 1, $0) }
                    try console.reveal(page)
                    if index == made.count - 1 {
                        lastWords = Wording.checkShares(name, option: option)
                        TerminalMode.setLastWords(lastWords)
                    }
                    console.tell(Wording.quizHeading(Console.askedWords))
                    try console.quiz(page)
                }
            }
        } catch {
            if console.resultsAreTerminal { console.note(lastWords) }
            throw error
        }
        console.note(Wording.checkShares(name, option: option))
        if let line = Wording.notOfSeed(session.importedKeys.count) { console.note(line) }
    }

    private func showXOR(_ context: CommandContext) throws {
        let console = context.console
        let isShown = console.resultsAreTerminal
        try CommandError.requireTerminal(isDevelopment: vault.isDevelopment(), isShown)
        let preview = try context.device(self).preview(SplitIntoXOR(name, count: shares))
        guard try context.device(self).trust().state.kind(ofSeed: name) == .phrase else {
            throw VaultError.noPhrase(name)
        }
        let approval = try preview.confirm {
            try !isShown || console.confirm(Wording.showParts(name, total: shares))
        }
        context.requirePerson()
        let session = try context.unlock(self)
        // The header of a vault is not proof.
        try CommandError.requireTerminal(isDevelopment: session.isDevelopment, isShown)
        try show(
            session.perform(approval).outcome, .english, option: "--xor", session, console,
            heading: { Wording.partHeading($0, of: shares, name, words: $1) })
    }

    private func showSLIP39(_ context: CommandContext) throws {
        let console = context.console
        let isShown = console.resultsAreTerminal
        let required = required ?? shares
        try CommandError.requireTerminal(isDevelopment: vault.isDevelopment(), isShown)
        let kind = try context.device(self).trust().state.kind(ofSeed: name)
        if kind == .phrase {
            if isShown {
                console.tell(Wording.warnSLIP39(name))
            } else {
                console.note(Wording.warnSLIP39(name))
            }
        }
        guard
            try !isShown
                || console.confirm(Wording.showShares(name, total: shares, required: required))
        else { throw CeremonyError.declined }
        context.requirePerson()
        let session = try context.unlock(self, asking: Wording.passphraseOfVault)
        // The header of a vault is not proof.
        try CommandError.requireTerminal(isDevelopment: session.isDevelopment, isShown)
        try session.requireSeed(name)
        let split = SplitIntoSLIP39(
            name, passphrase: HeldSecret(try newPassphrase(console)), total: shares, required: required)
        let preview = try session.preview(split)
        guard preview.shown.kind == kind else { throw CeremonyError.changedSinceShown }
        try show(
            session.perform(preview.confirm()).outcome, .shares, option: "--slip39", session, console,
            heading: { Wording.shareHeading($0, of: shares, required: required, name, words: $1) })
    }

    /// Empty for none: SLIP-39 needs none, and a forgotten one loses the seed.
    private func newPassphrase(_ console: Console) throws -> SecretBytes {
        if splitPassphraseFd != nil {
            return try secret("", for: .passphrase, descriptor: splitPassphraseFd, console)
        }
        guard console.resultsAreTerminal else { return SecretBytes() }
        while true {
            let first = try secret(
                "passphrase for the shares (leave empty for none): ", for: .passphrase, descriptor: nil,
                console)
            guard SLIP39.takes(passphrase: first) else {
                console.tell(SLIP39Error.passphrase.sentence)
                continue
            }
            guard first.count > 0 else { return first }
            if first.isEqual(
                to: try secret("repeat the passphrase: ", for: .passphrase, descriptor: nil, console))
            {
                return first
            }
            console.tell("the two passphrases differ")
        }
    }

    /// A share that a killed split left in the directory, under a hidden name; nil without one.
    private func halfWritten(in out: String) throws(CommandError) -> String? {
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
        commandName: "join", abstract: "Restore a seed from shares: Banana Split, SLIP-39 or Seed XOR.",
        discussion: """
            Banana Split shares are read from pictures. SLIP-39 shares are typed: all that are needed, one after \
            the other, of one group or of several. They hold a master secret, from which Trezor's devices derive \
            by BIP-32. Such a seed has no recovery phrase, and its keys are at paths of numbers (bip32:, slip10:, \
            ledger:). --as phrase takes the secret as the entropy of a recovery phrase, as heliograph seed split \
            --slip39 shares it. No wallet can tell whether the passphrase of SLIP-39 shares is right: each gives \
            another seed, so an address is shown to compare before the seed is added. The same holds for --xor: \
            any phrases of one length join to some seed.
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var parts: PartsOptions

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "What SLIP-39 shares hold: master-secret or phrase (default: master-secret).", valueName: "kind"))
    var kind: SharedKind?

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var joining: JoinOptions

    var place: CommandPlace { input.place }

    func validate() throws {
        guard parts.isGiven else {
            if kind != nil { throw ValidationError("--as needs --slip39") }
            return
        }
        guard input.isEmpty else {
            throw ValidationError("--slip39 and --xor read no pictures: the shares are typed")
        }
        guard joining.name != nil else {
            throw ValidationError("--slip39 and --xor need --name for the seed")
        }
        guard !parts.isXOR || kind == nil && joining.splitPassphraseFd == nil else {
            throw ValidationError("--xor takes neither --as nor a passphrase")
        }
    }

    func access() throws -> Access {
        Access(
            readable: input.readable, writable: [try vault.directory()], scans: input.needsScanner,
            cameras: input.cameras)
    }

    func execute(_ context: CommandContext) throws {
        if let name = joining.name, parts.isGiven { return try join(name, context) }
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

/// How a person names what shares hold.
enum SharedKind: String, ExpressibleByArgument, CaseIterable {
    case masterSecret = "master-secret"
    case phrase

    var kind: SeedSecret.Kind {
        switch self {
        case .masterSecret: .master
        case .phrase: .phrase
        }
    }
}

extension SeedJoin {
    /// A seed of typed shares. It is added once a person saw an address of it.
    private func join(_ name: String, _ context: CommandContext) throws {
        let console = context.console
        let session = try context.unlock(self, asking: Wording.passphraseOfVault)
        // Nobody types shares for a name that is taken.
        try session.requireFree(seed: name)
        let joined = try parts.join(passphraseFd: joining.splitPassphraseFd, console)
        let kind = parts.isXOR ? .phrase : (kind ?? .masterSecret).kind
        let secret = try joined.seed(kind)
        let isAttended = try context.isAttended(self)
        var addresses: [(title: String, address: String)] = []
        for form in JoinedAddress.allCases {
            if let address = try form.address(of: secret) { addresses.append((form.title, address)) }
        }
        for line in Wording.joined(
            name, joined.form, secret, addresses: addresses)
        {
            if isAttended { console.tell(line) } else { console.note(line) }
        }
        guard try !isAttended || console.confirm("Add this seed?") else { throw CeremonyError.declined }
        let seed = AddSeed(name, entropy: joined.secret, origin: parts.isXOR ? .seedXOR : .slip39, kind: kind)
        _ = try session.add(seed, asks: isAttended, asking: TerminalPerson(console: console), console)
        console.note(Wording.restoredSeed(name))
        if json { JSONText.print(["seed": name, "kind": Wording.kind(kind)], console) }
    }
}
