import Diagnostics
import Extrinsics
import Hashing
import Review
import SubstratePrimitives
import Terminal

/// Policies: what a file gets wrong, what it may mean by mistake, and what it forbids.
extension Wording {
    static let policySet = "the policy is now in force"
    static let policyCleared = "the policy was removed: everything is allowed"
    static let clearPolicy = "Remove the policy? Everything is allowed then."
    static let noPolicy = "no policy is set: everything is allowed"

    static func unmatched(_ entry: UnmatchedEntry) -> String {
        let reason =
            switch entry.reason {
            case .unknownNetwork: "no network in this vault has this name"
            case .unknownCall: "the metadata in this vault has no such call"
            case .noMetadata: "no metadata in this vault to check it against"
            }
        return "\(entry.place): \(entry.entry): \(reason)"
    }

    static func code(_ reason: UnmatchedEntry.Reason) -> String {
        switch reason {
        case .unknownNetwork: "unknown-network"
        case .unknownCall: "unknown-call"
        case .noMetadata: "no-metadata"
        }
    }
}
