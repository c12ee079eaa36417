import ArgumentParser
import Ceremony
import CommandKit
import Lines
import Presentation
import TerminalIO
import TrustStore

struct MetadataGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metadata", abstract: "List and remove metadata.",
        subcommands: [MetadataList.self, MetadataRemove.self])
}

/// `metadata list`
struct MetadataList: TrustReport {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the metadata.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var table: WideOption

    private struct Facts: Encodable {
        let name: String
        let genesis_hash: String
        let version: UInt32
        let hash: String
        let bytes: Int
    }

    func report(_ state: TrustState, _ console: Console) {
        let list = state.metadata.map { record in
            Facts(
                name: state.networks(genesis: record.genesis).first?.name ?? "",
                genesis_hash: record.genesis.hex, version: record.version,
                hash: record.hash.hex, bytes: record.length)
        }
        if json { return JSONText.print(["metadata": list], console) }
        if list.isEmpty { console.note(Wording.noMetadata) }
        let lines = list.map { entry in
            TableLine([
                .init(Escape.terminal(entry.name), rank: 1), .init(String(entry.version)),
                .init("0x\(entry.hash)", rank: 2),
            ])
        }
        console.print(lines, wide: table.wide)
    }
}

/// `metadata remove`
struct MetadataRemove: TrustChanging {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove one version of a network's metadata.")

    @Argument(help: "The network's name or genesis hash.", completion: .named(.network)) var network: String
    @Argument(help: "The runtime version.", completion: .named(.metadataVersion)) var version: UInt32
    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions
    var question: String { Wording.removeQuestion }

    func change(_ trust: TrustState) throws -> ChangeTrust.Change {
        .removeMetadata(try trust.chain(named: network), version: version)
    }
}

struct TypesGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types", abstract: "Show and remove the types for metadata of version 13 and older.",
        subcommands: [TypesShow.self, TypesRemove.self])
}

/// `types show`
struct TypesShow: TrustReport {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the hash and the size of the types.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    func report(_ state: TrustState, _ console: Console) {
        let facts = TypesFacts(state)
        if json { return JSONText.print(["types": Nullable(facts)], console) }
        console.print(facts.map(Wording.types) ?? "none")
    }
}

/// `types remove`
struct TypesRemove: TrustChanging {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove the types; metadata of version 13 and older cannot be read without them.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions
    var question: String { Wording.removeQuestion }

    func change(_ trust: TrustState) throws -> ChangeTrust.Change { .removeTypes }
}
