import ArgumentParser
import Diagnostics
import Extrinsics
import Glibc
import HotStore
import Lines
import Metadata
import RuntimeWasm
import SubstratePrimitives

struct Unwasm: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Import the metadata of a runtime file (.wasm), e.g. before the runtime is enacted.",
        discussion: """
            nodejs runs the runtime in a process without network and files. The output shows the hash to \
            compare with the proposal. A runtime from a file proves nothing about a chain: its metadata is \
            unsigned until somebody attests it.
            """)
    @Argument(help: "A runtime, raw, compressed or as hex, or - for one on standard input.") var file: String
    @Option(help: "The network of the runtime (default: by the runtime's name).") var network: String?
    @Option(help: "Write the metadata to this file instead of the hot database.") var out: String?
    @Option(
        name: .customLong("format"), help: "The metadata format for --out, e.g. 15 (default: the oldest).")
    var format: UInt8?
    @OptionGroup var keep: KeepOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        if format != nil, out == nil { throw ValidationError("--format is for --out") }
        if out != nil, network != nil { throw ValidationError("give either --out or --network") }
    }

    func run() throws {
        Files.note(inputs: [file])
        try Files.require(outputs: [out])
        let content = try Files.read(file)
        let runtime = try RuntimeFile(RuntimeFile.isRuntime(content) ? content : Files.hexOrRaw(content))
        let store = try database.open()
        let found = try RuntimeDescription(of: runtime, by: RuntimeRunner(), types: store.legacyTypes())
        for line in lines(runtime, found) + (try digestLines(runtime, found, store)) {
            Console.print(Escape.terminal(line))
        }
        if let out {
            try write(found.metadata, to: out)
        } else {
            let intake = MetadataIntake(store: store)
            for metadata in found.metadata {
                try intake.add(
                    metadata, fromFileFor: intake.owner(of: metadata, named: network, path: file),
                    keep: keep.versions)
            }
        }
        Console.note(
            """
            this file proves nothing about a chain: compare the hash with the proposal. The metadata is \
            unsigned until it is attested
            """
        )
    }

    private func lines(_ runtime: RuntimeFile, _ found: RuntimeDescription) -> [String] {
        let transactions = found.transactionVersion.map { ", transaction version \($0)" } ?? ""
        var lines = ["runtime: \(found.version.specName) \(found.version.specVersion)\(transactions)"]
        let kind = runtime.isCompressed ? "compressed" : "not compressed"
        lines.append(
            """
            file: \(Sentence.count(runtime.length, "byte")), \(kind), BLAKE2b-256 0x\(runtime.hash.hex) (the \
            hash in the proposal)
            """
        )
        if runtime.isCompressed {
            lines.append(
                "code: \(Sentence.count(runtime.code.count, "byte")), BLAKE2b-256 0x\(runtime.codeHash.hex)")
        }
        for metadata in found.metadata {
            let hash = Hash32.blake2b(of: metadata.blob)
            lines.append(
                """
                metadata: V\(metadata.version), \(Sentence.count(metadata.blob.count, "byte")), BLAKE2b-256 \
                0x\(hash.hex)
                """
            )
        }
        if !found.stateFunctions.isEmpty {
            lines.append(
                """
                state: empty, as for the builder of a runtime; the runtime called \
                \(found.stateFunctions.joined(separator: ", "))
                """
            )
        }
        return lines
    }

    /// The metadata hash, and whether the runtime has it compiled in. A runtime does not state the decimals
    /// and the unit, so they come from a stored network.
    private func digestLines(_ runtime: RuntimeFile, _ found: RuntimeDescription, _ store: HotStore) throws
        -> [String]
    {
        guard let metadata = found.metadata.first(where: { $0.version == 15 }),
            metadata.extrinsic.extensions.contains(where: {
                TransactionExtension.role(of: $0, in: metadata.registry) == .metadataHash
            })
        else { return [] }
        let networks = try network.map { [try store.network(named: $0)] } ?? store.networks()
        guard let known = networks.first(where: { $0.specs.name.utf8Equals(found.version.specName) }) else {
            return [
                """
                metadata hash: unknown without the decimals and the unit of a network that runs \
                \(found.version.specName)
                """
            ]
        }
        let hash = try MetadataDigest(
            of: metadata, extraInfo: ExtraInfo(metadata.runtimeVersion, known.specs)
        ).hash
        let specs = "\(known.specs.decimals) decimals, unit \(known.specs.unit)"
        guard let form = runtime.form(of: hash) else {
            return [
                """
                metadata hash: 0x\(hash.hex) (\(specs)) is not in the runtime, which was built without its \
                hash, or for other decimals or another unit
                """
            ]
        }
        return ["metadata hash: 0x\(hash.hex) (\(specs)), as compiled into the runtime (\(form.rawValue))"]
    }

    private func write(_ all: [RuntimeMetadata], to path: String) throws {
        guard let metadata = all.first(where: { format == nil || $0.version == format }) else {
            throw HotError.noSuchFormat(format ?? 0, offered: all.map(\.version))
        }
        try Files.write(metadata.blob, to: path)
        Console.note(Escape.terminal("V\(metadata.version) written to \(path)"))
    }
}
