import ArgumentParser
import CommandKit
import Hashing
import Keys
import Presentation
import SubstratePrimitives
import TerminalIO

/// `util address`: the address of a phrase, without a vault.
struct UtilAddress: Command {
    static let configuration = CommandConfiguration(
        commandName: "address", abstract: "Derive an address from a recovery phrase and a path.")

    @Argument(help: "The derivation path, e.g. //Alice (default: the root key).") var path: String?
    @Option(help: "The scheme: ed25519, sr25519, ecdsa or ethereum.") var scheme = "sr25519"
    @Option(help: ArgumentHelp("The network's address prefix.", valueName: "n")) var prefix: UInt16 = 42

    @Option(help: ArgumentHelp("Read a ///password as one line from this descriptor.", valueName: "n"))
    var passwordFd: Int32?

    @OptionGroup var phrase: PhraseOptions
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    private struct Document: Encodable {
        let address: String
        let public_key: String
        let scheme: String
        let path: String
    }

    func access() throws -> Access { Access() }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        guard let scheme = SignatureScheme(name: scheme) else { throw CommandError.unknownScheme(scheme) }
        let path = try DerivationPath(path ?? "")
        let mnemonic = try phrase.mnemonic(console)
        let password = passwordFd == nil ? SecretBytes() : try secret("password: ", descriptor: passwordFd, console)
        let key = try KeyPair.derive(entropy: mnemonic.entropy, path: path, password: password, scheme: scheme).publicKey
        guard let address = key.accountAddress(prefix: prefix) else { throw CommandError.badPrefix(prefix) }
        let document = Document(
            address: address, public_key: Hex.encode(key.bytes), scheme: scheme.name, path: path.description)
        if json { return JSONText.print(document, console) }
        console.print(Wording.address(document.address, publicKey: document.public_key))
    }
}
