import ArgumentParser
import FoundationEssentials
import HotStore
import SubstratePrimitives
import Terminal

struct ShowCommand: ParsableCommand {
    enum Subject: String, ExpressibleByArgument, CaseIterable { case networks, specs, metadata, history }

    static let configuration = CommandConfiguration(commandName: "show", abstract: "what the hot database holds")
    @Argument(help: "networks, specs, metadata or history") var subject: Subject
    @Argument(help: "one network; all without") var network: String?
    @Flag(help: "one JSON document on stdout") var json = false
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let store = try database.open()
        let networks = try network.map { [try store.network($0)] } ?? store.networks()
        switch subject {
        case .networks: try print(networks.map(NetworkDocument.init)) { $0.line }
        case .specs: try print(networks.map(\.specs)) { try Self.json($0) }
        case .metadata:
            let all = try store.metadata().filter { network == nil || $0.network == network }
            try print(all.map(MetadataDocument.init)) { $0.line }
        case .history:
            let all = try store.history().filter { network == nil || $0.network == network }
            try print(all.map(EventDocument.init)) { $0.line }
        }
    }

    private func print<T: Encodable>(_ items: [T], line: (T) throws -> String) throws {
        if json { return Console.print(try Self.json(items)) }
        for item in items { Console.print(try line(item)) }
    }

    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

private struct NetworkDocument: Encodable {
    let name: String
    let specs: NetworkSpecs
    let endpoints: [String]

    init(_ network: HotNetwork) {
        name = network.name
        specs = network.specs
        endpoints = network.endpoints
    }

    var line: String {
        let facts =
            "prefix \(specs.base58Prefix)  \(specs.decimals) decimals  \(specs.unit)  \(specs.scheme.name)  0x\(specs.genesisHash.hex)"
        return Escape.terminal("\(name)  \(facts)  \(endpoints.joined(separator: " "))")
    }
}

private struct MetadataDocument: Encodable {
    let network: String
    let version: UInt32
    let format: UInt8
    let bytes: Int
    let blake2b_256: String
    let block: String?
    let added: String

    init(_ metadata: HotMetadata) {
        network = metadata.network
        version = metadata.version
        format = metadata.format
        bytes = metadata.blob.count
        blake2b_256 = metadata.origin.hash.hex
        block = metadata.origin.blockHash?.hex
        added = Clock.text(metadata.added)
    }

    var line: String {
        "\(network)  \(version)  V\(format)  \(bytes) bytes  \(blake2b_256)  \(block.map { "at block \($0)" } ?? "from a file")  \(added)"
    }
}

private struct EventDocument: Encodable {
    let at: String
    let event: String
    let network: String?
    let detail: String

    init(_ event: HotEvent) {
        at = Clock.text(event.at)
        self.event = event.event
        network = event.network
        detail = event.detail
    }

    var line: String { Escape.terminal("\(at)  \(event)  \(network ?? "-")  \(detail)") }
}

/// Times as text, in UTC.
enum Clock {
    static func text(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
