import Diagnostics
import Lines
import SubstratePrimitives
import TerminalIO
import TrustStore

/// Keys that may sign on more than one network.
extension Wording {
    /// The list that stands before the question: each key, where it may sign now, and where it newly may.
    package static func keyReuse(_ reuse: [KeyReuse], in state: TrustState) -> [String] {
        let which = Sentence.count(reuse.count, "key")
        let first =
            """
            heliograph: \(which) on more than one network: a signature for one network may be valid on another
            """
        return [first] + reuse.flatMap { keyReuse($0, in: state) }
    }

    private static func keyReuse(_ reuse: KeyReuse, in state: TrustState) -> [String] {
        let networks = reuse.held + reuse.added
        let prefix =
            networks.lazy.compactMap { state.networks(genesis: $0.genesis).first?.base58Prefix }.first ?? 42
        let path = reuse.path.isEmpty ? "(root)" : Escape.path(reuse.path)
        let place = reuse.holder.map { "\(path) of \(Escape.terminal($0))" } ?? "imported"
        let line = "  \(reuse.key.address(prefix: prefix))  \(place)  \(reuse.key.scheme.name)"
        return [line] + reuse.held.map { "    allowed  \(network($0))" }
            + reuse.added.map { "    new      \(network($0))" }
    }

    /// The name and the genesis hash: a name alone could be another chain's.
    private static func network(_ name: String, _ genesis: String) -> String {
        "\(Escape.terminal(name)) 0x\(genesis)"
    }
    private static func network(_ network: KeyReuse.Network) -> String {
        self.network(network.shownName, network.genesis.hex)
    }

    /// The mark of a key that is shown for one network, once for each other one.
    static func alsoSigns(network name: String, genesis: String) -> String {
        "also signs for \(network(name, genesis))"
    }
    package static func alsoSigns(_ other: KeyReuse.Network) -> String { "also signs for \(network(other))" }

    /// The mark of a key in a list that has a heading for each network: how many others have it.
    package static func alsoOn(_ others: Int) -> String {
        others == 1 ? "also on 1 other network" : "also on \(others) other networks"
    }
}
