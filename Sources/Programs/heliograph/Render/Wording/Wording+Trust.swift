import Diagnostics
import Review
import Terminal
import TrustStore

/// Changes of trust.
extension Wording {
    static func types(_ facts: TypesFacts) -> String { "\(facts.hash), \(bytes(facts.bytes))" }
    static let noTypes = "none"

    /// Stands over the lines of the log that a yes writes.
    static let plan = "this will change:"
    static let removeQuestion = "Remove this?"
    static let revokeQuestion = "Revoke this network? It stays blocked until the verifiers are reset."
    static let restoreQuestion = "Restore these networks?"
    static let resetQuestion = "Wipe all trust data? Seeds and keys stay."
    static let nothingToDo = "nothing to do"
    static let changed = "done and recorded in the log"
    static let noted = "recorded in the log"

    static func clearQuestion(_ log: LogBounds) -> String {
        "Remove \(entryCount(log.last + 1 - log.first)) from the log? The hash of its head, \(log.hash), is kept."
    }

    static func storePutAside(_ reason: String) -> String {
        "the old trust store was moved aside in the vault's directory and replaced by a new one without keys: \(reason)"
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
