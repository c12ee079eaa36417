import ArgumentParser
import CommandKit
import Hashing
import Lines
import Metadata
import Presentation
import TerminalIO

/// `util metadata`
struct UtilMetadata: Command {
    static let configuration = CommandConfiguration(
        commandName: "metadata", abstract: "Show the name, version and size of a metadata file.")

    @Argument(help: "The metadata: raw SCALE or hex, bare or wrapped as Vec or Option.") var file: String
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    private struct Document: Encodable {
        let name: String
        let spec_version: UInt32
        let metadata_version: Int
        let base58_prefix: Explicit<UInt16>
        let bytes: Int
        let blake2b_256: String
    }

    func access() throws -> Access { Access(readable: [file]) }

    func execute(_ context: CommandContext) throws {
        let (blob, runtime) = try ReadingLimit.hold(json: json) {
            let blob = try MetadataFile.blob(try Files.read(file), path: file)
            return (blob, try RuntimeMetadata(blob))
        }
        let document = Document(
            name: runtime.runtimeVersion.specName, spec_version: runtime.runtimeVersion.specVersion, metadata_version: Int(runtime.version),
            base58_prefix: Explicit(runtime.ss58Prefix), bytes: blob.count, blake2b_256: Hex.encode(BLAKE2b.hash(blob)))
        if json { return JSONText.print(document, context.console) }
        context.console.print(
            Escape.terminal("\(document.name) \(document.spec_version), metadata V\(document.metadata_version), \(document.bytes) bytes"))
        context.console.print(document.blake2b_256)
    }
}
