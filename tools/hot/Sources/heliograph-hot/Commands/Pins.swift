import ArgumentParser
import ChainRPC
import HotStore
import NodeAnswers
import SubstratePrimitives

/// The pins of the hot database, for connections.
enum Pins {
    /// - Throws: for a pin that this program does not understand. Leaving it out would open its server to any
    ///   certificate.
    static func all(in store: HotStore) throws -> [NodeURL.Server: ServerPin] {
        try read(store.pins(), table: "pin")
    }

    /// What servers may have instead.
    static func backups(in store: HotStore) throws -> [NodeURL.Server: ServerPin] {
        try read(store.backupPins(), table: "backup_pin")
    }

    private static func read(_ stored: [HotPin], table: String) throws -> [NodeURL.Server: ServerPin] {
        var pins: [NodeURL.Server: ServerPin] = [:]
        for kept in stored {
            guard let subject = ServerPin.Subject(rawValue: kept.subject), let url = NodeURL(kept.url),
                url.server.description.utf8Equals(kept.server)
            else { throw HotStoreError.unreadable(table: table) }
            pins[url.server] = ServerPin(subject, kept.hash)
        }
        return pins
    }
}

/// `pin …`
struct PinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "List, look up, set or remove the certificate or key that a node's server must have.",
        subcommands: [List.self, Show.self, Set.self, Remove.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List pins with their URLs.")
        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws { try Listing(database, output).pins() }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the fingerprints that a server has now, as pin set takes them.",
            discussion:
                """
                Compare them with what the server's operator publishes: this connection may be the one that \
                is attacked.
                """
        )
        @Argument(help: "A wss or https URL.") var url: String
        @OptionGroup var network: NetworkOptions
        @OptionGroup var database: DatabaseOptions

        func run() async throws {
            let identity = try await ServerIdentity.of(
                try NetworkOptions.url(url), options: try network.options(try database.open()))
            for subject in ServerPin.Subject.allCases { Console.print("\(identity.pin(subject))") }
        }
    }

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Refuse the server of a URL unless it has this certificate or key.",
            discussion:
                """
                The pin holds for every URL with the same host and port, in addition to the usual checks of \
                its certificate. With --backup the server may change to its next key without an outage; the \
                next pin set replaces both.
                """
        )
        @Argument(help: "A wss or https URL.") var url: String
        @Argument(help: "certificate:HEX or key:HEX, the SHA-256 of the certificate or of its public key.")
        var pin: ServerPin
        @Option(help: "Another certificate:HEX or key:HEX that the server may have instead.")
        var backup: ServerPin?
        @OptionGroup var database: DatabaseOptions

        func run() throws {
            let url = try NetworkOptions.url(url)
            guard url.scheme.isEncrypted else { throw RPCError.pinnedWithoutTLS }
            func kept(_ pin: ServerPin) -> HotPin {
                HotPin(server: "\(url.server)", url: "\(url)", subject: pin.subject.rawValue, hash: pin.hash)
            }
            try database.open().pin(kept(pin), backup: backup.map(kept))
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove the pin of a URL's server.")
        @Argument(help: "A URL with the server's host and port.") var url: String
        @OptionGroup var database: DatabaseOptions

        func run() throws {
            let url = try NetworkOptions.url(url)
            guard try database.open().removePin(of: "\(url.server)") else {
                throw HotError.noPin(server: "\(url.server)")
            }
        }
    }
}

extension ServerPin: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
