import ArgumentParser
import CommandKit
import Keys
import Presentation
import SubstratePrimitives
import TerminalIO

/// `util verify`
struct UtilVerify: Command {
    static let configuration = CommandConfiguration(commandName: "verify", abstract: "Verify a signature of a message.")

    @Option(help: "The scheme: ed25519, sr25519, ecdsa or ethereum.") var scheme: String
    @Option(help: ArgumentHelp("The public key.", valueName: "hex")) var key: String
    @Option(help: ArgumentHelp("The signature, without a scheme byte.", valueName: "hex")) var signature: String
    @Option(name: .customLong("message"), help: ArgumentHelp("The signed message.", valueName: "hex")) var named: String?
    @Argument(help: ArgumentHelp("The signed message, instead of --message.", valueName: "hex")) var message: String?
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    func validate() throws {
        guard (named == nil) != (message == nil) else { throw ValidationError("give the message once, with or without --message") }
    }

    func access() throws -> Access { Access(readable: [key, signature, named ?? message ?? ""].compactMap(Files.named(by:))) }

    func execute(_ context: CommandContext) throws {
        guard let scheme = SignatureScheme(name: scheme) else { throw CommandError.unknownScheme(scheme) }
        guard let key = PublicKey(scheme: scheme, bytes: try Files.hex(key)) else { throw CommandError.badKey(scheme: scheme.name) }
        let valid = Signature.verify(try Files.hex(signature), message: try Files.hex(named ?? message ?? ""), key: key)
        if json { JSONText.print(["valid": valid], context.console) }
        guard valid else { throw json ? ExitWith(.badInput) : CommandError.signatureInvalid as any Error }
        if !json { context.console.print("valid") }
    }
}
