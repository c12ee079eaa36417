import Cards
import GroupCollect
import SubstratePrimitives
import TrustStore
import UOS

/// What a person should look at twice before taking part in a group.
public enum MakingWarning: Sendable, Equatable {
    /// The proposal calls a host contact otherwise.
    case renamed(contact: String, proposed: String)
    /// A key that nobody compared here has the name of a contact with another key, or one that may be taken
    /// for it.
    case borrowed(name: String, contact: String)
    /// A key that nobody compared here has the name that a group of this vault gives to another key, or one
    /// that may be taken for it.
    case borrowedMember(name: String, member: String, group: String, isOwn: Bool)
    /// Two members whose names may be taken for each other.
    case alike(String, String)
    /// A host contact has a name that this vault uses for something else, or one that looks like such a name.
    case nameStandsFor(String, other: String)
    /// A group of this vault already has this label, or a name that looks like it. `name` is the name that
    /// the new group gets here.
    case labelTaken(label: String, name: String)
    /// A member of a record has a name that cannot be one, and stands under its number.
    case notAName(member: Int, name: String)
    /// All members must sign.
    case allSign(Int)
    /// A whole key existed.
    case dealt

    /// What its card says for programs.
    public var kind: GroupWarning {
        switch self {
        case .renamed: .renamed
        case .borrowed, .borrowedMember: .nameBorrowed
        case .alike: .namesAlike
        case .nameStandsFor: .nameTaken
        case .labelTaken: .labelTaken
        case .notAName: .notAName
        case .allSign: .allSign
        case .dealt: .dealt
        }
    }

    /// Names are those of messages and of the vault, in quotation marks that they cannot end.
    public var sentence: String {
        switch self {
        case .renamed(let contact, let proposed):
            """
            your contact \(GroupMember.quoted(contact)) is called \(GroupMember.quoted(proposed)) in the \
            proposal
            """
        case .borrowed(let name, let contact):
            """
            \(GroupMember.quoted(name)) is NOT your contact \(GroupMember.quoted(contact)): it has another \
            host key
            """
        case .borrowedMember(let name, let member, let group, let isOwn):
            """
            \(GroupMember.quoted(name)) is NOT \(isOwn ? "this machine, " : "")the member \
            \(GroupMember.quoted(member)) of \(group): it has another host key
            """
        case .alike(let one, let other):
            """
            the members \(GroupMember.quoted(one)) and \(GroupMember.quoted(other)) have names that look alike
            """
        case .nameStandsFor(let name, let other): "the name \(GroupMember.quoted(name)) looks like \(other)"
        case .labelTaken(let label, let name):
            """
            its label \(GroupMember.quoted(label)) is the name of something else in this vault, or no name: \
            here the group is called \(GroupMember.quoted(name))
            """
        case .notAName(let member, let name):
            """
            the record calls member \(member) \(GroupMember.quoted(name)), which cannot be a name: here it \
            is called "member \(member)"
            """
        case .allSign(let members): GroupProposal.allSign(members)
        case .dealt: Self.dealtSentence
        }
    }

    /// Stands on every screen of a dealt group, for ever.
    public static let dealtSentence =
        "dealt: a whole key existed; whoever has its seed signs alone, and the dealer saw every share"

    /// The card of it.
    public var card: Card { Card(.warning, sentence, facts: .warning(.group(kind))) }

    public static func == (one: MakingWarning, other: MakingWarning) -> Bool {
        one.kind == other.kind && one.sentence.utf8Equals(other.sentence)
    }

    /// The warnings about a proposal, also one inside a record, from what this vault knows.
    static func of(_ proposal: GroupProposal, _ members: [MakingMember], _ trust: TrustState) throws
        -> [MakingWarning]
    {
        let known = try GroupNames.members(trust)
        var warnings: [MakingWarning] = []
        for member in members {
            switch member.standing {
            // The dealer has no name in a proposal.
            case .contact(let contact):
                if member.index > 0, !contact.utf8Equals(member.name) {
                    warnings.append(.renamed(contact: contact, proposed: member.name))
                }
            case .own, .unknown:
                let shape = NameShape(member.name)
                if member.index > 0,
                    let contact = trust.hostContacts.first(where: {
                        NameShape($0.name) == shape && $0.hostKey != member.hostKey
                    })
                {
                    warnings.append(.borrowed(name: member.name, contact: contact.name))
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
                warnings.append(.alike(other.name, member.name))
            }
        }
        return warnings + MakingWarning.ofSize(proposal)
    }

    /// The warning about a name that a group of this vault gives to another host key. That group's members
    /// compared the words of the other key, so people would mistake this member for the other one, even if
    /// neither is a contact.
    static func ofMember(_ name: String, _ hostKey: [UInt8], among known: [GroupNames.Member])
        -> [MakingWarning]
    {
        let shape = NameShape(name)
        // A member's own key under his name is remarked only where another group has the name for another
        // key: whoever made one proposal that was accepted must not silence the warning of the next.
        guard let other = known.first(where: { NameShape($0.name) == shape && $0.hostKey != hostKey }) else {
            return []
        }
        return [.borrowedMember(name: name, member: other.name, group: other.group, isOwn: other.isOwn)]
    }

    /// The warnings about members whose names are not valid names. A contact is shown by the name that a
    /// person gave it.
    static func ofNames(_ members: [MakingMember]) -> [MakingWarning] {
        members.filter { !$0.isNamed && $0.shownName.utf8Equals("member \($0.index)") }.map {
            .notAName(member: $0.index, name: $0.name)
        }
    }

    /// What holds of a group whatever its members are called.
    public static func ofSize(_ proposal: GroupProposal) -> [MakingWarning] {
        var warnings: [MakingWarning] = []
        if proposal.threshold == proposal.members.count { warnings.append(.allSign(proposal.members.count)) }
        switch proposal.origin {
        case .new: break
        case .dealt: warnings.append(.dealt)
        }
        return warnings
    }
}
