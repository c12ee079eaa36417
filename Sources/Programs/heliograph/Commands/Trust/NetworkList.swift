import ArgumentParser
import Terminal
import TrustStore

/// `network list`
struct NetworkList: TrustReport {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the networks.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    func report(_ state: TrustState, _ console: Console) {
        let networks = state.networks.map { NetworkFacts($0, state: state) }
        if json { return JSONText.print(["networks": networks], console) }
        if networks.isEmpty { console.note(Wording.noNetworks) }
        for network in networks {
            let versions = network.metadata.map(String.init).joined(separator: ", ")
            console.print(
                Escape.terminal("\(state.shownName(of: network.specs))  \(network.specs.title)  verifier \(network.verifier.kind)"))
            console.print("  genesis \(network.specs.genesisHash)")
            console.print("  metadata \(versions.isEmpty ? "none" : versions)")
        }
    }
}
