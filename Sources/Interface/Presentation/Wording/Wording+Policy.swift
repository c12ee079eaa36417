import Diagnostics
import Extrinsics
import Hashing
import Review
import SubstratePrimitives
import TerminalIO

/// Policies: what a file gets wrong, what it may mean by mistake, and what it forbids.
extension Wording {
    package static let policySet = "the policy is now in force"
    package static let policyCleared = "removed the policy: everything is allowed"
    package static let clearPolicy = "Remove the policy? Then no rule limits what may be signed."
    package static let exampleWithoutVault = "there is no vault: the networks and accounts are examples"
    package static let setPolicy = "Put this policy in force?"
    package static let firstPolicy = "the first policy of this vault:"
    package static let samePolicy = "this is the policy in force:"
    package static let changedPolicy = "compared with the policy in force:"

    /// A fault with the line of invalid JSON instead of its byte.
    package static func fault(_ fault: TransactionPolicy.Fault, in text: [UInt8]) -> String {
        guard case .json(.malformed(let offset)) = fault.reason else { return fault.detail }
        let before = text.prefix(offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
        return "invalid JSON at line \(line), column \(column)"
    }

    package static let noPolicy = "no policy is set: everything is allowed"

    package static func unmatched(_ entry: UnmatchedEntry) -> String {
        let reason =
            switch entry.reason {
            case .unknownNetwork: "this vault has no network with this name"
            case .unknownCall: "there is no such call in the network's metadata in this vault"
            case .noMetadata: "this vault has no metadata to check the call"
            }
        return "\(entry.place): \(entry.entry): \(reason)"
    }

    package static func code(_ reason: UnmatchedEntry.Reason) -> String {
        switch reason {
        case .unknownNetwork: "unknown-network"
        case .unknownCall: "unknown-call"
        case .noMetadata: "no-metadata"
        }
    }
}
