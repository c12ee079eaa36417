import Extrinsics
import Hashing
import Review
import TrustStore

/// Puts the owner's policy under the vault's seal; it replaces the previous one.
public struct SetPolicy: Operation {
    /// What is set.
    public struct Shown: Sendable, Equatable {
        /// BLAKE2b-256 of the text.
        public let hash: [UInt8]
        /// The new policy.
        public let policy: TransactionPolicy
        /// Entries that nothing in this vault matches.
        public let unmatched: [UnmatchedEntry]
        /// The text of the policy that this change replaces; nil if there is none.
        public let replaced: [UInt8]?
        /// Whether anything is allowed that was not.
        public let allowsMore: Bool
        /// What must be typed; nil for a yes.
        public var word: String? { allowsMore ? TransactionPolicy.word : nil }
    }

    let text: [UInt8]
    private let policy: TransactionPolicy

    /// - Parameter json: the file as it is; it is kept byte for byte.
    /// - Throws: `TransactionPolicy.Fault`
    public init(json: [UInt8]) throws(TransactionPolicy.Fault) {
        policy = try TransactionPolicy(json: json)
        text = json
    }

    public func preview(_ view: VaultView) throws -> Shown {
        let replaced = view.trust.settings[TransactionPolicy.setting]
        return Shown(
            hash: BLAKE2b.hash(text), policy: policy, unmatched: view.chain.unmatchedEntries(of: policy),
            replaced: replaced, allowsMore: policy.allowsMore(than: replaced))
    }

    public func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<Shown> {
        let event = LogEvent(.policySet, [LogEvent.Fact("policy", Hex.encode(shown.hash))])
        return PreparedCommit(shown, [.putSetting(TransactionPolicy.setting, text)], events: [event])
    }
}

/// Removes the owner's policy: everything is allowed again.
public struct ClearPolicy: Operation {
    /// What is removed.
    public struct Shown: Sendable, Equatable {
        /// The JSON text of the policy, byte for byte as it was set.
        public let text: [UInt8]
        /// Whether the policy forbids anything.
        public let allowsMore: Bool
        /// What must be typed; nil for a yes.
        public var word: String? { allowsMore ? TransactionPolicy.word : nil }
    }

    /// Removes the policy that is in force.
    public init() {}

    /// - Throws: ``CeremonyError/noPolicy``
    public func preview(_ view: VaultView) throws -> Shown {
        guard let text = view.trust.settings[TransactionPolicy.setting] else { throw CeremonyError.noPolicy }
        return Shown(text: text, allowsMore: TransactionPolicy().allowsMore(than: text))
    }

    public func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        PreparedCommit((), [.removeSetting(TransactionPolicy.setting)], events: [LogEvent(.policyCleared)])
    }
}

extension TransactionPolicy {
    /// What a person types who allows more than before.
    fileprivate static let word = "allow more"

    /// Whether it allows more than the policy in force. Nothing is signed under an unreadable policy, so
    /// every new one allows more than that.
    /// - Parameter text: the text of the policy in force; nil for none.
    fileprivate func allowsMore(than text: [UInt8]?) -> Bool {
        guard let text else { return !keysAllowingMore(than: TransactionPolicy()).isEmpty }
        guard let former = try? TransactionPolicy(json: text) else { return true }
        return !keysAllowingMore(than: former).isEmpty
    }
}
