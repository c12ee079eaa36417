import ArgumentParser
import Glibc
import Hashing
import HotStore
import Lines
import SubstratePrimitives

/// `network …`
struct NetworkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "network", abstract: "List, show, remove or restore networks.",
        subcommands: [List.self, Show.self, Remove.self, Restore.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List networks with their node URLs.")
        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws { try Listing(database, output).networks() }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a network with its node URLs.")
        @Argument(help: "The network's name.") var network: String
        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws { try Listing(database, output).networks(network) }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a network with its specs, metadata and node URLs.")
        @Argument(help: "The network's name.") var network: String
        @OptionGroup var database: DatabaseOptions

        func run() throws { try Removal(database).network(network) }
    }

    struct Restore: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore-defaults",
            abstract: "Restore the default networks, without your changes to their specs.")
        @OptionGroup var database: DatabaseOptions

        func run() throws { try database.open().restoreDefaults() }
    }
}

/// `specs …`
struct SpecsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "specs", abstract: "List, show, change or remove network specs.",
        subcommands: [List.self, Show.self, Set.self, Remove.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the specs of every network, as JSON.")
        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws { try Listing(database, output).specs() }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the specs of a network, as JSON.")
        @Argument(help: "The network's name.") var network: String
        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws { try Listing(database, output).specs(network) }
    }

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set a field of a network's specs, or reset it to the chain's value.")
        @OptionGroup var change: SpecsChange

        func run() throws { try change.run() }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a network's specs, and the network with them.")
        @Argument(help: "The network's name.") var network: String
        @OptionGroup var database: DatabaseOptions

        func run() throws { try Removal(database).network(network) }
    }
}

/// The arguments of `specs set`. Fetches keep a field that was set.
struct SpecsChange: ParsableArguments {
    @Argument(help: "The network's name.") var network: String
    @Argument(help: "unit, decimals, title, color, secondary_color, logo or path_id.") var field: String
    @Argument(help: "The new value (default: the chain's own).") var value: String?
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        guard let known = SpecsField(rawValue: field) else { throw HotError.unknownField(field) }
        let store = try database.open()
        guard try store.override(store.network(named: network).name, known, value) else {
            throw HotError.badFieldValue(field: field, value: value ?? "")
        }
    }
}

/// `metadata …`
struct MetadataCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metadata", abstract: "List, show, export or remove metadata.",
        subcommands: [List.self, Show.self, Export.self, Remove.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List metadata with its hash and origin.")
        @Argument(help: "The network's name (default: all networks).") var network: String?
        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws { try Listing(database, output).metadata(network) }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the metadata of one spec version, in every stored format.")
        @Argument(help: "The network's name.") var network: String
        @Argument(help: "The spec version (default: newest).") var version: UInt32?
        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws { try Listing(database, output).metadata(network, version: version) }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write metadata as the chain has it: SCALE that starts with meta.",
            discussion:
                """
                The file is what import, file check and the tools of others read. Nobody's signature is in it.
                """
        )
        @Argument(help: "The network's name.") var network: String
        @Argument(help: "The spec version (default: newest).") var version: UInt32?
        @Option(help: "The metadata format, 14 to 16 (default: the oldest stored).") var format: UInt8?
        @Option(
            help: "A file for the bytes, or for hex with .hex (default: ./NETWORK_VERSION_vFORMAT.scale).")
        var out: String?
        @OptionGroup var database: DatabaseOptions

        func run() throws {
            try Files.require(outputs: [out])
            let store = try database.open()
            let network = try store.network(named: network)
            let found = try store.metadata(of: network.name, version: version, format: format)
            let path = out ?? "\(Files.name(network.name))_\(found.version)_v\(found.format).scale"
            try Files.write(
                path.hasSuffix(".hex") ? Array((Hex.encode(found.blob) + "\n").utf8) : found.blob, to: path)
            let name = try store.shownName(of: network)
            Console.note(
                Escape.terminal(
                    """
                    \(path): metadata V\(found.format) for \(name) \(found.version), BLAKE2b-256 \
                    0x\(found.origin.hash.hex)
                    """
                ))
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove the metadata of one spec version.")
        @Argument(help: "The network's name.") var network: String
        @Argument(help: "The spec version.") var version: UInt32
        @OptionGroup var database: DatabaseOptions

        func run() throws { try Removal(database).metadata(of: network, version: version) }
    }
}

/// `types …`
struct TypesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types", abstract: "Show or remove the types for metadata V13 and older.",
        subcommands: [Show.self, Remove.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the hash and the size of the types.")
        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws {
            let types = try database.open().types().map(TypesDocument.init)
            if output.json { return Console.print(exactly: try Listing.json(["types": types])) }
            Console.print(types.map { "0x\($0.hash)  \($0.bytes) byte\($0.bytes == 1 ? "" : "s")" } ?? "none")
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove the types for metadata V13 and older.")
        @OptionGroup var database: DatabaseOptions

        func run() throws { try Removal(database).types() }
    }
}

/// Types in the JSON of `types show`, as heliograph prints them.
private struct TypesDocument: Encodable {
    let hash: String
    let bytes: Int

    init(_ entries: [UInt8]) {
        hash = Hash32.blake2b(of: entries).hex
        bytes = entries.count
    }
}

/// `history …`
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List what was fetched, imported and removed.",
        subcommands: [List.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List fetches, imports, removals and failed fetches.")
        @Argument(help: "The network's name (default: all networks).") var network: String?
        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws { try Listing(database, output).history(network) }
    }
}

/// Removes from the hot database and records it in the history.
struct Removal {
    private let store: HotStore

    init(_ database: DatabaseOptions) throws { store = try database.open() }

    func network(_ name: String) throws {
        let row = try store.network(named: name).name
        try store.removeNetwork(row)
        try store.record(HotEvent(at: Int64(time(nil)), event: "removed", network: row, detail: "network"))
    }

    func metadata(of network: String, version: UInt32) throws {
        let row = try store.network(named: network).name
        try store.removeMetadata(of: row, version: version)
        try store.record(
            HotEvent(at: Int64(time(nil)), event: "removed", network: row, detail: "metadata \(version)"))
    }

    func types() throws { try store.removeTypes() }
}
