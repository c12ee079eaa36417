import ArgumentParser
import CommandKit
import Hashing
import Presentation
import SubstratePrimitives

/// `util ss58`
struct UtilSS58: Command {
    static let configuration = CommandConfiguration(commandName: "ss58", abstract: "Decode an SS58 address.")

    @Argument(help: "An SS58 address.") var address: String
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    private struct Document: Encodable {
        let prefix: UInt16
        let public_key: String
    }

    func access() throws -> Access { Access() }

    func execute(_ context: CommandContext) throws {
        let address = try SS58Address(address)
        let document = Document(prefix: address.prefix, public_key: Hex.encode(address.account))
        if json { return JSONText.print(document, context.console) }
        context.console.print("prefix \(document.prefix)\npublic key \(document.public_key)")
    }
}
