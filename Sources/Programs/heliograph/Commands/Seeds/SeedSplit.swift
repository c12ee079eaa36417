import ArgumentParser
import Ceremony
import Glibc
import Keys
import QRCode

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
        let session = try context.unlock(self)
        try session.requireSeed(name)
        // Share ids count from 1: every file is known before the first share is made.
        for path in (1...shares).flatMap({ ["\(out)/share-\($0).png", "\(out)/share-\($0).txt"] }) where Glibc.access(path, F_OK) == 0 {
            throw CommandError.fileExists(path: path)
        }
        let split = SplitSeed(name, title: title, passphrase: HeldSecret(try passphrase(console)), total: shares, required: required)
        let made = try session.perform(session.preview(split).confirm()).outcome
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
            let drawn = BananaSplit.drawnPassphrase()
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
}
