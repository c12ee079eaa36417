import ArgumentParser

struct MetadataGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metadata", abstract: "The metadata that the vault reads transactions with.",
        subcommands: [MetadataList.self, MetadataRemove.self])
}
