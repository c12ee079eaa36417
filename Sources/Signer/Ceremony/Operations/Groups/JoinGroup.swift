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
    ///   `GroupRefusal.severalOwn(_:)`, `GroupRefusal.superseded(_:)`
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

    /// Message b2 whole; nil for a member of a dealt group, who waits for the dealer's contribution, and for
    /// whoever is not asked to contribute to a reshare.
    ///
    /// An old member of a reshared group takes part without being a member of the new one: it contributes, or
    /// only learns by the record when its own share is superseded.
    /// - Throws: `GroupRefusal.notAMember`, `GroupRefusal.severalOwn(_:)`, `GroupRefusal.oldSeed(_:)`
    public func perform(_ shown: ProposalReview, in context: CommitContext<Self>) throws -> PreparedCommit<
        [UInt8]?
    > {
        if let held = shown.held { return PreparedCommit(held.contribution, events: []) }
        let own = try context.ownMember(of: proposal)
        let contribution: GroupContribution?
        let (seed, hostIndex): (String, UInt32)
        switch (own, shown.old?.held) {
        case (nil, nil): throw GroupRefusal.notAMember
        case (let own?, let held):
            (seed, hostIndex) = (own.seed, own.index)
            if held != nil, let record = shown.old?.record { try context.requireNewSeed(seed, of: record) }
        case (nil, let held?): (seed, hostIndex) = (held.seed, held.hostIndex)
        }
        switch proposal.origin {
        case .new:
            guard let own, let index = proposal.index(of: own.key) else { throw GroupRefusal.notAMember }
            contribution = try context.withHost(of: own.seed, index: own.index) { (host: borrowing HostKey) in
                let generation = try KeyGeneration(of: proposal)
                let contribution = try generation.contribute(as: index, host: host)
                return try GroupContribution(contribution, to: proposal, by: host)
            }
        case .dealt: contribution = nil
        case .reshared: contribution = try context.reshared(shown)
        }
        let making = GroupMaking(
            session: proposal.session, proposal: proposal.bytes, seed: seed, hostIndex: hostIndex,
            contribution: contribution?.bytes)
        let givesShare = contribution != nil && proposal.oldTranscript != nil
        let facts = LogEvent.facts(of: proposal) + [LogEvent.Fact("seed", seed)]
        var changes: [TrustChange] = [.putGroupMaking(making)]
        if givesShare { changes.append(GivenShare.keeping(proposal)) }
        if let own { changes.append(OwnHostKey.recording(own.key, seed: own.seed, index: own.index)) }
        return PreparedCommit(
            contribution?.bytes, changes,
            events: [LogEvent(givesShare ? .groupReshared : .groupContributed, facts)])
    }
}
