import ArgumentParser

struct NetworkGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "network", abstract: "List, show, add, set up and remove networks.",
        subcommands: [
            NetworkList.self, NetworkShow.self, NetworkAdd.self, NetworkSetCommand.self, NetworkRemove.self, NetworkRevoke.self,
            NetworkRestoreDefaults.self,
        ])
}
