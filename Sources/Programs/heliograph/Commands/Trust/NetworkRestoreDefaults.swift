import ArgumentParser
import Ceremony
import CommandKit
import Presentation
import TerminalIO
import TrustStore

/// `network restore-defaults`
struct NetworkRestoreDefaults: TrustChanging {
    static let configuration = CommandConfiguration(
        commandName: "restore-defaults", abstract: "Restore missing default networks.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions
    var question: String { Wording.restoreQuestion }

    func change(_ trust: TrustState) throws -> ChangeTrust.Change { .restoreDefaults }
}
