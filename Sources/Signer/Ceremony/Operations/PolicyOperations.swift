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
        /// Entries that nothing in this vault matches.
        public let unmatched: [UnmatchedEntry]
        /// The text of the policy that is in force until then; nil where there is none.
        public let replaced: [UInt8]?
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
        Shown(
            hash: BLAKE2b.hash(text), unmatched: view.chain.unmatchedEntries(of: policy),
            replaced: view.trust.settings[TransactionPolicy.setting])
    }

    public func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<Shown> {
        let event = LogEvent(.policySet, [LogEvent.Fact("policy", Hex.encode(shown.hash))])
        return PreparedCommit(shown, [.putSetting(TransactionPolicy.setting, text)], events: [event])
    }
}

/// Removes the owner's policy: everything is allowed again.
public struct ClearPolicy: Operation {
    /// Removes the policy that is in force.
    public init() {}

    /// The JSON text of the policy that is removed, byte for byte as it was set.
    /// - Throws: ``CeremonyError/noPolicy``
    public func preview(_ view: VaultView) throws -> [UInt8] {
        guard let text = view.trust.settings[TransactionPolicy.setting] else { throw CeremonyError.noPolicy }
        return text
    }

    public func perform(_ shown: [UInt8], in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        PreparedCommit((), [.removeSetting(TransactionPolicy.setting)], events: [LogEvent(.policyCleared)])
    }
}
