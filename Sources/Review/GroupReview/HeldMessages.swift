import SubstratePrimitives
import TrustStore
import UOS

extension GroupMaking {
    /// The proposal that this vault took part in. It was readable when it was stored.
    /// - Throws: `PayloadError`, ``GroupRefusal/otherProposal``
    public func proposalMessage() throws -> GroupProposal {
        guard case .group(.proposal(let message)) = try Payload(proposal).content else {
            throw GroupRefusal.otherProposal
        }
        return message
    }

    /// This machine's b2; nil for a member of a dealt group.
    public func contributionMessage() throws -> GroupContribution? {
        guard let contribution else { return nil }
        guard case .group(.contribution(let message)) = try Payload(contribution).content else {
            throw GroupRefusal.otherProposal
        }
        return message
    }

    /// This machine's b4; nil before it confirmed.
    public func confirmationMessage() throws -> GroupConfirmation? {
        guard let confirmation else { return nil }
        guard case .group(.confirmation(let message)) = try Payload(confirmation).content else {
            throw GroupRefusal.otherProposal
        }
        return message
    }
}

extension HeldGroup {
    /// The record as it was checked when the group became active.
    /// - Throws: `PayloadError`, ``GroupRefusal/otherProposal``
    public func recordMessage() throws -> UOS.GroupRecord {
        guard case .group(.record(let message)) = try Payload(record).content else {
            throw GroupRefusal.otherProposal
        }
        return message
    }
}

extension TrustState {
    /// The active group that a name or a transcript in hex stands for.
    /// - Throws: ``GroupRefusal/noSuchGroup(_:)``
    public func heldGroup(named name: String) throws(GroupRefusal) -> HeldGroup {
        if let group = groups.first(where: { $0.name.utf8Equals(name) || $0.transcript.hex.utf8Equals(name) })
        {
            return group
        }
        throw .noSuchGroup(name)
    }

    /// The active group that came of a proposal.
    func group(ofSession session: Hash32) throws -> HeldGroup? {
        try groups.first { try $0.recordMessage().proposal.session == session }
    }

    /// The makings that no active group came of, and their proposals.
    public func openMakings() throws -> [(making: GroupMaking, proposal: GroupProposal)] {
        let done = Set(try groups.map { try $0.recordMessage().proposal.session })
        return try groupMakings.filter { !done.contains($0.session) }.map { ($0, try $0.proposalMessage()) }
            .filter { making, proposal in
                // Of a member who left, whose old group knows what took its place.
                proposal.oldTranscript.flatMap { superseded($0) }?.session != making.session
            }
    }

    /// The open making with this session id in hex, or with this label if it is the only one.
    public func openMaking(named name: String) throws -> GroupMaking? {
        let open = try openMakings()
        if let one = open.first(where: { $0.making.session.hex.utf8Equals(name) }) { return one.making }
        let labelled = open.filter { $0.proposal.label.utf8Equals(name) }
        return labelled.count == 1 ? labelled[0].making : nil
    }
}
