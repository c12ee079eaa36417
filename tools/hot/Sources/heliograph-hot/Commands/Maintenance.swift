import ArgumentParser
import Glibc
import HotStore

struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "removes from the hot database", subcommands: [Network.self, OfMetadata.self, Types.self])

    struct Network: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "a network with everything that is known of it")
        @Argument var name: String
        @OptionGroup var database: DatabaseOptions

        func run() throws {
            let store = try database.open()
            try store.removeNetwork(name)
            try store.record(HotEvent(at: Int64(time(nil)), event: "removed", network: name, detail: "network"))
        }
    }

    struct OfMetadata: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "metadata", abstract: "metadata of one spec version")
        @Argument var network: String
        @Argument var version: UInt32
        @OptionGroup var database: DatabaseOptions

        func run() throws {
            let store = try database.open()
            try store.removeMetadata(of: network, version: version)
            try store.record(HotEvent(at: Int64(time(nil)), event: "removed", network: network, detail: "metadata \(version)"))
        }
    }

    struct Types: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "types for metadata 13 and older")
        @OptionGroup var database: DatabaseOptions

        func run() throws { try database.open().removeTypes() }
    }
}

struct RestoreDefaults: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "restore-defaults", abstract: "the default networks as they came")
    @OptionGroup var database: DatabaseOptions

    func run() throws { try database.open().restoreDefaults() }
}

struct SetField: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "a field of a network's specs that outlives fetches; no value gives back the chain's own")
    @Argument var network: String
    @Argument(help: "unit, decimals, title, color, secondary_color, logo or path_id") var field: String
    @Argument var value: String?
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        guard let known = SpecsField(rawValue: field) else { throw HotError.unknownField(field) }
        guard try database.open().override(network, known, value) else {
            throw HotError.badFieldValue(field: field, value: value ?? "")
        }
    }
}
