import Diagnostics
import Terminal
import TrustStore

/// Changes of trust.
extension Wording {
    static func types(_ facts: TypesFacts) -> String { "\(facts.hash), \(bytes(facts.bytes))" }
    static let noTypes = "none"
    static let noNetworks = "this vault has no networks; scan network specs to add one"
    static let noMetadata = "this vault has no metadata; scan a metadata update to add some"
    static let noKeys = "this vault has no keys; heliograph key derive SEED PATH --network NAME makes one"

    /// Stands over the lines of the log that a yes writes.
    static func attestQuestion(_ subject: Attest.Subject) -> String {
        let what =
            switch subject {
            case .specs: "these network specs"
            case .metadata: "this metadata"
            case .types: "these types"
            case .assets: "this asset list"
            }
        return "Sign \(what)? Every device that trusts this key will accept \(subject == .specs || subject == .types ? "them" : "it")."
    }

    static let plan = "this will change:"
    static let removeQuestion = "Remove this?"
    static let revokeQuestion = "Revoke this network? It stays blocked until the verifiers are reset."
    static let setVerifierQuestion = "Accept updates of this network from this verifier only?"
    static let believeNobodyQuestion = "Accept unsigned updates of this network? Anybody can make them."
    static let restoreQuestion = "Restore these networks?"
    static let resetQuestion = "Wipe all trust data? Seeds and keys stay."
    static let nothingToDo = "nothing to do"
    static let changed = "done and recorded in the log"
    static let noted = "recorded the note in the log"

    static let logCleared = "cleared the log and recorded that"

    /// - Parameter waiting: events that join the log when the vault opens.
    static func clearQuestion(_ log: LogBounds, waiting: Int) -> String {
        let count = entryCount(log.last + 1 - log.first + UInt64(waiting))
        return "Remove \(count) from the log? Only their number and the hash of the last one are kept."
    }

    static func storePutAside(_ reason: String) -> String {
        "the old trust store was moved aside in the vault's directory and replaced by a new one without keys, policy and require-metadata-hash: \(reason)"
    }

    static func notDecodedAgain(_ diagnostic: Diagnostic) -> String {
        "heliograph: the transaction cannot be decoded again: \(Escape.terminal(diagnostic.message))"
    }

    /// What an event that is about to be written says it does.
    static func planned(_ event: LogEvent) -> String {
        let details = event.facts.map { "\(words($0.name)) \(LogText.shown($0.value, whole: true))" }.joined(separator: ", ")
        let text = words(event.kind.rawValue) + (details.isEmpty ? "" : ": \(details)")
        return (event.kind.isDangerous ? "! " : "  ") + Escape.terminal(text)
    }
}
