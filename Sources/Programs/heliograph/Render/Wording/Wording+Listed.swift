import Hashing
import Review
import SubstratePrimitives
import Terminal

/// Chains of the built-in list.
extension Wording {
    /// The text by which `network add` finds the chain; its genesis hash where others share the runtime's name.
    private static func argument(_ chain: WellKnownChain) -> String {
        WellKnownChain.chains(named: chain.specName).count == 1 ? chain.specName : "0x" + chain.genesisHash.hex
    }

    static func addListed(_ genesis: GenesisHash) -> String {
        guard let chain = WellKnownChain.chain(genesis: genesis) else { return "heliograph scan --accept-proved-network" }
        return "heliograph network add \(argument(chain)), and scan it again; or heliograph scan --accept-proved-network"
    }

    private static func shown(_ chain: WellKnownChain) -> String {
        "\(chain.name) (\(chain.specName), genesis 0x\(chain.genesisHash.hex.prefix(8))...\(chain.genesisHash.hex.suffix(8)))"
    }

    /// Stands below the cards of a transaction for it.
    static func storeQuestion(_ chain: WellKnownChain) -> String {
        "Store the network \(shown(chain)) in this vault? The transaction's proof agrees with the built-in list. Nothing is signed by this."
    }

    static func stored(_ chain: WellKnownChain) -> String {
        "stored \(chain.name) from the built-in list and recorded it in the log; heliograph network remove \(argument(chain)) removes it"
    }

    /// A stored network has no keys yet.
    static func allowNext(_ address: String, network: String) -> String {
        "the key may not sign for \(network) yet: heliograph key allow \(Escape.terminal(address)) \(Shell.quoted(network)), and scan it again"
    }

    /// - Parameter key: nil for nobody.
    static func keptVerifier(_ key: PublicKey?, of chain: WellKnownChain) -> String {
        (key.map { "its updates must be signed by \($0.scheme.name) 0x\(Hex.encode($0.bytes)), as before it was removed" }
            ?? "nobody signs its updates, as before it was removed")
            + ": after heliograph verifier set \(argument(chain)) --verifier general they come from the general verifier"
    }

    static let addQuestion = "Store this network?"

    /// - Parameter fields: values that fewer than two sources give.
    static func unconfirmed(_ fields: [WellKnownChain.Field]) -> String {
        "fewer than two independent sources give its \(fields.map(\.rawValue).joined(separator: ", ")): compare with what the chain publishes"
    }

    /// A chain among those that a name could mean.
    static func choice(_ chain: WellKnownChain) -> String { "\(chain.name) (0x\(chain.genesisHash.hex))" }
}
