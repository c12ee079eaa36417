import ArgumentParser

struct UtilGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "util", abstract: "Run small tools without a vault.",
        subcommands: [
            UtilAddress.self, UtilSS58.self, UtilMnemonic.self, UtilWords.self, UtilPath.self, UtilAmount.self, UtilMetadata.self,
            UtilVerify.self,
        ])
}
