import AirGap
import Diagnostics
import Review
import Terminal
import TrustStore

/// The network detector and changes of trust.
extension Wording {
    static func shield(_ error: ShieldPolicy.Failure) -> Diagnostic {
        switch error {
        case .stillOnline:
            Diagnostic("device-online", "this device is still connected", hint: "heliograph shield shows to what", exit: .notPermitted)
        case .nothingToAcknowledge: Diagnostic("nothing-to-acknowledge", "this device has not been online", exit: .refused)
        }
    }

    static func online(_ findings: [ShieldReport.Finding]) -> String {
        "THIS DEVICE IS ONLINE (\(ShieldReport.text(findings)))"
    }

    static let wasOnline = "this device was online since the last acknowledgement"
    static let acknowledged = "acknowledged, and written to the log"

    static func trust(_ error: TrustSetup.Failure) -> Diagnostic {
        switch error {
        case .unknownNetwork(let genesis): Diagnostic("unknown-network", "no network with genesis hash \(genesis) is held", exit: .refused)
        case .revokedNetwork(let genesis): Diagnostic("network-revoked", "the network \(genesis) is revoked already", exit: .refused)
        case .generalNetwork:
            Diagnostic(
                "general-network", "the general verifier vouches for this network, so it cannot be revoked alone",
                hint: "heliograph network remove, or heliograph verifier reset", exit: .refused)
        case .unknownMetadata(_, let version):
            Diagnostic("no-metadata-version", "no metadata of version \(version) is held", exit: .refused)
        case .noTypes: Diagnostic("no-types", "no types are held", exit: .refused)
        }
    }

    static func attested(_ failure: Attestation.Failure) -> String {
        switch failure {
        case .notHeld(.specs): "these network specs"
        case .notHeld(.metadata(_, let version)): "metadata of version \(version) of this network"
        case .notHeld(.types): "any types"
        case .notHeld(.assets): "an asset list of this network"
        }
    }

    static func types(_ facts: TypesFacts) -> String { "\(facts.hash), \(bytes(facts.bytes))" }
    static let noTypes = "none"

    /// Stands over the lines of the log that a yes writes.
    static let plan = "this will be done:"
    static let removeQuestion = "Remove this?"
    static let revokeQuestion = "Revoke this network? Nothing is accepted for it until the verifiers are reset."
    static let restoreQuestion = "Put these back?"
    static let resetQuestion = "Wipe all trust data? Seeds and keys stay."
    static let nothingToDo = "nothing to do"
    static let changed = "done, and written to the log"
    static let noted = "written to the log"

    static func clearQuestion(_ log: LogBounds) -> String {
        "Remove \(log.last + 1 - log.first) entries of the log? Its head \(log.hash) is kept."
    }

    static func storePutAside(_ reason: String) -> String {
        "the old trust store was put aside in the vault's folder and a new one made, without keys: \(reason)"
    }

    static func notDecodedAgain(_ diagnostic: Diagnostic) -> String {
        "heliograph: not decoded again: \(Escape.terminal(diagnostic.message))"
    }

    /// What an event that is about to be written says it does.
    static func planned(_ event: LogEvent) -> String {
        let details = event.facts.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        let text = event.kind.rawValue.split(separator: "_").joined(separator: " ") + (details.isEmpty ? "" : ": \(details)")
        return (event.kind.isDangerous ? "! " : "  ") + Escape.terminal(text)
    }
}
