import Diagnostics
import GroupCollect
import GroupReview
import Keys
import SubstratePrimitives
import Threshold
import TrustStore
import UOS

/// Takes part in the making of a group: answers its proposal b1 with this machine's contribution b2.
///
/// The contribution is in the store before it exists for a caller, and the same proposal always gets the same
/// one: two polynomials of one member for one session would let others compare them, and make an honest
/// member look like a cheat. A proposal whose making the vault has left is refused for the same reason.
public struct JoinGroup: Operation {
    let proposal: GroupProposal

    /// An answer to this proposal.
    public init(_ proposal: GroupProposal) { self.proposal = proposal }

    /// - Throws: `GroupCollectError.proposal(_:)`, `GroupRefusal.active(_:)`, `GroupRefusal.left`,
    ///   `GroupRefusal.severalOwn(_:)`
    public func preview(_ view: VaultView) throws -> ProposalReview {
        let review = try ProposalReview(proposal, view.trust)
        if review.held == nil { try view.chain.requireNotLeft(proposal.session) }
        // What was answered before is shown again.
        if review.held == nil { try view.requireOneVote(proposal) }
        return review
    }

    public func refusalEvent(_ reason: Diagnostic.Code, _ shown: ProposalReview?) -> LogEvent? {
        .refusal(of: .proposal(proposal), reason: reason)
    }

    /// Message b2 whole; nil for a member of a dealt group, who waits for the dealer's contribution.
    /// - Throws: `GroupRefusal.notAMember`, `GroupRefusal.severalOwn(_:)`
    public func perform(_ shown: ProposalReview, in context: CommitContext<Self>) throws -> PreparedCommit<
        [UInt8]?
    > {
        if let held = shown.held { return PreparedCommit(held.contribution, events: []) }
        guard let own = try context.ownMember(of: proposal), let index = proposal.index(of: own.key) else {
            throw GroupRefusal.notAMember
        }
        let contribution: GroupContribution? =
            switch proposal.origin {
            case .new:
                try context.withHost(of: own.seed, index: own.index) { (host: borrowing HostKey) in
                    let generation = try KeyGeneration(of: proposal)
                    let contribution = try generation.contribute(as: index, host: host)
                    return try GroupContribution(contribution, to: proposal, by: host)
                }
            case .dealt: nil
            }
        let making = GroupMaking(
            session: proposal.session, proposal: proposal.bytes, seed: own.seed, hostIndex: own.index,
            contribution: contribution?.bytes)
        return PreparedCommit(
            contribution?.bytes,
            [.putGroupMaking(making), OwnHostKey.recording(own.key, seed: own.seed, index: own.index)],
            events: [
                LogEvent(.groupContributed, LogEvent.facts(of: proposal) + [LogEvent.Fact("seed", own.seed)])
            ])
    }
}
