import ArgumentParser
import FoundationEssentials
import Hashing
import HotStore
import Lines
import SubstratePrimitives

/// How a list is printed.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print one JSON document.") var json = false
}

/// Prints the contents of the hot database: a line for each item, or all as one JSON array.
struct Listing {
    let store: HotStore
    let json: Bool

    init(_ database: DatabaseOptions, _ output: OutputOptions) throws {
        store = try database.open()
        json = output.json
    }

    /// - Parameter name: one network, or nil for all.
    func networks(_ name: String? = nil) throws {
        try print(selected(name).map { NetworkDocument($0, name: try store.shownName(of: $0)) }) { $0.line }
    }

    func specs(_ name: String? = nil) throws {
        for specs in try selected(name).map(\.specs) where !json {
            Console.print(exactly: try Self.json(specs))
        }
        if json { try print(selected(name).map(\.specs)) { try Self.json($0) } }
    }

    func metadata(_ name: String? = nil) throws {
        let row = try name.map { try store.network(named: $0).name }
        try printMetadata { row == nil || $0.network == row }
    }

    /// Every format of one version; with nil, of the newest.
    func metadata(_ name: String, version: UInt32?) throws {
        let row = try store.network(named: name).name
        let version = try store.metadata(of: row, version: version).version
        try printMetadata { $0.network == row && $0.version == version }
    }

    func history(_ name: String? = nil) throws {
        let row = try name.map { try store.network(named: $0).name }
        try print(store.history().filter { row == nil || $0.network == row }.map(EventDocument.init)) {
            $0.line
        }
    }

    func verifiers() throws { try print(store.verifierLabels().map(VerifierDocument.init)) { $0.line } }

    func pins() throws {
        let backups = try store.backupPins()
        try print(
            store.pins().map { pin in
                PinDocument(pin, backup: backups.first { $0.server.utf8Equals(pin.server) })
            }
        ) { $0.line }
    }

    private func printMetadata(where isPrinted: (HotMetadata) -> Bool) throws {
        let names = Dictionary(
            uniqueKeysWithValues: try store.networks().map { ($0.name, try store.shownName(of: $0)) })
        let stored = try store.metadata().filter(isPrinted)
        try print(stored.map { MetadataDocument($0, network: names[$0.network] ?? $0.network) }) { $0.line }
    }

    /// The networks of a name: where nothing is chosen, all schemes of a chain are listed.
    private func selected(_ name: String?) throws -> [HotNetwork] {
        guard let name else { return try store.networks() }
        let found = try store.networksOfOneChain(named: name)
        guard !found.isEmpty else { throw HotStoreError.unknownNetwork(name) }
        return found
    }

    private func print<T: Encodable>(_ items: [T], line: (T) throws -> String) throws {
        if json { return Console.print(exactly: try Self.json(items)) }
        for item in items { Console.print(try line(item)) }
    }

    /// Names of a chain or a node stand in every document, so all of it is ASCII, as heliograph prints it.
    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Escape.json(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}

private struct NetworkDocument: Encodable {
    let name: String
    let specs: NetworkSpecs
    let endpoints: [String]

    /// - Parameter name: one that stands for this network alone.
    init(_ network: HotNetwork, name: String) {
        self.name = name
        specs = network.specs
        endpoints = network.endpoints
    }

    var line: String {
        let facts =
            """
            prefix \(specs.base58Prefix)  \(specs.decimals) decimals  \(specs.unit)  \(specs.scheme.name)  \
            0x\(specs.genesisHash.hex)
            """
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

    /// - Parameter network: a name that stands for this network alone.
    init(_ metadata: HotMetadata, network: String) {
        self.network = network
        version = metadata.version
        format = metadata.format
        bytes = metadata.blob.count
        blake2b_256 = metadata.origin.hash.hex
        block = metadata.origin.blockHash?.hex
        added = Clock.text(metadata.added)
    }

    var line: String {
        let origin = block.map { "from block 0x\($0)" } ?? "from a file"
        return Escape.terminal(
            "\(network)  \(version)  V\(format)  \(bytes) bytes  0x\(blake2b_256)  \(origin)  \(added)")
    }
}

private struct VerifierDocument: Encodable {
    let label: String
    let scheme: String
    let public_key: String

    init(_ verifier: VerifierLabel) {
        label = verifier.text
        scheme = verifier.key.scheme.name
        public_key = Hex.encode(verifier.key.bytes)
    }

    var line: String { Escape.terminal("\(label)  \(scheme)  0x\(public_key)") }
}

private struct PinDocument: Encodable {
    let server: String
    let url: String
    let subject: String
    let sha256: String
    /// Without a backup these two are left out.
    let backup_subject: String?
    let backup_sha256: String?

    init(_ pin: HotPin, backup: HotPin?) {
        (backup_subject, backup_sha256) = (backup?.subject, backup?.hash.hex)
        server = pin.server
        url = pin.url
        subject = pin.subject
        sha256 = pin.hash.hex
    }

    var line: String {
        let backup = backup_sha256.map { "  or \(backup_subject ?? ""):0x\($0)" } ?? ""
        return Escape.terminal("\(url)  \(subject):0x\(sha256)\(backup)")
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
