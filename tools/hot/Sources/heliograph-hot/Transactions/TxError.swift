import Diagnostics
import HotStore
import Lines
import SubstratePrimitives

/// Why a command refuses to send a transaction again, or to make another one in its place.
enum TxError: Error, Equatable {
    /// It has no signature here.
    case unsigned(Int64)
    /// A finalized block has another transaction with its nonce.
    case nonceUsed(Int64, nonce: UInt64, block: UInt32)
    /// Another nonce while it may still take effect; the first block that cannot have it, or nil if it never
    /// expires.
    case stillPossible(Int64, until: UInt32?, block: UInt32)
    /// Another nonce while its era runs, though its nonce is used; the first block behind the era.
    case eraRuns(Int64, until: UInt32, block: UInt32)
    /// Whether it took effect is unknown; the reason in words.
    case unproven(Int64, reason: String)
    /// Another nonce by the word of one node.
    case oneNode
    /// What was made again would say something else; the line that differs.
    case otherContent(Int64, line: String)
}

extension TxError: DiagnosticError {
    var diagnostic: Diagnostic {
        switch self {
        case .unsigned(let id):
            .refused(
                "unsigned-transaction", "transaction \(id) is not signed yet",
                hint: "heliograph-hot read PICTURE --submit stored")
        case .nonceUsed(let id, let nonce, let block):
            .refused(
                "nonce-used",
                "another transaction used nonce \(nonce) of transaction \(id), up to the final block \(block)",
                hint: "once its era is over, --new-nonce makes it again with the next nonce")
        case .stillPossible(let id, let until, let block):
            .refused(
                "still-possible",
                "transaction \(id) may still take effect, "
                    + (until.map { "until block \($0); the newest final one is \(block)" }
                        ?? "because it never expires") + ": another nonce could pay twice",
                hint: "leave out --new-nonce: with the same nonce only one of the two can take effect")
        case .eraRuns(let id, let until, let block):
            .refused(
                "era-runs",
                """
                transaction \(id) may still take effect, until block \(until); the newest final one is \
                \(block): its nonce is used, but an account that is emptied begins its nonces again
                """, hint: "wait for block \(until)")
        case .unproven(let id, let reason):
            .refused(
                "fate-unknown", "nothing proves that transaction \(id) did not take effect: \(reason)",
                hint: "look for it in an explorer, or ask other nodes: --url URL")
        case .oneNode:
            .refused(
                "one-node", "another nonce pays twice if the one node that is asked lies or is behind",
                hint: "--quorum 2 with nodes on two hosts, or --one-node for a node of your own")
        case .otherContent(let id, let line):
            .refused(
                "remake-differs", "made again, transaction \(id) would differ in more than its era: \(line)",
                hint: "heliograph-hot make transaction, with --extension")
        }
    }

    static var examples: [TxError] {
        [
            .unsigned(3), .nonceUsed(3, nonce: 4, block: 564), .stillPossible(3, until: 564, block: 510),
            .stillPossible(3, until: nil, block: 510), .eraRuns(3, until: 564, block: 510),
            .unproven(3, reason: "wss://node.example does not have block 501"), .oneNode,
            .otherContent(3, line: "tip 0 DOT"),
        ]
    }
}
