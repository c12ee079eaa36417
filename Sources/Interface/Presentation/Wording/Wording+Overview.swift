import Cards
import Diagnostics
import Lines
import Review
import SubstratePrimitives
import TerminalIO
import TrustStore

/// How far a vault is set up.
package enum SetupStage: String, Encodable {
    case noVault = "no-vault"
    case noSeed = "no-seed"
    case noNetwork = "no-network"
    case noKey = "no-key"
    case noMetadata = "no-metadata"
    case online
    case unacknowledged
    case ready
}

extension Wording {
    /// The runtimes of a network that this vault knows: its metadata reads transactions without a proof, and
    /// a review warns of a proof whose runtime is far from the newest known one.
    package static func reading(of network: NetworkSpecs, stored: UInt32?, newest: KnownRuntime?) -> String {
        let metadata = stored.map { "metadata \($0)" } ?? "no metadata"
        guard let newest, newest.source != .metadata else { return "\(network.name), \(metadata) stored" }
        return "\(network.name), \(metadata) stored, newest known \(newest.text)"
    }

    /// Below what a command did.
    package static func nextStep(_ command: String) -> String { Escape.terminal("next: \(command)") }

    /// The one command that leads on.
    /// - Parameter directory: as `--vault` names it; nil where the usual directory is meant.
    package static func next(_ stage: SetupStage, _ state: TrustState, seeds: [String], _ directory: String?)
        -> String
    {
        let vault = directory.map { " --vault \(Hints.quoted($0))" } ?? ""
        // Of several networks a person has named none yet.
        let network = state.networks.count == 1 ? state.networks[0].name : "NETWORK"
        switch stage {
        case .noVault: return "heliograph init\(vault)"
        case .online: return "disconnect this device, then heliograph shield acknowledge\(vault)"
        case .unacknowledged: return "heliograph shield acknowledge\(vault)"
        case .noSeed: return "heliograph seed new main\(vault), or heliograph seed restore main\(vault)"
        case .noNetwork: return "heliograph scan FILE\(vault) with network specs"
        case .noKey:
            let seed = Hints.quoted(seeds.first ?? "SEED")
            return
                """
                heliograph key derive \(seed) \(Hints.quoted("//" + network)) --network \
                \(Hints.quoted(network))\(vault)
                """
        case .noMetadata:
            let keyed = state.networks.filter { network in
                state.keys.contains { $0.networks.contains(network.genesisHash) }
            }
            let name = keyed.count == 1 ? keyed[0].name : "your network"
            return
                """
                heliograph scan FILE\(vault) with a transaction; one without a metadata proof needs \
                metadata for \(name) first
                """
        case .ready: return "heliograph scan FILE\(vault) with a transaction"
        }
    }
}
