import ArgumentParser
import CommandKit
import Lines
import Presentation
import TerminalIO
import TrustStore

/// `verifier show`
struct VerifierShow: TrustReport {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the general verifier and the networks' own verifiers.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    var json: Bool { output.json }

    private struct Document: Encodable {
        let general: VerifierFacts
        let networks: [String: VerifierFacts]
    }

    func report(_ state: TrustState, _ console: Console) {
        let general = VerifierFacts(kind: state.generalVerifier == nil ? "none" : "key", key: state.generalVerifier)
        let chains = Dictionary(grouping: state.verifiers.keys) { state.networks(genesis: $0).first?.name ?? $0.hex }
        var networks: [String: VerifierFacts] = [:]
        for (genesis, verifier) in state.verifiers {
            let name = state.networks(genesis: genesis).first?.name ?? genesis.hex
            // Chains that share a name are told apart by their genesis hashes, as everywhere else.
            networks[chains[name]?.count == 1 ? name : genesis.hex] = VerifierFacts(verifier, general: state.generalVerifier)
        }
        if json { return JSONText.print(Document(general: general, networks: networks), console) }
        console.print("general  \(Self.text(general))")
        for (name, facts) in networks.sorted(by: { $0.key < $1.key }) {
            console.print(Escape.terminal("\(name)  \(facts.kind)  \(Self.text(facts))"))
        }
    }

    /// Keys of two schemes have the same length, so the scheme belongs to the key.
    private static func text(_ facts: VerifierFacts) -> String {
        guard let key = facts.public_key.value, let scheme = facts.scheme.value else { return "none" }
        return "\(key)  \(scheme)"
    }
}
