import ArgumentParser

struct TypesGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types", abstract: "Show and remove the types for metadata of version 13 and older.",
        subcommands: [TypesShow.self, TypesRemove.self])
}
