import ArgumentParser
import Ceremony
import CommandKit
import Keys
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore
import TrustUpdates

/// `network add`: a chain of the built-in list, without a picture.
struct NetworkAdd: TrustChanging {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Store a network of the built-in list.",
        discussion:
            "heliograph network list --known prints the list. Its updates come from the general verifier, unless the vault kept another one."
    )

    @Argument(help: "The chain's name, its runtime's name or its genesis hash.") var network: String
    @Option(help: ArgumentHelp("The scheme of its keys: sr25519, ed25519, ecdsa or ethereum (default: the chain's own).", valueName: "s"))
    var scheme: String?
    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions
    var question: String { Wording.addQuestion }

    func change(_ trust: TrustState) throws -> ChangeTrust.Change {
        let chain = try TrustSetup.listed(named: network)
        let scheme = try scheme.map { name in
            guard let scheme = SignatureScheme(name: name) else { throw CommandError.unknownScheme(name) }
            return scheme
        }
        return .addListedNetwork(chain.genesisHash, scheme: scheme)
    }
}
