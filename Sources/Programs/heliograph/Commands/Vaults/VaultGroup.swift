import ArgumentParser

struct VaultGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault", abstract: "Back up, restore or erase the vault, change its passphrase, or confirm its time.",
        subcommands: [
            VaultBackupCommand.self, VaultRestore.self, VaultErase.self, VaultPassphrase.self, VaultKeyFile.self, VaultTimeGroup.self,
        ])
}
