import ArgumentParser

struct VaultGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault", abstract: "Back up and restore the vault, change its passphrase.",
        subcommands: [VaultBackupCommand.self, VaultRestore.self, VaultPassphrase.self, VaultKeyFile.self])
}
