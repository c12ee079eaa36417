import ArgumentParser

struct UtilMnemonic: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mnemonic", abstract: "Recovery phrase tools.", subcommands: [UtilMnemonicCheck.self])
}
