import Accounts
import Hashing
import SubstratePrimitives
import TrustStore

/// Adds a key whose contact lists are accepted, or removes one.
///
/// The person brings the key, and compares its fingerprint with the one that the signer gave over another
/// channel. A list cannot add its own signer: no payload leads here.
public struct ChangeListSigner: Operation {
    /// What changes.
    public enum Change: Sendable {
        /// A key that the person brings, and what the person calls its owner.
        case add(PublicKey, label: String)
        /// By name. The contacts from its lists stay.
        case remove(String)
    }

    /// What a person must see.
    public struct Step: Sendable, Equatable {
        /// The signer as it will be, or was before it is removed.
        public let signer: ListSignerRecord
        /// The fingerprint of the key. The person types its last two groups.
        public let fingerprint: String
        /// What must be typed instead of yes.
        public let word: String?

        public static func == (one: Step, other: Step) -> Bool {
            one.signer == other.signer && one.fingerprint.utf8Equals(other.fingerprint)
                && one.word.utf8Equals(other.word)
        }
    }

    let change: Change

    /// One change of one signer.
    public init(_ change: Change) { self.change = change }

    /// - Throws: `ContactRefusal`
    public func preview(_ view: VaultView) throws -> Step {
        let trust = view.trust
        switch change {
        case .add(let key, let label):
            guard trust.key(key) == nil else { throw ContactRefusal.signerIsOwn(key) }
            guard !trust.isMetadataVerifier(key) else { throw ContactRefusal.signerIsVerifier(key) }
            if let held = trust.listSigner(key) { throw ContactRefusal.listSignerExists(held.label) }
            try ChangeContact.names(trust, view.seedNames).check(label)
            return Step(
                signer: ListSignerRecord(publicKey: key, label: label), fingerprint: key.fingerprint,
                word: String(key.fingerprint.suffix(9)))
        case .remove(let label):
            guard let signer = trust.listSigners.first(where: { $0.label.utf8Equals(label) }) else {
                throw ContactRefusal.noSuchListSigner(label)
            }
            return Step(signer: signer, fingerprint: signer.publicKey.fingerprint, word: nil)
        }
    }

    public func perform(_ shown: Step, in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        let key = shown.signer.publicKey
        let facts = [
            LogEvent.Fact("signer", shown.signer.label), LogEvent.Fact("scheme", key.scheme.name),
            LogEvent.Fact("public_key", Hex.encode(key.bytes)),
        ]
        switch change {
        case .add:
            try context.requireFree(contact: shown.signer.label)
            return PreparedCommit(
                (), [.putListSigner(shown.signer)], events: [LogEvent(.listSignerAdded, facts)])
        case .remove:
            return PreparedCommit((), [.removeListSigner(key)], events: [LogEvent(.listSignerRemoved, facts)])
        }
    }
}
