import ArgumentParser
import Ceremony
import CommandKit
import Presentation
import TerminalIO
import TrustStore

/// `network remove`
struct NetworkRemove: TrustChanging {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a network's specs and metadata; its verifier is kept.")

    @Argument(help: "The network's name or genesis hash.") var network: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions
    var question: String { Wording.removeQuestion }

    func change(_ trust: TrustState) throws -> ChangeTrust.Change {
        .removeNetwork(try trust.chain(named: network))
    }
}
