import ArgumentParser

/// Older names of commands. They work and stay out of the help.
enum OldWords {
    static let commands: [any ParsableCommand.Type] = [
        ShowCommand.self, RemoveCommand.self, RestoreDefaults.self, SetField.self, CheckFile.self,
    ]

    /// `network list`, `specs list`, `metadata list` and `history list`; with a network, of that network.
    struct ShowCommand: ParsableCommand {
        enum Subject: String, ExpressibleByArgument, CaseIterable { case networks, specs, metadata, history }

        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "List networks, specs, metadata or history.", shouldDisplay: false)
        @Argument(help: "networks, specs, metadata or history.") var subject: Subject
        @Argument(help: "The network's name (default: all networks).") var network: String?
        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws {
            let listing = try Listing(database, output)
            switch subject {
            case .networks: try listing.networks(network)
            case .specs: try listing.specs(network)
            case .metadata: try listing.metadata(network)
            case .history: try listing.history(network)
            }
        }
    }

    /// `network remove`, `metadata remove` and `types remove`.
    struct RemoveCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a network, metadata or types.", shouldDisplay: false,
            subcommands: [Network.self, Metadata.self, Types.self])

        struct Network: ParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Remove a network with its specs, metadata and node URLs.")
            @Argument(help: "The network's name.") var name: String
            @OptionGroup var database: DatabaseOptions

            func run() throws { try Removal(database).network(name) }
        }

        struct Metadata: ParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Remove the metadata of one spec version.")
            @Argument(help: "The network's name.") var network: String
            @Argument(help: "The spec version.") var version: UInt32
            @OptionGroup var database: DatabaseOptions

            func run() throws { try Removal(database).metadata(of: network, version: version) }
        }

        struct Types: ParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Remove the types for metadata V13 and older.")
            @OptionGroup var database: DatabaseOptions

            func run() throws { try Removal(database).types() }
        }
    }

    /// `network restore`
    struct RestoreDefaults: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore-defaults", abstract: "Restore the default networks, without your changes to their specs.",
            shouldDisplay: false)
        @OptionGroup var database: DatabaseOptions

        func run() throws { try database.open().restoreDefaults() }
    }

    /// `specs set`
    struct SetField: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Set a field of a network's specs, or reset it to the chain's value.", shouldDisplay: false)
        @OptionGroup var change: SpecsChange

        func run() throws { try change.run() }
    }

    /// `file check`
    struct CheckFile: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check-file", abstract: "Compare a file with the hot database.", shouldDisplay: false)
        @OptionGroup var check: FileCheck

        func run() throws { try check.run() }
    }
}
