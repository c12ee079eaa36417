import ArgumentParser
import Ceremony
import Hashing
import Keys
import ScannerClient
import SubstratePrimitives

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

    func validate() throws {
        guard scan != input.isEmpty else {
            throw ValidationError(scan ? "--scan needs a picture of the QR code" : "pictures need --scan")
        }
    }

    var place: CommandPlace { input.place }

    func access() throws -> Access {
        Access(readable: input.readable, writable: [try vault.directory()], scans: input.needsScanner, forks: scan, cameras: input.cameras)
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let scanned = scan ? try ChildProcess.secret(console) { try self.scanned(console).entropy.copy() } : SecretBytes()
        let session = try context.unlock(self)
        let entropy = scan ? scanned : try phrase.mnemonic(console).entropy.copy()
        let seed = AddSeed(name, entropy: HeldSecret(entropy), origin: scan ? .scanned : .phrase)
        _ = try session.perform(session.preview(seed).confirm())
        console.note(Wording.restoredSeed(name))
    }

    /// The one SeedQR of the input. Its bytes do not go through the frames of payloads: they could pass for one.
    private func scanned(_ console: Console) throws -> Mnemonic {
        var codes: [[UInt8]] = []
        if let hex = input.hex {
            guard hex.utf8Starts(with: "@") else { throw CommandError.seedInArgument }
            codes.append(try Files.hex(hex))
        }
        if let frames = input.frames {
            for line in String(decoding: try Files.read(frames), as: UTF8.self).split(whereSeparator: \.isNewline) {
                guard let code = Hex.decode(String(line).trimmed) else { throw CommandError.badHex(source: frames) }
                codes.append(code)
            }
        }
        if input.needsScanner {
            let request = ScannerClient.Request(
                inputs: input.input, watched: input.watch, decoder: input.decoder, cameras: try input.camerasToUse())
            let report = try ScannerClient().scan(request) { code in
                codes.append(code)
                // A folder that is watched, and a camera, end with the first code.
                return input.waits ? .stop : .goOn
            }
            for problem in report.problems { console.note(Wording.problem(problem)) }
        }
        guard codes.count == 1, var code = codes.first else { throw CommandError.seedCodes(codes.count) }
        codes = []
        return try SeedQR.mnemonic(SecretBytes(wiping: &code))
    }
}
