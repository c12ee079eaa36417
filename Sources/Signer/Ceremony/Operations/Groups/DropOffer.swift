import GroupReview
import Hashing
import SubstratePrimitives
import TrustStore
import UOS

/// Drops an open request: its nonces are wiped, and it counts as spent for ever. For a request that will
/// never finish, and for one whose nonces are gone.
public struct DropOffer: Operation {
    let name: String

    /// - Parameter name: the request's id in hex, its eight words, or its first word where no other open
    ///   request has it.
    public init(_ name: String) { self.name = name }

    /// - Throws: `GroupSigningRefusal.noSuchOffer(_:)`
    public func preview(_ view: VaultView) throws -> GroupOffer { try view.trust.groupOffer(named: name) }

    public func perform(_ shown: GroupOffer, in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        let group = context.view.trust.group(shown.group)?.name ?? shown.group.hex
        let (nonces, vault) = (context.session.device.nonces, context.session.vault.id)
        return PreparedCommit(
            (), [.removeGroupOffer(request: shown.request)],
            events: [
                LogEvent(
                    .groupOfferDropped,
                    [LogEvent.Fact("group", group), LogEvent.Fact("request", shown.request.hex)])
            ],
            history: HistoryWrite([shown.dropped(at: context.now)]),
            afterwards: { try? nonces.wipe(shown.request, of: vault) })
    }
}

extension GroupOffer {
    /// The row of a request that ends without a share.
    func dropped(at time: UInt64) -> HistoryRow {
        SpentRequest(group: group, request: payload, packageHash: nil, share: [], time: time).row(request)
    }
}
