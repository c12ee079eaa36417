import Cards
import Diagnostics
import TrustStore
import TrustUpdates
import UOS

/// Accepts a signed or unsigned update of specs, metadata, types or asset lists.
public struct AcceptUpdate: Operation {
    let payload: Payload
    let update: UnverifiedUpdate

    /// - `payload`: the one that brought the update, for the line that a refusal leaves in the log.
    public init(_ update: UnverifiedUpdate, payload: Payload) {
        self.update = update
        self.payload = payload
    }

    public var automation: Automation { .policyOrDevelopmentVault }

    /// - Throws: `UpdateRefusal`
    public func preview(_ view: VaultView) throws -> VerifiedUpdate {
        try UpdateReviewer.review(update, state: view.trust)
    }

    /// Equal cards and equal changes.
    public func isSame(_ one: VerifiedUpdate, _ other: VerifiedUpdate) -> Bool {
        one.cards.numbered() == other.cards.numbered() && one.hasPlan(of: other)
    }

    public func refusalEvent(_ reason: Diagnostic.Code, _ shown: VerifiedUpdate?) -> LogEvent? {
        LogEvent.refusal(of: payload, reason: reason)
    }

    public func perform(_ shown: VerifiedUpdate, in context: CommitContext<Self>) throws -> PreparedCommit<
        Void
    > {
        PreparedCommit((), shown.changes, events: shown.events)
    }
}
