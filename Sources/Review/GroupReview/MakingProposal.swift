import Cards
import GroupCollect
import Review
import SubstratePrimitives
import Threshold
import TrustStore
import UOS

/// A proposal b1 before this machine takes part in it.
///
/// A proposal is unsigned: its maker chose every name, and may have put an own key beside the name of a
/// friend. So each key is shown under the name that a person of this vault gave it, or as not compared.
public struct ProposalReview: Sendable, Equatable {
    public let proposal: GroupProposal
    /// In the order of the proposal.
    public let members: [MakingMember]
    /// nil for a new key.
    public let dealer: MakingMember?
    /// The group whose key is shared out anew; nil for a new or a dealt one.
    public let old: OldGroupReview?
    public let warnings: [GroupWarning]
    /// The making that this vault already takes part in.
    public let held: GroupMaking?

    /// - Throws: `GroupCollectError.proposal(_:)`, ``GroupRefusal/active(_:)``,
    ///   ``GroupRefusal/memberName(_:_:)``; ``GroupRefusal/superseded(_:)`` for a second reshare of a group
    ///   of this vault
    public init(_ proposal: GroupProposal, _ trust: TrustState) throws {
        old = try OldGroupReview(proposal, trust)
        _ = try KeyGeneration(of: proposal, old: old?.record)
        if let group = try trust.group(ofSession: proposal.session) { throw GroupRefusal.active(group.name) }
        self.proposal = proposal
        members = proposal.members.enumerated().map { MakingMember($0.offset + 1, $0.element, trust) }
        // Check also the proposal's names of contacts: this vault shows a contact by its own name, but other
        // machines and lists show the proposal's.
        for member in members { try GroupNames.check(member: member.name) }
        dealer = proposal.dealer.map { MakingMember(0, $0, trust) }
        warnings = try GroupWarning.of(proposal, members, trust) + GroupWarning.of(old, proposal, members)
        held = trust.groupMakings.first { $0.session == proposal.session }
        // The key is the new group's to share out. A second proposal with the old shares would give the key
        // to machines that the new group does not know.
        if held == nil, let name = old?.name, let next = old.flatMap({ trust.superseded($0.transcript) }),
            next.session != proposal.session
        {
            throw GroupRefusal.superseded(name)
        }
    }

    /// Keys whose words nobody compared on this machine, each once. Empty for a proposal that this vault has
    /// answered, because the person was asked about them then.
    public var unknown: [MakingMember] {
        guard held == nil else { return [] }
        let unknown = members.filter { $0.standing == .unknown }
        guard let dealer, dealer.standing == .unknown,
            !unknown.contains(where: { $0.hostKey == dealer.hostKey })
        else { return unknown }
        return unknown + [dealer]
    }

    /// What is typed where this machine's share goes to other machines: whoever is named there may sign.
    public static let resharingWord = "reshare"

    /// Whether an answer gives this machine's share on; not where the same answer is only shown again.
    public var givesShare: Bool { held == nil && old?.contributes == true }

    var typedWord: TypedWord? {
        TypedWord.both(
            givesShare ? TypedWord(Self.resharingWord, 3) : nil,
            unknown.isEmpty ? nil : TypedWord(HostCardReview.word, 2))
    }

    /// The word that is typed instead of yes; nil if all keys were compared before, and no share is given on.
    public var word: String? { typedWord?.text }

    /// Whether a member is this machine, as far as this vault remembers its cards.
    public var isMember: Bool { members.contains { if case .own = $0.standing { true } else { false } } }
}

extension GroupProposal {
    /// The dealer of a dealt group. A dealer who is also a member has the member's name; any other is called
    /// `dealer`.
    var dealer: GroupMember? {
        switch origin {
        case .new, .reshared: nil
        case .dealt(let key, _):
            GroupMember(name: members.first { $0.hostKey == key }?.name ?? "dealer", hostKey: key)
        }
    }
}

extension GroupRefusal {
    /// Names the members in what the mathematics refuses.
    static func naming<Result>(in proposal: ProposalReview, _ body: () throws(ThresholdError) -> Result)
        throws(GroupRefusal) -> Result
    {
        do throws(ThresholdError) {
            return try body()
        } catch {
            throw GroupRefusal(error, in: proposal)
        }
    }

    /// What the mathematics refuses, with the members' names.
    public init(_ error: ThresholdError, in proposal: ProposalReview) {
        self =
            switch error {
            case .contributions(let faults):
                .contributions(
                    faults.map { fault in
                        let contributors = proposal.old?.contributors ?? proposal.members
                        let member =
                            fault.index == 0
                            ? proposal.dealer : contributors.first { $0.index == fault.index }
                        return Fault(
                            member: fault.index, name: member?.shownName ?? "", reason: fault.reason,
                            isOfOldGroup: proposal.old != nil)
                    })
            case .badGroupKey, .badRecord: .badGroupKey
            case .notTheMember: .notAMember
            case .wrongShare: .wrongShare
            case .oldGroup: .oldRecordMissing
            case .size, .badHostKey, .repeatedHostKey, .notTheDealtKey, .oldHostKey, .contributors,
                .recordSignatures, .signers,
                .badCommitment, .otherNonces,
                .identityCommitment, .signatureShares, .path, .selfCheck:
                .otherProposal
            }
    }
}
