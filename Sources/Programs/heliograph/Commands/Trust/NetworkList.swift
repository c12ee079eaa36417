import ArgumentParser
import CommandKit
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore

/// `network list`
struct NetworkList: TrustReport {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the networks.")

    @Flag(help: "List the chains of the built-in list, which network add takes.") var known = false

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    private struct ListedFacts: Encodable {
        let specs: NetworkSpecs
        /// Values that fewer than two sources give.
        let unconfirmed: [String]
        let stored: Bool
    }

    func report(_ state: TrustState, _ console: Console) {
        if known { return reportListed(state, console) }
        let networks = state.networks.map { NetworkFacts($0, state: state) }
        if json { return JSONText.print(["networks": networks], console) }
        if networks.isEmpty { console.note(Wording.noNetworks) }
        for network in networks {
            let versions = network.metadata.map(String.init).joined(separator: ", ")
            console.print(
                Escape.terminal("\(state.shownName(of: network.specs))  \(network.specs.title)  verifier \(network.verifier.kind)"))
            console.print("  genesis \(network.specs.genesisHash)")
            console.print("  metadata \(versions.isEmpty ? "none" : versions)")
            let demand = state.metadataHashDemand(genesis: network.specs.genesisHash)
            if demand != .never { console.print("  \(Wording.demand(demand))") }
        }
    }

    private func reportListed(_ state: TrustState, _ console: Console) {
        if json {
            let chains = WellKnownChain.all.map { chain in
                ListedFacts(
                    specs: chain.specs, unconfirmed: chain.unconfirmed.map(\.rawValue),
                    stored: !state.networks(genesis: chain.genesisHash).isEmpty)
            }
            return JSONText.print(["known": chains], console)
        }
        for chain in WellKnownChain.all {
            console.print("\(chain.specName)  \(chain.name)\(state.networks(genesis: chain.genesisHash).isEmpty ? "" : "  in this vault")")
            console.print("  genesis \(chain.genesisHash)")
            console.print("  unit \(chain.unit), \(chain.decimals) decimals, address prefix \(chain.base58Prefix), \(chain.scheme.name)")
            if !chain.isConfirmed {
                console.print("  fewer than two sources: \(chain.unconfirmed.map(\.rawValue).joined(separator: ", "))")
            }
        }
    }
}
