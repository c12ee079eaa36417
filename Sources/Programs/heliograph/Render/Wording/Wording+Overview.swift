import Diagnostics
import SubstratePrimitives
import Terminal
import TrustStore

extension Wording {
    /// Below what a command did.
    static func nextStep(_ command: String) -> String { Escape.terminal("next: \(command)") }

    /// The one command that leads on.
    /// - Parameter directory: as `--vault` names it; nil where the usual directory is meant.
    static func next(_ stage: Overview.Stage, _ state: TrustState, seeds: [String], _ directory: String?) -> String {
        let vault = directory.map { " --vault \(Hints.quoted($0))" } ?? ""
        let network = state.networks.first?.name ?? "NETWORK"
        switch stage {
        case .noVault: return "heliograph init\(vault)"
        case .online: return "disconnect this device, then heliograph shield acknowledge\(vault)"
        case .unacknowledged: return "heliograph shield acknowledge\(vault)"
        case .noSeed: return "heliograph seed new main\(vault), or heliograph seed restore main\(vault)"
        case .noNetwork: return "heliograph scan FILE\(vault) with network specs"
        case .noKey:
            let seed = Hints.quoted(seeds.first ?? "SEED")
            return "heliograph key derive \(seed) \(Hints.quoted("//" + network)) --network \(Hints.quoted(network))\(vault)"
        case .noMetadata:
            let keyed = state.networks.first { network in state.keys.contains { $0.networks.contains(network.genesisHash) } }
            let name = keyed?.name ?? network
            return "heliograph scan FILE\(vault) with metadata for \(name); a transaction with a metadata proof needs none"
        case .ready: return "heliograph scan FILE\(vault) with a transaction"
        }
    }
}
