import ArgumentParser

struct NetworkGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "network", abstract: "The networks that the vault knows.",
        subcommands: [
            NetworkList.self, NetworkShow.self, NetworkRemove.self, NetworkRevoke.self, NetworkRestoreDefaults.self,
        ])
}
