import ArgumentParser
import Ceremony
import CommandKit
import Keys
import Presentation
import TerminalIO

/// `seed check`: compares a phrase with a seed without showing either.
struct SeedCheck: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "check", abstract: "Check whether a recovery phrase matches a seed.")

    @Argument(help: "The seed's name.") var name: String

    @Flag(help: "Read a SeedQR, a CompactSeedQR or Banana Split shares from pictures.")
    var scan = false

    @OptionGroup var input: InputOptions
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var phrase: PhraseOptions

    @Option(help: ArgumentHelp("Read the shares' passphrase as one line from this descriptor.", valueName: "n"))
    var splitPassphraseFd: Int32?

    func validate() throws {
        guard scan != input.isEmpty else {
            throw ValidationError(scan ? "--scan needs a picture of the QR code" : "pictures need --scan")
        }
    }

    var place: CommandPlace { input.place }

    var json: Bool { output.json }

    func access() throws -> Access {
        Access(readable: input.readable, writable: [try vault.directory()], scans: input.needsScanner, forks: scan, cameras: input.cameras)
    }

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
        guard try session.isEntropy(entropy, of: name) else { throw CommandError.phraseDiffers(seed: name) }
        if json { return JSONText.print(["seed": name, "result": "matches"], console) }
        console.print(Wording.phraseMatches(name))
    }
}
