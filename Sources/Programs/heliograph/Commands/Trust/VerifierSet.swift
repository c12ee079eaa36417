import ArgumentParser
import Ceremony
import CommandKit
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore
import TrustUpdates

/// `verifier set`
struct VerifierSet: TrustChanging {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set who signs the updates of one network.",
        discussion:
            "Metadata and asset lists that another key signed are removed, and so are network specs that are not built in, unless the new "
            + "verifier is nobody. Nobody needs a typed word, because anybody can then make updates of the network.")

    @Argument(help: "The network's name or genesis hash.") var network: String

    @Option(help: ArgumentHelp("The network's verifier: general, none, default or SCHEME:HEX.", valueName: "key"))
    var verifier: String

    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions
    var question: String { Wording.setVerifierQuestion }
    var wordQuestion: String { Wording.believeNobodyQuestion }

    func change(_ trust: TrustState) throws -> ChangeTrust.Change {
        .setVerifier(try trust.chain(named: network), try ChosenVerifier(verifier))
    }
}

extension ChosenVerifier {
    /// What `--verifier` names: the general verifier, or what ``PublicKey/init(verifier:)`` takes.
    fileprivate init(_ text: String) throws(CommandError) {
        if text.utf8Equals("general") {
            self = .general
        } else {
            self = try PublicKey(verifier: text).map { .key($0) } ?? .nobody
        }
    }
}
