import ArgumentParser

struct VaultGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault", abstract: "Back up or restore the vault, or change its passphrase.",
        subcommands: [VaultBackupCommand.self, VaultRestore.self, VaultErase.self, VaultPassphrase.self, VaultKeyFile.self])
}
