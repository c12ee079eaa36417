import ArgumentParser

struct MetadataGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metadata", abstract: "List and remove metadata.",
        subcommands: [MetadataList.self, MetadataRemove.self])
}
