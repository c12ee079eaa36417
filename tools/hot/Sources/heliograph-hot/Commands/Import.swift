import ArgumentParser
import Glibc
import HotStore
import Metadata
import SubstratePrimitives
import Terminal
import UOS

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Import network specs (JSON), metadata (raw or hex), types or a published update.")
    @Argument(help: "The file, or - for standard input.") var file: String
    @Option(help: "The network of the metadata, or a name for the specs (default: by the runtime's name).") var network: String?
    @OptionGroup var scanner: ScannerOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let content = try Files.read(file)
        let store = try database.open()
        switch try ImportedFile(content, path: file, scanner: scanner) {
        case .specs(let specs): try save(specs, in: store)
        case .metadata(let blob): try save(blob, in: store)
        case .types(let entries):
            try store.setTypes(entries)
            try store.record(HotEvent(at: Int64(time(nil)), event: "imported", network: nil, detail: "types from \(file)"))
            Console.note("types saved: \(entries.count) bytes")
        }
    }

    private func save(_ specs: NetworkSpecs, in store: HotStore) throws {
        let name = try rowName(of: specs, store)
        let endpoints = (try? store.network(name).endpoints) ?? []
        let saved = HotNetwork(name: name, specs: specs, endpoints: endpoints)
        try store.save(saved)
        try store.record(HotEvent(at: Int64(time(nil)), event: "imported", network: name, detail: "specs from \(file)"))
        Console.note(Escape.terminal("\(try store.shownName(of: saved)): specs saved, genesis hash 0x\(specs.genesisHash.hex)"))
    }

    /// The name under which specs are stored: that of the same network if it is known, else a new one.
    private func rowName(of specs: NetworkSpecs, _ store: HotStore) throws -> String {
        if let known = try store.name(genesis: specs.genesisHash, scheme: specs.scheme) {
            let named = try network.map { try store.networksOfOneChain(named: $0).contains { $0.name == known } } ?? true
            return named ? known : network ?? known
        }
        let name = try network ?? store.newName(for: specs)
        // It becomes part of file names, and it may come from a picture.
        guard Files.isNetworkName(name, of: specs) else { throw HotError.badNetworkName(name) }
        return name
    }

    private func save(_ blob: [UInt8], in store: HotStore) throws {
        let metadata = try RuntimeMetadata(blob, types: store.legacyTypes())
        guard let name = try network.map({ try store.network(named: $0).name }) ?? owner(of: metadata, in: store) else {
            throw HotError.networkNeeded(path: file)
        }
        let added = try MetadataIntake(store: store).add(metadata, network: name, blockHash: nil)
        let version = metadata.runtimeVersion
        Console.note(
            "\(name): metadata for \(version.specName) \(version.specVersion) (V\(metadata.version)) \(added ? "saved" : "is already in the hot database")"
        )
    }

    /// The network with the metadata's runtime name, if there is exactly one.
    private func owner(of metadata: RuntimeMetadata, in store: HotStore) throws -> String? {
        let named = try store.networks().filter { $0.specs.name == metadata.runtimeVersion.specName }
        return named.count == 1 ? named[0].name : nil
    }
}

/// The content of a file, recognized by its bytes.
enum ImportedFile {
    case specs(NetworkSpecs)
    case metadata([UInt8])
    /// The encoded entries.
    case types([UInt8])

    init(_ content: [UInt8], path: String, scanner: ScannerOptions) throws {
        if content.first(where: { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }) == UInt8(ascii: "{") {
            self = .specs(try Files.json(NetworkSpecs.self, content) { .badSpecsFile(path: path, detail: $0) })
            return
        }
        let bytes = Files.hexOrRaw(content)
        if bytes.starts(with: [0x00] + Array("asm".utf8)) { throw HotError.noWebAssembly }
        if let payload = try? Payload(bytes), case .update(let update) = try payload.expanded(by: scanner.expand).content {
            switch update.content {
            case .addSpecs(let specs): self = .specs(specs)
            case .loadMetadata(let blob, _): self = .metadata(blob)
            case .loadTypes(let entries): self = .types(entries)
            // The hot database keeps no asset lists: `make load-assets` reads them from JSON.
            case .loadAssets: throw HotError.unknownFileKind(path: path)
            }
            return
        }
        guard let start = Self.metadataStart(bytes) else { throw HotError.unknownFileKind(path: path) }
        self = .metadata(Array(bytes[start...]))
    }

    /// The offset of `meta`: 0, or after the compact length of an opaque wrapper.
    static func metadataStart(_ bytes: [UInt8]) -> Int? {
        let magic = Array("meta".utf8)
        for start in [0, 1, 2, 4, 5] where bytes.dropFirst(start).starts(with: magic) { return start }
        return nil
    }

    /// What is wrong in a JSON file, without the names of this program's types that the decoder prints.
    static func detail(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "\(key.stringValue) is missing"
        case DecodingError.typeMismatch(_, let context): "\(path(context)) has the wrong type"
        case DecodingError.valueNotFound(_, let context): "\(path(context)) is null"
        case DecodingError.dataCorrupted(let context):
            context.codingPath.isEmpty ? "it is not valid JSON" : "\(path(context)) has an invalid value"
        default: "it is not valid JSON"
        }
    }
    /// Fields from the outside in, dotted; list items count from 1.
    private static func path(_ context: DecodingError.Context) -> String {
        let names = context.codingPath.map { key in key.intValue.map { "\($0 + 1)" } ?? key.stringValue }
        return names.isEmpty ? "the document" : names.joined(separator: ".")
    }
}
