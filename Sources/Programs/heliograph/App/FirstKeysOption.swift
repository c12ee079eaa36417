import ArgumentParser
import Ceremony
import Keys
import SubstratePrimitives
import TrustStore

/// `--first-keys`, for commands that add a seed: the first key of each network, at the path that the network's specs name.
struct FirstKeysOption: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Derive the first key of each network, e.g. //polkadot (default: ask at a terminal).")
    var firstKeys: Bool?

    /// - Parameter asks: whether a person is there to be asked.
    func derive(from seed: String, _ session: Session, asks: Bool, _ console: Console) throws {
        let networks = Self.networks(of: try session.trust().state)
        guard !networks.isEmpty else { return }
        guard try firstKeys ?? (asks && console.confirm(Wording.firstKeys(networks.map(\.specs.name)))) else { return }
        for (specs, path) in networks {
            let operation = DeriveKeys(seed: seed, path: path, network: specs.genesisHash.hex, scheme: specs.scheme)
            let keys = try session.perform(session.preview(operation).confirm(), asking: TerminalPerson(console: console)).outcome
            for key in keys { console.print(Wording.firstKey(key.address(prefix: specs.base58Prefix), path: path, network: specs.name)) }
        }
    }

    /// Networks whose path is one. Two networks that name the same path would share a key, so only the first of them gets it.
    static func networks(of state: TrustState) -> [(specs: NetworkSpecs, path: DerivationPath)] {
        var found: [(specs: NetworkSpecs, path: DerivationPath)] = []
        for specs in state.networks {
            guard let path = try? DerivationPath(specs.pathID) else { continue }
            if !found.contains(where: { $0.path == path && $0.specs.scheme == specs.scheme }) { found.append((specs, path)) }
        }
        return found
    }
}
