import ArgumentParser
import Ceremony
import Vault

/// `vault backup`: one encrypted file, or the proof that one restores.
struct VaultBackupCommand: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write the whole vault to one encrypted file, or check such a file.",
        discussion: "The passphrase that opens the vault now opens the backup, also after the vault's own is changed.")

    @Argument(help: "The file.") var file: String
    @OptionGroup var vault: VaultOptions

    @Flag(help: "Open the file and unseal every seed in it; nothing is written.")
    var check = false

    func access() throws -> Access {
        check ? Access(readable: [file]) : Access(writable: [try vault.directory(), file])
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        if check {
            let bytes = try Files.read(file)
            let passphrase = try secret("passphrase: ", descriptor: vault.passphraseFd, console)
            return console.print(
                Wording.backupHolds(try VaultBackup.check(bytes, passphrase: passphrase, keyFile: vault.keyFile())))
        }
        let preview = try context.device(self).preview(BackUpVault())
        let backup = try context.unlock(self).perform(preview.confirm()).outcome
        try Files.write(backup, to: file, mode: 0o600)
        console.note(Wording.backedUp(preview.shown.count, to: file))
    }
}
