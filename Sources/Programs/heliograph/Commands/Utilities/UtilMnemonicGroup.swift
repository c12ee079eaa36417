import ArgumentParser

struct UtilMnemonic: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mnemonic", abstract: "Look at a phrase.", subcommands: [UtilMnemonicCheck.self])
}
