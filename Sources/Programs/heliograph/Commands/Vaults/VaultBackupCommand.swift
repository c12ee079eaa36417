import ArgumentParser
import Ceremony
import CommandKit
import Presentation
import TerminalIO
import Vault

/// `vault backup`: one encrypted file, or the proof that one restores.
struct VaultBackupCommand: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Back up the vault to one encrypted file, or check a backup.",
        discussion: "The vault's current passphrase opens the backup, even after the vault's passphrase is changed.")

    @Argument(help: "The backup file.") var file: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Check an existing backup: open it and unseal every seed.")
    var check = false

    @Flag(help: "Replace an existing file.")
    var replace = false

    var json: Bool { output.json }

    func access() throws -> Access {
        if check { return Access(readable: [file]) }
        return Access(writable: [try vault.directory()], plainOutputs: [file], replacesBackup: true)
    }

    func validate() throws {
        if check, replace { throw ValidationError("--check and --replace cannot be combined") }
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        if check {
            let bytes = try Files.read(file)
            let keyFile = try vault.keyFile()
            console.tell(unusual: VaultBackup.unusualCost(of: bytes))
            let report = try console.withPassphrase(descriptor: vault.passphraseFd) {
                try VaultBackup.check(bytes, passphrase: $0(), keyFile: keyFile)
            }
            if json { return JSONText.print(BackupDocument(file: file, report), console) }
            return console.print(Wording.backupHolds(report))
        }
        // Before the passphrase is asked for.
        guard replace || !Files.exists(file) else { throw CommandError.backupExists(path: file) }
        let preview = try context.device(self).preview(BackUpVault())
        let backup = try context.unlock(self).perform(preview.confirm()).outcome
        try Files.write(backup, to: file, mode: 0o600, replacingBackup: true)
        console.note(Wording.backedUp(preview.shown.count, to: file))
        if json { JSONText.print(BackupDocument(file: file, seeds: preview.shown), console) }
    }
}
