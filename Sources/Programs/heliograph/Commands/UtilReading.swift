import ArgumentParser
import CommandKit
import Hashing
import Keys
import Lines
import Metadata
import Presentation
import SubstratePrimitives
import TerminalIO

/// `util metadata`
struct UtilMetadata: Command, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "metadata", abstract: "Show the name, version and size of a metadata file.")

    @Argument(help: "The metadata: raw SCALE or hex, bare or wrapped as Vec or Option.", completion: .file())
    var file: String
    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        let name: String
        let spec_version: UInt32
        let metadata_version: Int
        let base58_prefix: Nullable<UInt16>
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
            name: runtime.runtimeVersion.specName, spec_version: runtime.runtimeVersion.specVersion,
            metadata_version: Int(runtime.version),
            base58_prefix: Nullable(runtime.ss58Prefix), bytes: blob.count,
            blake2b_256: Hex.encode(BLAKE2b.hash(blob)))
        if json { return JSONText.print(document, context.console) }
        context.console.print(
            Escape.terminal(
                """
                \(document.name) \(document.spec_version), metadata V\(document.metadata_version), \
                \(document.bytes) bytes
                """
            ))
        context.console.print(document.blake2b_256)
    }
}

/// `util verify`
struct UtilVerify: Command, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify a signature of a message.")

    @Option(help: "The scheme: ed25519, sr25519, ecdsa or ethereum.", completion: .schemes) var scheme: String
    @Option(help: ArgumentHelp("The public key.", valueName: "hex")) var key: String
    @Option(help: ArgumentHelp("The signature, without a scheme byte.", valueName: "hex")) var signature:
        String
    @Option(name: .customLong("message"), help: ArgumentHelp("The signed message.", valueName: "hex"))
    var named: String?
    @Argument(help: ArgumentHelp("The signed message, instead of --message.", valueName: "hex")) var message:
        String?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (named == nil) != (message == nil) else {
            throw ValidationError("give the message once, with or without --message")
        }
    }

    func access() throws -> Access {
        Access(readable: [key, signature, named ?? message ?? ""].compactMap(Files.named(by:)))
    }

    func execute(_ context: CommandContext) throws {
        guard let scheme = SignatureScheme(name: scheme) else { throw CommandError.unknownScheme(scheme) }
        guard let key = PublicKey(scheme: scheme, bytes: try Files.hex(key)) else {
            throw CommandError.badKey(scheme: scheme.name)
        }
        let valid = Signature.verify(
            try Files.hex(signature), message: try Files.hex(named ?? message ?? ""), key: key)
        if json { JSONText.print(["valid": valid], context.console) }
        guard valid else { throw json ? ExitWith(.badInput) : CommandError.signatureInvalid as any Error }
        if !json { context.console.print("valid") }
    }
}
