import ArgumentParser
import Ceremony
import CommandKit
import Glibc
import Keys
import Presentation
import QRCode
import TerminalIO

/// `seed split`: Banana Split shares as pictures and as text to print.
struct SeedSplit: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "split", abstract: "Split a seed into Banana Split shares.",
        discussion: """
            Writes share-1.png, share-1.txt and so on. Any K of the N shares and the shares' own passphrase restore the seed. The shares are \
            joined and compared with the seed before they are written.
            """)

    @Argument(help: "The seed's name.") var name: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("The number of shares to create.", valueName: "n")) var shares: Int
    @Option(help: ArgumentHelp("The number of shares needed to restore the seed.", valueName: "k")) var required: Int
    @Option(help: ArgumentHelp("The directory for the shares.", valueName: "dir")) var out: String
    @Option(help: ArgumentHelp("The title of the shares (default: the seed's name).", valueName: "text")) var title: String?

    @Option(help: ArgumentHelp("Read the shares' passphrase as one line from this descriptor.", valueName: "n"))
    var splitPassphraseFd: Int32?

    func validate() throws {
        guard (2...255).contains(required), (required...255).contains(shares) else {
            throw ValidationError("--required must be at least 2, and --shares must be between --required and 255")
        }
    }

    var json: Bool { output.json }

    func access() throws -> Access {
        try Files.makeFolder(out)
        return Access(writable: [try vault.directory(), out])
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        // Share ids count from 1: every file is known before the first share is made.
        for path in (1...shares).flatMap({ ["\(out)/share-\($0).png", "\(out)/share-\($0).txt"] }) where Glibc.access(path, F_OK) == 0 {
            throw CommandError.fileExists(path: path)
        }
        let session = try context.unlock(self)
        try session.requireSeed(name)
        let question = NewPassphrase(question: Wording.splitPassphraseQuestion, separator: "-", needsStrength: false, console: console)
        let split = SplitSeed(
            name, title: title, passphrase: HeldSecret(try question.read(descriptor: splitPassphraseFd)), total: shares, required: required)
        let made = try session.perform(session.preview(split).confirm()).outcome
        var files: [String] = []
        for share in made {
            let path = "\(out)/share-\(share.id)"
            files += [path + ".png", path + ".txt"]
            try Files.write(try QRCode(text: share.text, errorCorrection: .medium).png(), to: path + ".png", mode: 0o600)
            try Files.write(Array(Wording.printedShare(share, of: shares).utf8), to: path + ".txt", mode: 0o600)
        }
        console.note(Wording.splitDone(shares: shares, required: required, folder: out))
        if json { JSONText.print(["files": files], console) }
    }
}
