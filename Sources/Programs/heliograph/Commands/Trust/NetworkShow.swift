import Accounts
import ArgumentParser
import Cards
import CommandKit
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore

/// `network show`
struct NetworkShow: TrustReport {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show everything this vault holds about a network.")

    @Argument(help: "The network's name or genesis hash.") var network: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    func report(_ state: TrustState, _ console: Console) throws {
        let (chain, named) = try found(state)
        let networks = named.map { NetworkFacts($0, state: state) }
        if json { return JSONText.print(["networks": networks], console) }
        let demand = state.metadataHashDemand(genesis: chain)
        let verifier = VerifierFacts(state.verifiers[chain] ?? .custom(nil), general: state.generalVerifier)
        console.print("genesis \(chain)")
        console.print("verifier \(verifier.kind), \(verifier.public_key.value ?? "none")")
        console.print(Wording.demand(demand))
        let cards = CardLines(view: CardView())
        for network in networks { cards.lines([Card(newSpecs: network.specs)]).forEach(console.print) }
        for record in state.metadata(genesis: chain) {
            let name = networks.first?.specs.name ?? ""
            let version = RuntimeVersion(specName: name, specVersion: record.version)
            cards.lines([Card(metadata: version, hash: record.hash, length: record.length)]).forEach(console.print)
        }
    }

    /// The chain with the specs that the name stands for. A revoked chain has none.
    private func found(_ state: TrustState) throws(LookupError) -> (GenesisHash, [NetworkSpecs]) {
        if state.networks(named: network).isEmpty { return (try state.knownChain(named: network), []) }
        let named = try state.networksOfOneChain(named: network)
        return (named[0].genesisHash, named)
    }
}
