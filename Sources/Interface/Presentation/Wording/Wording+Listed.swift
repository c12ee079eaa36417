import Diagnostics
import Hashing
import Lines
import SubstratePrimitives
import TerminalIO

/// Chains of the built-in list.
extension Wording {
    private static func shown(_ chain: WellKnownChain) -> String {
        """
        \(chain.name) (\(chain.specName), genesis \
        0x\(chain.genesisHash.hex.prefix(8))...\(chain.genesisHash.hex.suffix(8)))
        """
    }

    /// Stands below the cards of a transaction for it.
    package static func storeQuestion(_ chain: WellKnownChain) -> String {
        """
        Store the network \(shown(chain)) in this vault? The transaction's proof agrees with the built-in \
        list. Nothing is signed by this.
        """
    }

    package static func stored(_ chain: WellKnownChain) -> String {
        """
        stored \(chain.name) from the built-in list and recorded it in the log; heliograph network remove \
        \(chain.argument) removes it
        """
    }

    /// A stored network has no keys yet.
    package static func allowNext(_ address: String, network: String) -> String {
        """
        the key may not sign for \(network) yet: heliograph key allow \(Escape.terminal(address)) \
        \(Hints.quoted(network)), and scan it again
        """
    }

    /// - Parameter key: nil for nobody.
    package static func keptVerifier(_ key: PublicKey?, of chain: WellKnownChain) -> String {
        (key.map {
            """
            its updates must be signed by \($0.scheme.name) 0x\(Hex.encode($0.bytes)), as before it was \
            removed
            """
        }
            ?? "nobody signs its updates, as before it was removed")
            + ": after heliograph verifier set \(chain.argument) --verifier general they come from the general verifier"
    }

    /// - Parameter fields: values that fewer than two sources give.
    package static func unconfirmed(_ fields: [WellKnownChain.Field]) -> String {
        """
        fewer than two independent sources give its \(fields.map(\.rawValue).joined(separator: ", ")): \
        compare with what the chain publishes
        """
    }
}
