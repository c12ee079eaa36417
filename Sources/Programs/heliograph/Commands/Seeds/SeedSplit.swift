import ArgumentParser
import Glibc
import Keys
import QRCode
import TrustStore
import Vault

/// `seed split`: Banana Split shares as pictures and as text to print.
struct SeedSplit: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "split", abstract: "Split a seed into shares (Banana Split).",
        discussion: """
            Writes share-1.png, share-1.txt and so on. Any K of the N shares and the split's own passphrase give the seed back. The shares \
            are joined and compared before they are written.
            """)

    @Argument(help: "The seed's name.") var name: String
    @OptionGroup var vault: VaultOptions

    @Option(help: ArgumentHelp("How many shares to make.", valueName: "n")) var shares: Int
    @Option(help: ArgumentHelp("How many of them give the seed back.", valueName: "k")) var required: Int
    @Option(help: ArgumentHelp("The folder for the shares.", valueName: "dir")) var out: String
    @Option(help: ArgumentHelp("What stands on the shares; the seed's name when left out.", valueName: "text")) var title: String?

    @Option(help: ArgumentHelp("Read the split's passphrase as one line from this descriptor.", valueName: "n"))
    var splitPassphraseFd: Int32?

    func validate() throws {
        guard (2...255).contains(required), (required...255).contains(shares) else {
            throw ValidationError("--required is 2 or more, --shares is not below it and at most 255")
        }
    }

    func access() throws -> Access {
        try Files.makeFolder(out)
        return Access(writable: [try vault.directory(), out])
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let open = try context.unlock(self)
        let mnemonic = try Mnemonic(entropy: open.vault.seed(name))
        // Share ids count from 1: every file is known before the first share is made.
        for path in (1...shares).flatMap({ ["\(out)/share-\($0).png", "\(out)/share-\($0).txt"] }) where Glibc.access(path, F_OK) == 0 {
            throw CommandError.fileExists(path: path)
        }
        let passphrase = try passphrase(console)
        let made = try BananaSplit.split(
            mnemonic.phrase(), title: title ?? name, passphrase: passphrase, total: shares, required: required)
        try open.store.append([
            LogEvent(
                .seedSplit,
                [LogEvent.Fact("seed", name), LogEvent.Fact("shares", "\(shares)"), LogEvent.Fact("required", "\(required)")])
        ])
        for share in made {
            let path = "\(out)/share-\(share.id)"
            try Files.write(try QRCode(text: share.text, errorCorrection: .medium).png(), to: path + ".png", mode: 0o600)
            try Files.write(Array(Wording.printedShare(share, of: shares).utf8), to: path + ".txt", mode: 0o600)
        }
        console.note(Wording.splitDone(shares: shares, required: required, folder: out))
    }

    /// Typed twice, read from a descriptor, or, for an empty line, drawn from the word list and shown once.
    private func passphrase(_ console: Console) throws -> SecretBytes {
        let first = try secret(Wording.splitPassphraseQuestion, descriptor: splitPassphraseFd, console)
        guard first.count > 0 else {
            guard splitPassphraseFd == nil else { throw CommandError.emptyPassphrase }
            let drawn = Self.drawnPassphrase()
            console.note(Wording.drawnPassphrase)
            console.print(secret: drawn)
            return drawn
        }
        if splitPassphraseFd == nil {
            let second = try secret(Wording.sameAgain, descriptor: nil, console)
            guard first.isEqual(to: second) else { throw CommandError.passphrasesDiffer }
        }
        return first
    }

    /// Six words of the list, 66 bits.
    private static func drawnPassphrase() -> SecretBytes {
        let words = 6
        let text = SecretBytes(count: words * (WordList.longestWord + 1))
        var length = 0
        text.withUnsafeMutableBytes { out in
            for _ in 0..<words {
                let place = UniformDraw.index(below: WordList.count)
                WordList.copyWord(at: place, to: UnsafeMutableRawBufferPointer(rebasing: out[length...]))
                length += WordList.length(at: place)
                out[length] = UInt8(ascii: "-")
                length += 1
            }
        }
        return text.slice(0..<(length - 1))
    }
}

/// `seed join`: the seed of a set of shares.
struct SeedJoin: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "join", abstract: "Restore a seed from Banana Split shares.")

    @OptionGroup var input: InputOptions
    @OptionGroup var vault: VaultOptions
    @OptionGroup var joining: JoinOptions

    var place: CommandPlace { input.place }

    func access() throws -> Access { Access(readable: input.readable, writable: [try vault.directory()], scans: input.needsScanner) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        var intake = PayloadInput()
        try intake.read(input, console)
        let texts = try intake.result(console).shares
        let shares = try BananaSplit.checkSet(try texts.map { try BananaShare($0) })
        try joining.restore(shares, into: try context.unlock(self), console)
    }
}

/// How a set of shares becomes a seed of the vault, for `seed join` and `scan`.
struct JoinOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The name in this vault of a seed that shares join to; their title when left out.", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("Read the shares' passphrase as one line from this descriptor.", valueName: "n"))
    var splitPassphraseFd: Int32?

    func restore(_ shares: [BananaShare], into open: OpenVault, _ console: Console) throws {
        let passphrase = try secret(Wording.splitPassphraseAgain, descriptor: splitPassphraseFd, console)
        let mnemonic = try Mnemonic(phrase: BananaSplit.join(shares, passphrase: passphrase))
        let name = name ?? shares[0].title
        try open.add(seed: name, entropy: mnemonic.entropy, how: "shares")
        console.note(Wording.restoredSeed(name))
    }
}
