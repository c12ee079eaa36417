import Accounts
import Diagnostics
import TrustStore
import UOS

/// An act on a payload of derivations, which is reviewed path by path.
public protocol DerivationOperation: Operation where Shown == DerivationReview {
    /// Payload de or df.
    var payload: Payload { get }
    /// The seed that a person named; nil for none.
    var seed: String? { get }
}

extension DerivationOperation {
    public var automation: Automation { .policyOrDevelopmentVault }

    /// - Throws: `VaultError.noSuchSeed(_:)`
    public func preview(_ view: VaultView) throws -> DerivationReview {
        if let seed { try view.requireSeed(seed) }
        return DerivationReview(payload, seed: seed, view.trust)!
    }

    /// - Throws: `DerivationRefusal`
    public func requireAllowed(_ shown: DerivationReview) throws {
        if let refusal = shown.refusal { throw refusal }
    }

    /// The line that a refused payload leaves in the log.
    public func refusalEvent(_ reason: Diagnostic.Code, _ shown: DerivationReview?) -> LogEvent? {
        LogEvent.refusal(of: payload, reason: reason)
    }
}

/// Answers a request for the public keys of paths (payload df). The keys are added, as they would be by
/// deriving them.
public struct AnswerDerivations: DerivationOperation {
    /// The request, payload df.
    public let payload: Payload
    /// The seed to use; nil for the only one with the root of the request.
    public let seed: String?

    /// An answer to this payload; nil for a payload that is not a request.
    /// - `seed`: the seed to use where several have the root of the request; nil for the only one.
    public init?(_ payload: Payload, seed: String? = nil) {
        guard case .derivationsRequest = payload.content else { return nil }
        self.payload = payload
        self.seed = seed
    }

    /// The payload `53 ff df …` with the keys of every path that could be derived.
    /// - Throws: `DerivationRefusal`
    public func perform(_ shown: DerivationReview, in context: CommitContext<Self>) throws -> PreparedCommit<
        [UInt8]
    > {
        let keys = try DerivedKeys(shown, context.trust.state, key: context.key)
        guard let root = shown.groups[0].root else { preconditionFailure("a request names its root") }
        let response = DynamicDerivationsResponse(root: root, derived: keys.derived)
        return PreparedCommit(
            Answer.derivations(response).bytes, keys.changes,
            events: [keys.event(.derivationsAnswered, shown, payload)])
    }
}

/// Derives the keys that another signer exported, or those of a list of paths (payload de in its two
/// layouts), if they are keys of this vault's seeds.
public struct ImportDerivations: DerivationOperation {
    /// The export of the other signer, payload de.
    public let payload: Payload
    /// The seed that a person named for the keys; nil where the payload names its root.
    public let seed: String?

    /// An import of this payload; nil for a payload that is not an export.
    /// - `seed`: the seed that a person named, for a list of paths and for a root that no seed has; otherwise
    ///   nil.
    public init?(_ payload: Payload, seed: String? = nil) {
        guard payload.prelude.code == .importDerivations else { return nil }
        self.payload = payload
        self.seed = seed
    }

    /// How many keys were added, or allowed on one network more.
    /// - Throws: `DerivationRefusal`
    public func perform(_ shown: DerivationReview, in context: CommitContext<Self>) throws -> PreparedCommit<
        Int
    > {
        let keys = try DerivedKeys(shown, context.trust.state, key: context.key)
        return PreparedCommit(
            keys.changes.count, keys.changes, events: [keys.event(.derivationsImported, shown, payload)])
    }
}
