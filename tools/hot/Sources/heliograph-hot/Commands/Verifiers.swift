import ArgumentParser
import Hashing
import HotStore
import Lines
import SubstratePrimitives

/// `verifier …`
struct VerifierCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verifier", abstract: "List or name the verifiers whose signatures are published.",
        subcommands: [List.self, Label.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List named verifiers with their keys.")
        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws { try Listing(database, output).verifiers() }
    }

    struct Label: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Name a verifier on portal pages, or remove its name.")
        @Argument(help: ArgumentHelp("The verifier's public key, SCHEME:HEX.", valueName: "key"))
        var verifier: VerifierKey
        @Argument(help: "The name, at most 64 characters (default: none).") var text: String?
        @OptionGroup var database: DatabaseOptions

        func validate() throws {
            guard let text else { return }
            guard !text.isEmpty, text.unicodeScalars.count <= 64 else {
                throw ValidationError("the name must have 1 to 64 characters")
            }
        }

        func run() throws { try database.open().label(verifier.key, text) }
    }
}

/// A verifier's public key on the command line: `sr25519:0x…`.
struct VerifierKey: ExpressibleByArgument, Equatable {
    let key: PublicKey

    init?(argument: String) {
        guard let colon = argument.utf8.firstIndex(of: UInt8(ascii: ":")),
            let scheme = SignatureScheme(name: String(argument[..<colon])),
            let bytes = Hex.decode(String(argument[argument.utf8.index(after: colon)...])),
            // In updates an Ethereum-style key counts as an ecdsa key.
            let key = PublicKey(scheme: scheme == .ethereum ? .ecdsa : scheme, bytes: bytes)
        else { return nil }
        self.key = key
    }
}
