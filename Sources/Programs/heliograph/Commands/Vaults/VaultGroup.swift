import ArgumentParser

struct VaultGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault", abstract: "Back up or restore the vault, change its passphrase, or confirm its time.",
        subcommands: [VaultBackupCommand.self, VaultRestore.self, VaultPassphrase.self, VaultKeyFile.self, VaultTimeGroup.self])
}
