import ArgumentParser

struct TypesGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types", abstract: "The types that metadata of version 13 and older is read with.",
        subcommands: [TypesShow.self, TypesRemove.self])
}
