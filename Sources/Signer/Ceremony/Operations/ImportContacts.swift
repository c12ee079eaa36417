import Diagnostics
import SubstratePrimitives
import TrustStore
import TrustUpdates
import UOS

/// Takes a signed list of contacts into the vault.
public struct ImportContacts: Operation {
    let payload: Payload
    let list: ContactListPayload

    /// nil for any other payload.
    public init?(_ payload: Payload) {
        guard case .contactList(let list) = payload.content else { return nil }
        self.payload = payload
        self.list = list
    }

    /// - Throws: `ContactRefusal`
    public func preview(_ view: VaultView) throws -> ContactListPlan {
        try view.chain.comparing(ContactListPlan(list, in: view.trust, seeds: view.seedNames))
    }

    public func refusalEvent(_ reason: Diagnostic.Code, _ shown: ContactListPlan?) -> LogEvent? {
        LogEvent.refusal(of: payload, reason: reason)
    }

    public func perform(_ shown: ContactListPlan, in context: CommitContext<Self>) throws -> PreparedCommit<
        Void
    > {
        for contact in shown.additions + shown.changes.map(\.after) {
            try context.requireFree(contact: contact.label)
        }
        return PreparedCommit((), shown.trustChanges, events: shown.events)
    }
}
