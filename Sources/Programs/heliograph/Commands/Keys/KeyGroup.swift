import ArgumentParser

struct KeyGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Derive, list, show and export keys.",
        subcommands: [
            KeyDerive.self, KeyList.self, KeyShow.self, KeyLabel.self, KeyAllow.self, KeyForbid.self, KeyForgetNonce.self, KeyRemove.self,
            KeyExport.self, KeyImport.self, KeySecret.self,
        ])
}
