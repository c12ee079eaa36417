import ArgumentParser
import Glibc
import HotStore
import Lines
import Metadata
import RuntimeWasm
import SubstratePrimitives
import UOS

struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Import network specs (JSON), metadata (raw or hex), types or a published update.",
        discussion:
            """
            An update may be a file or pictures. The signature of its publisher is verified and kept; make \
            adds it again.
            """
    )
    @Argument(help: "A file, a picture, a directory of pictures, or - for a file on standard input.")
    var file: String
    @Option(help: "The network of the metadata, or a name for the specs (default: by the runtime's name).")
    var network: String?
    @Flag(help: "Let the update's signature replace the one of another verifier that is stored.")
    var replace = false
    @OptionGroup var keep: KeepOptions
    @OptionGroup var scanner: ScannerOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let store = try database.open()
        let imported = try ImportedFile(path: file, scanner: scanner)
        switch imported.content {
        case .specs(let specs): try save(specs, in: store)
        case .metadata(let blob, let genesis): try save(blob, of: genesis, in: store)
        case .types(let entries):
            try store.setTypes(entries)
            try store.record(
                HotEvent(at: Int64(time(nil)), event: "imported", network: nil, detail: "types from \(file)"))
            Console.note("types saved: \(entries.count) bytes")
        }
        guard imported.isUpdate else { return }
        guard let signature = imported.signature else { return Console.note(VerifiedSignature.line(nil)) }
        switch try signature.keep(in: store, replacing: replace) {
        case .kept: Console.note("\(signature.line), kept for make")
        case .byDevelopmentKey(let path):
            Console.note("\(signature.line), not kept")
            Console.note(DevelopmentKeys.warning(path))
        case .behind(let key):
            Console.note(
                """
                \(signature.line), not kept: the update is already \(VerifiedSignature.line(key)) (--replace \
                takes the new signature)
                """
            )
        }
    }

    private func save(_ specs: NetworkSpecs, in store: HotStore) throws {
        let name = try rowName(of: specs, store)
        let endpoints = (try? store.network(name).endpoints) ?? []
        let saved = HotNetwork(name: name, specs: specs, endpoints: endpoints)
        try store.save(saved)
        try store.record(
            HotEvent(at: Int64(time(nil)), event: "imported", network: name, detail: "specs from \(file)"))
        Console.note(
            Escape.terminal(
                "\(try store.shownName(of: saved)): specs saved, genesis hash 0x\(specs.genesisHash.hex)"))
    }

    /// The name under which specs are stored. A network that the database has keeps its name, unless
    /// `--network` names another one; a new network gets the name of `--network` or a free one.
    private func rowName(of specs: NetworkSpecs, _ store: HotStore) throws -> String {
        if let known = try store.name(genesis: specs.genesisHash, scheme: specs.scheme) {
            let named =
                try network.map { try store.networksOfOneChain(named: $0).contains { $0.name == known } }
                ?? true
            return named ? known : network ?? known
        }
        let name = try network ?? store.newName(for: specs)
        // The name becomes part of file names, and it may come from a picture.
        guard Files.isNetworkName(name, of: specs) else { throw HotError.badNetworkName(name) }
        return name
    }

    private func save(_ blob: [UInt8], of genesis: GenesisHash?, in store: HotStore) throws {
        let metadata = try RuntimeMetadata(blob, types: store.legacyTypes())
        let intake = MetadataIntake(store: store)
        let owner = try intake.owner(of: metadata, named: network, genesis: genesis, path: file)
        try intake.add(metadata, fromFileFor: owner, keep: keep.versions)
    }
}

/// The content of a file, recognized by its bytes.
struct ImportedFile {
    enum Content {
        case specs(NetworkSpecs)
        /// The genesis hash stands in an update only.
        case metadata([UInt8], genesis: GenesisHash?)
        /// The encoded entries.
        case types([UInt8])
    }

    let content: Content
    /// A publisher's signature over the update, verified.
    let signature: VerifiedSignature?
    /// Whether the file holds an update, signed or not.
    let isUpdate: Bool

    /// - Parameter path: a file, a picture, a directory of pictures, or - for a file on standard input.
    init(path: String, scanner: ScannerOptions) throws {
        guard try Files.holdsPictures(path) else {
            try self.init(try Files.read(path), path: path, scanner: scanner)
            return
        }
        switch try scanner.content(of: [path]) {
        case .payload(let bytes): try self.init(payload: PackedPayload(bytes), path: path, scanner: scanner)
        case .unproved: throw HotError.framesUnproved
        case .shares: throw HotError.unknownFileKind(path: path)
        }
    }

    private init(_ content: [UInt8], path: String, scanner: ScannerOptions) throws {
        if content.first(where: { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }) == UInt8(ascii: "{") {
            self.init(
                .specs(try Files.json(NetworkSpecs.self, content) { .badSpecsFile(path: path, detail: $0) }))
            return
        }
        let bytes = Files.hexOrRaw(content)
        if RuntimeFile.isRuntime(bytes) { throw HotError.noWebAssembly }
        if let payload = try? PackedPayload(bytes) {
            try self.init(payload: payload, path: path, scanner: scanner)
            return
        }
        guard let start = Self.metadataStart(bytes) else { throw HotError.unknownFileKind(path: path) }
        self.init(.metadata(Array(bytes[start...]), genesis: nil))
    }

    private init(_ content: Content) {
        self.content = content
        signature = nil
        isUpdate = false
    }

    /// - Throws: ``HotError/updateSignatureWrong(key:)``: an update whose signature does not match is damaged
    ///   or forged.
    private init(payload: PackedPayload, path: String, scanner: ScannerOptions) throws {
        guard case .update(let update) = try payload.expanded(by: scanner.expand).content else {
            throw HotError.unknownFileKind(path: path)
        }
        switch update.content {
        case .addSpecs(let specs): content = .specs(specs)
        case .loadMetadata(let blob, let genesis): content = .metadata(blob, genesis: genesis)
        case .loadTypes(let entries): content = .types(entries)
        // The hot database keeps no asset lists: `make load-assets` reads them from JSON.
        case .loadAssets: throw HotError.unknownFileKind(path: path)
        }
        signature = try update.signature.map { found in
            guard let verified = VerifiedSignature(found, over: update.signedBytes) else {
                throw HotError.updateSignatureWrong(key: found.key)
            }
            return verified
        }
        isUpdate = true
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
