import ArgumentParser

/// `group …`
struct GroupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group", abstract: "Sign together with the members of a threshold group.", shouldDisplay: false,
        subcommands: [GroupCollectCommand.self])
}
