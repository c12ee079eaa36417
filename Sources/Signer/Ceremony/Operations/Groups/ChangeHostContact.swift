import Diagnostics
import GroupReview
import Hashing
import SubstratePrimitives
import TrustStore
import UOS

/// Keeps the host key of another machine under a name, after a person compared its words.
public struct AddHostContact: Operation {
    let host: GroupHost
    let name: String?

    /// - `name`: the name that the person gave; nil to keep the contact's present name, or to take the card's
    ///   for a new contact.
    public init(_ host: GroupHost, name: String?) {
        self.host = host
        self.name = name
    }

    /// - Throws: `GroupCollectError.hostSignature(kind:members:)`, `GroupRefusal`,
    ///   `ContactRefusal.label(_:_:)`
    public func preview(_ view: VaultView) throws -> HostCardReview {
        try HostCardReview(host, name: name, view.trust, seeds: view.seedNames)
    }

    public func refusalEvent(_ reason: Diagnostic.Code, _ shown: HostCardReview?) -> LogEvent? {
        .refusal(of: .host(host), reason: reason)
    }

    /// - Throws: `GroupRefusal.ownCard(seed:)` where the key turns out to be one of this vault
    public func perform(_ shown: HostCardReview, in context: CommitContext<Self>) throws -> PreparedCommit<
        Void
    > {
        guard !shown.isHeld else { return PreparedCommit((), events: []) }
        for seed in context.view.seedNames
        where try !context.hosts(among: [shown.card.hostKey], ofSeed: seed).isEmpty {
            throw GroupRefusal.ownCard(seed: seed)
        }
        let contact = HostContactRecord(hostKey: shown.card.hostKey, name: shown.name)
        let before = shown.before.map { [LogEvent.Fact("before", $0)] } ?? []
        return PreparedCommit(
            (), [.putHostContact(contact)],
            events: [
                LogEvent(
                    .hostContactAdded,
                    [LogEvent.Fact("name", contact.name), LogEvent.Fact("key", Hex.encode(contact.hostKey))]
                        + before)
            ])
    }
}

/// Forgets a host contact. Groups with it stay as they are.
public struct RemoveHostContact: Operation {
    let name: String

    /// A removal of the host contact of this name.
    public init(_ name: String) { self.name = name }

    /// - Throws: `GroupRefusal.noSuchHostContact(_:)`
    public func preview(_ view: VaultView) throws -> HostContactRecord {
        guard let contact = view.trust.hostContacts.first(where: { $0.name.utf8Equals(name) }) else {
            throw GroupRefusal.noSuchHostContact(name)
        }
        return contact
    }

    public func perform(_ shown: HostContactRecord, in context: CommitContext<Self>) throws -> PreparedCommit<
        Void
    > {
        PreparedCommit(
            (), [.removeHostContact(hostKey: shown.hostKey)],
            events: [
                LogEvent(
                    .hostContactRemoved,
                    [LogEvent.Fact("name", shown.name), LogEvent.Fact("key", Hex.encode(shown.hostKey))])
            ])
    }
}
