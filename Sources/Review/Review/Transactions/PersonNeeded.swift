import Extrinsics
import History
import SubstratePrimitives

/// Why the policy does not say yes in place of a person, for the one who wrote its rules.
public struct PersonNeeded: Sendable, Equatable {
    /// The reason that concerns the whole payload.
    public enum Cause: Sendable, Equatable {
        /// The policy has no rules under `approve`.
        case noRules
        /// It may not be signed at all.
        case refused(ReviewError)
        /// The line of a warning, which only a person can weigh.
        case warning(String)
        /// The signer's key was never derived here.
        case newKey
        /// A message that names no network.
        case noNetwork
        /// A name that does not name exactly one chain of this vault.
        case networkUncertain(String)
        /// No verifier signed the metadata that the cards were read with, and the chain does not check it.
        case unsignedMetadata
        /// Only whoever made the transaction says that its chain reads it so; see `Vouching`.
        case unvouched(version: UInt32)
        /// A call has an XCM location.
        case location
        /// The tip cannot be read.
        case unknownTip
        /// No nonce of the account is remembered here, and a sender who chose this one would make every later
        /// transaction look repeated.
        case highFirstNonce(UInt128)
        /// Each rule leaves it to a person, for a reason of its own.
        case rules([Obstacle])
    }

    /// What keeps one rule from approving a transaction.
    public struct Obstacle: Sendable, Equatable {
        /// The limit that the transaction exceeds.
        public enum Reason: Sendable, Equatable {
            case violation(TransactionPolicy.Violation)
            /// Together with the other transactions that the rule approves in this payload.
            case sumAboveLimit
            /// The line of a warning that the same was signed before; the rule does not say how often.
            case repetition(ExactText)
            /// The rule gives no more signatures for now.
            case countReached(CountReached)
        }

        /// Counted from 1.
        public let rule: Int
        public let reason: Reason

        public init(rule: Int, reason: Reason) {
            self.rule = rule
            self.reason = reason
        }
    }

    /// The first transaction of the payload that needs a person, counted from 1; nil where there is only one.
    public let transaction: Int?
    public let cause: Cause

    public init(transaction: Int?, cause: Cause) {
        self.transaction = transaction
        self.cause = cause
    }
}

extension PersonNeeded {
    /// Rules that a sentence names; a policy may have hundreds.
    private static let namedRules = 3

    /// In few words, without the subject.
    public var detail: String {
        let text =
            switch cause {
            case .noRules: "the policy has no rules under approve"
            case .refused(let error): error.sentence
            case .warning(let line): "a warning needs a person: \(line)"
            case .newKey: "the signer's key is not derived yet"
            case .noNetwork: "the message names no network"
            case .networkUncertain(let name): "the name \(name) does not name exactly one chain of this vault"
            case .unsignedMetadata:
                "nobody signed the metadata that it was read with, and the chain does not check it"
            case .unvouched(let version):
                """
                nobody vouches for its metadata proof of runtime version \(version): no verifier's metadata, \
                and no signature that a person confirmed
                """
            case .location: "it has an XCM location"
            case .unknownTip: "its tip cannot be read"
            case .highFirstNonce(let nonce):
                "no nonce of the account is remembered here, and \(nonce) is far above 0"
            case .rules(let obstacles): Self.text(obstacles)
            }
        return transaction.map { "transaction \($0): \(text)" } ?? text
    }

    /// Rules of other networks are the last that somebody looks for.
    private static func text(_ obstacles: [Obstacle]) -> String {
        let near = obstacles.filter { !$0.isOfOtherNetwork }
        let ordered = near + obstacles.filter(\.isOfOtherNetwork)
        let more = ordered.count - namedRules
        return ordered.prefix(namedRules).map(\.text).joined(separator: "; ")
            + (more > 0 ? "; and \(more) more" : "")
    }
}

extension PersonNeeded.Obstacle {
    fileprivate var isOfOtherNetwork: Bool {
        switch reason {
        case .violation(let violation): violation.rule == .networks
        case .sumAboveLimit, .repetition, .countReached: false
        }
    }

    fileprivate var text: String {
        switch reason {
        case .violation(.metadataHash(let check)):
            // A rule that was written before the key existed approves less now, and does not say why.
            """
            rule \(rule): \(check.detail) (\(TransactionPolicy.Key.requireMetadataHash.rawValue), always \
            unless the rule says otherwise)
            """
        case .violation(let violation): "rule \(rule): \(violation.detail) (\(violation.rule.rawValue))"
        case .sumAboveLimit:
            """
            rule \(rule): all amounts together are above the limit \
            (\(TransactionPolicy.Key.maximumAmount.rawValue))
            """
        case .repetition(let line):
            """
            rule \(rule): it does not say how often (\(TransactionPolicy.Key.maximumCount.rawValue)): \(line.text)
            """
        case .countReached(let reached):
            "rule \(rule): \(reached.detail) (\(TransactionPolicy.Key.maximumCount.rawValue))"
        }
    }
}
