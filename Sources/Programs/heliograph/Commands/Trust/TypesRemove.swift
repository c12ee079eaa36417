import ArgumentParser
import Ceremony
import CommandKit
import Presentation
import TerminalIO
import TrustStore

/// `types remove`
struct TypesRemove: TrustChanging {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove the types; metadata of version 13 and older cannot be read without them.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions
    var question: String { Wording.removeQuestion }

    func change(_ trust: TrustState) throws -> ChangeTrust.Change { .removeTypes }
}
