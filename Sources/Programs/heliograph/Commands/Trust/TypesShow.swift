import ArgumentParser
import CommandKit
import Presentation
import TerminalIO
import TrustStore

/// `types show`
struct TypesShow: TrustReport {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the hash and the size of the types.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    func report(_ state: TrustState, _ console: Console) {
        let facts = TypesFacts(state)
        if json { return JSONText.print(["types": Explicit(facts)], console) }
        console.print(facts.map(Wording.types) ?? Wording.noTypes)
    }
}
