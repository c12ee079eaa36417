import ArgumentParser
import Ceremony
import Keys
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore

/// `--first-keys`, for commands that add a seed: the first key of each network, at the path that the
/// network's specs name.
package struct FirstKeysOption: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: "Derive the first key of each network, e.g. //polkadot (default: ask at a terminal).")
    var firstKeys: Bool?

    package init() {}

    /// What became of a seed, as JSON.
    package struct Document: Encodable {
        let seed: String
        /// Addresses of the first keys, each as its network writes it.
        let keys: [String]

        package init(seed: String, keys: [String]) {
            (self.seed, self.keys) = (seed, keys)
        }
    }

    /// Derives the keys, or none. They are printed, or with `json` returned for the document.
    /// - Parameter asks: whether a person is there to be asked.
    @discardableResult
    package func derive(from seed: String, _ session: Session, asks: Bool, json: Bool, _ console: Console)
        throws -> [String]
    {
        let networks = Self.networks(of: try session.trust().state)
        guard !networks.isEmpty else { return [] }
        guard try firstKeys ?? (asks && console.confirm(Wording.firstKeys(networks.map(\.specs.name)))) else {
            return []
        }
        var addresses: [String] = []
        for (specs, path) in networks {
            let operation = DeriveKeys(
                seed: seed, path: path, network: specs.genesisHash.hex, scheme: specs.scheme)
            let keys = try session.perform(
                session.preview(operation).confirm(), asking: TerminalPerson(console: console)
            ).outcome
            for key in keys {
                let address = key.address(prefix: specs.base58Prefix)
                addresses.append(address)
                if !json {
                    console.print(
                        "\(address)  \(Escape.path(path.description))  \(Escape.terminal(specs.name))")
                }
            }
        }
        return addresses
    }

    /// Networks whose default path can be used. Two networks with the same path would share a key, so only
    /// the first gets one. The path of a listed chain is never used for another network, even if a verifier
    /// signed its specs.
    static func networks(of state: TrustState) -> [(specs: NetworkSpecs, path: DerivationPath)] {
        var found: [(specs: NetworkSpecs, path: DerivationPath)] = []
        for specs in state.networks {
            guard let path = try? DerivationPath(specs.pathID),
                WellKnownChain.chain(ofFirstKeyAt: path, besides: specs.genesisHash) == nil
            else { continue }
            if !found.contains(where: { $0.path.derivesSameKey(as: path) && $0.specs.scheme == specs.scheme })
            {
                found.append((specs, path))
            }
        }
        return found
    }
}
