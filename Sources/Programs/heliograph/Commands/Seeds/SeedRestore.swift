import ArgumentParser
import Ceremony
import CommandKit
import Keys
import Presentation
import TerminalIO

/// `seed restore`: a seed from its phrase, or from a SeedQR of another device.
struct SeedRestore: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore a seed from its recovery phrase, a SeedQR or a CompactSeedQR.")

    @Argument(help: "The name for the seed.") var name: String

    @Flag(help: "Read a SeedQR or CompactSeedQR from pictures.")
    var scan = false

    @OptionGroup var input: InputOptions
    @OptionGroup var phrase: PhraseOptions
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var firstKeys: FirstKeysOption

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
        let scanned = scan ? try ChildProcess.secret(console) { try ScannedSeed.seedQR(input, console).entropy.copy() } : SecretBytes()
        let session = try context.unlock(self)
        try session.requireFree(seed: name)
        let entropy = scan ? scanned : try phrase.mnemonic(console).entropy.copy()
        let seed = AddSeed(name, entropy: HeldSecret(entropy), origin: scan ? .scanned : .phrase)
        let isAttended = try context.isAttended(self)
        let isNew = try session.add(seed, asks: isAttended, asking: TerminalPerson(console: console), console)
        console.note(Wording.restoredSeed(name))
        let keys = isNew ? try firstKeys.derive(from: name, session, asks: isAttended, json: json, console) : []
        if json { JSONText.print(FirstKeysOption.Document(seed: name, keys: keys), console) }
    }
}
