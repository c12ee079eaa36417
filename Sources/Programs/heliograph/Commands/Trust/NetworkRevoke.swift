import ArgumentParser
import Ceremony
import CommandKit
import Presentation
import TerminalIO
import TrustStore

/// `network revoke`
struct NetworkRevoke: TrustChanging {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Remove a network and block it until the verifiers are reset.")

    @Argument(help: "The network's name or genesis hash.") var network: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions
    var question: String { Wording.revokeQuestion }

    func change(_ trust: TrustState) throws -> ChangeTrust.Change {
        .revokeNetwork(try trust.chain(named: network))
    }
}
