import ArgumentParser

struct NetworkGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "network", abstract: "List, show and remove networks.",
        subcommands: [
            NetworkList.self, NetworkShow.self, NetworkRemove.self, NetworkRevoke.self, NetworkRestoreDefaults.self,
        ])
}
