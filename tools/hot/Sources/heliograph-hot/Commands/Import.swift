import ArgumentParser
import FoundationEssentials
import Glibc
import HotStore
import Metadata
import SubstratePrimitives
import UOS

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "network specs as JSON, metadata as raw bytes or hex, or a published update into the hot database")
    @Argument(help: "file, or - for standard input") var file: String
    @Option(help: "the network that the metadata belongs to, or a name for the specs") var network: String?
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
            Console.note("types saved, \(entries.count) bytes")
        }
    }

    private func save(_ specs: NetworkSpecs, in store: HotStore) throws {
        let name = try network ?? store.name(genesis: specs.genesisHash, scheme: specs.scheme) ?? specs.name
        let endpoints = (try? store.network(name).endpoints) ?? []
        try store.save(HotNetwork(name: name, specs: specs, endpoints: endpoints))
        try store.record(HotEvent(at: Int64(time(nil)), event: "imported", network: name, detail: "specs from \(file)"))
        Console.note("\(name): specs saved, genesis hash \(specs.genesisHash.hex)")
    }

    private func save(_ blob: [UInt8], in store: HotStore) throws {
        let metadata = try RuntimeMetadata(blob, types: store.legacyTypes())
        guard let name = try network ?? owner(of: metadata, in: store) else { throw HotError.networkNeeded(path: file) }
        let added = try MetadataIntake(store: store).add(metadata, network: name, blockHash: nil)
        let version = metadata.runtimeVersion
        Console.note(
            "\(name): metadata \(version.specName) \(version.specVersion) (V\(metadata.version)) \(added ? "saved" : "already known")")
    }

    /// The only network whose runtime has the name that the metadata gives.
    private func owner(of metadata: RuntimeMetadata, in store: HotStore) throws -> String? {
        let named = try store.networks().filter { $0.specs.name == metadata.runtimeVersion.specName }
        return named.count == 1 ? named[0].name : nil
    }
}

/// What a file holds, told by its content.
enum ImportedFile {
    case specs(NetworkSpecs)
    case metadata([UInt8])
    /// The encoded entries.
    case types([UInt8])

    init(_ content: [UInt8], path: String, scanner: ScannerOptions) throws {
        if content.first(where: { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }) == UInt8(ascii: "{") {
            do {
                self = .specs(try JSONDecoder().decode(NetworkSpecs.self, from: Data(content)))
            } catch {
                throw HotError.badSpecsFile(path: path, detail: Self.detail(error))
            }
            return
        }
        let bytes = Files.hexOrRaw(content)
        if bytes.starts(with: [0x00] + Array("asm".utf8)) { throw HotError.noWebAssembly }
        if let payload = try? Payload(bytes), case .update(let update) = try payload.expanded(by: scanner.expand).content {
            switch update.content {
            case .addSpecs(let specs): self = .specs(specs)
            case .loadMetadata(let blob, _): self = .metadata(blob)
            case .loadTypes(let entries): self = .types(entries)
            // The hot database keeps no asset lists: `make load-assets` reads its JSON each time.
            case .loadAssets: throw HotError.unknownFileKind(path: path)
            }
            return
        }
        guard let start = Self.metadataStart(bytes) else { throw HotError.unknownFileKind(path: path) }
        self = .metadata(Array(bytes[start...]))
    }

    /// Where `meta` stands: at the start, or after the compact length of an opaque wrapper that spans the rest.
    static func metadataStart(_ bytes: [UInt8]) -> Int? {
        let magic = Array("meta".utf8)
        for start in [0, 1, 2, 4, 5] where bytes.dropFirst(start).starts(with: magic) { return start }
        return nil
    }

    static func detail(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "\(key.stringValue) is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            context.codingPath.last.map { "\($0.stringValue): \(context.debugDescription)" } ?? context.debugDescription
        default: "it is not JSON"
        }
    }
}
