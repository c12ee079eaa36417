import Cards
import SubstratePrimitives
import TrustStore
import UOS

extension GroupWarning {
    /// The warnings about a proposal, also one inside a record, from what this vault knows.
    static func of(_ proposal: GroupProposal, _ members: [MakingMember], _ trust: TrustState) throws
        -> [GroupWarning]
    {
        let known = try GroupNames.members(trust)
        var warnings: [GroupWarning] = []
        for member in members {
            switch member.standing {
            // The dealer has no name in a proposal.
            case .contact(let contact):
                if member.index > 0, !contact.utf8Equals(member.name) {
                    warnings.append(.renamed(contact: ExactText(contact), proposed: ExactText(member.name)))
                }
            case .own, .unknown:
                let shape = NameShape(member.name)
                if member.index > 0,
                    let contact = trust.hostContacts.first(where: {
                        NameShape($0.name) == shape && $0.hostKey != member.hostKey
                    })
                {
                    warnings.append(.borrowed(name: ExactText(member.name), contact: ExactText(contact.name)))
                } else if member.index > 0 {
                    // A machine with two host keys is one machine.
                    let isOwn = member.standing != .unknown
                    let others = known.filter { !isOwn || !$0.isOwn }
                    warnings += ofMember(member.name, member.hostKey, among: others)
                }
            }
        }
        for (offset, member) in proposal.members.enumerated() {
            for other in proposal.members[..<offset] where NameShape(other.name) == NameShape(member.name) {
                warnings.append(.alike(ExactText(other.name), ExactText(member.name)))
            }
        }
        return warnings + GroupWarning.ofSize(proposal) + inherited(proposal, trust)
    }

    /// The warning about a name that a group of this vault gives to another host key. That group's members
    /// compared the words of the other key, so people would mistake this member for the other one, even if
    /// neither is a contact.
    static func ofMember(_ name: String, _ hostKey: [UInt8], among known: [GroupNames.Member])
        -> [GroupWarning]
    {
        let shape = NameShape(name)
        // A member's own key under his name is remarked only where another group has the name for another
        // key: whoever made one proposal that was accepted must not silence the warning of the next.
        guard let other = known.first(where: { NameShape($0.name) == shape && $0.hostKey != hostKey }) else {
            return []
        }
        return [
            .borrowedMember(
                name: ExactText(name), member: ExactText(other.name), group: ExactText(other.group),
                isOwn: other.isOwn)
        ]
    }

    /// The warnings about members whose names are not valid names. A contact is shown by the name that a
    /// person gave it.
    static func ofNames(_ members: [MakingMember]) -> [GroupWarning] {
        members.filter { !$0.isNamed && $0.shownName.utf8Equals("member \($0.index)") }.map {
            .notAName(member: $0.index, name: ExactText($0.name))
        }
    }

    /// What holds of a group whatever its members are called.
    public static func ofSize(_ proposal: GroupProposal) -> [GroupWarning] {
        var warnings: [GroupWarning] = []
        if proposal.threshold == proposal.members.count { warnings.append(.allSign(proposal.members.count)) }
        switch proposal.origin {
        case .new: break
        case .dealt: warnings.append(.dealt)
        case .reshared: warnings.append(.reshared)
        }
        return warnings
    }
}
