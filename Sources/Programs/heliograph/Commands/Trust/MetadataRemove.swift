import ArgumentParser
import Ceremony
import CommandKit
import Presentation
import TerminalIO
import TrustStore

/// `metadata remove`
struct MetadataRemove: TrustChanging {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove one version of a network's metadata.")

    @Argument(help: "The network's name or genesis hash.") var network: String
    @Argument(help: "The runtime version.") var version: UInt32
    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions
    var question: String { Wording.removeQuestion }

    func change(_ trust: TrustState) throws -> ChangeTrust.Change {
        .removeMetadata(try trust.chain(named: network), version: version)
    }
}
