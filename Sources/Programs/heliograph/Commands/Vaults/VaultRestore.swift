import ArgumentParser
import Ceremony
import CommandKit
import Keys
import Presentation
import TerminalIO
import Vault

/// `vault restore`: a vault from a backup, into a folder that holds none.
struct VaultRestore: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore a vault from a backup into an empty directory.")

    @Argument(help: "The backup file.") var file: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var word: WordOption

    var place: CommandPlace { .alone }

    var json: Bool { output.json }

    func access() throws -> Access {
        let directory = try vault.directory()
        try Files.makeFolder(directory)
        return Access(readable: [file], writable: [directory])
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let device = try context.device(self)
        // Before the passphrase is asked for.
        guard !Vault.exists(directory: device.directory) else { throw VaultError.exists(device.directory) }
        let bytes = try Files.read(file)
        let keyFile = HeldSecret(try vault.keyFile())
        console.tell(unusual: VaultBackup.unusualCost(of: bytes))
        let preview = try console.withPassphrase(descriptor: vault.passphraseFd) {
            try device.preview(RestoreVault(bytes, passphrase: HeldSecret($0()), keyFile: keyFile))
        }
        try word.requireAllowed(isDevelopment: preview.shown.report.isDevelopment)
        let report = try device.perform(preview.confirm(), asking: TerminalPerson(console: console, word: word)) { SecretBytes() }.outcome
        if json { return JSONText.print(BackupDocument(file: file, report), console) }
        console.print(Wording.backupHolds(report))
        console.note(Wording.restoredVault(device.directory, seeds: report.seedNames.count))
    }
}
