import Accounts
import SubstratePrimitives
import TrustStore
import UOS

/// The valid names of groups and host contacts in this vault. A name in a message is only a suggestion.
public enum GroupNames {
    /// The rules of a contact's label: the name stands beside keys and words of this program.
    /// - Throws: `ContactRefusal.label(_:_:)`
    public static func check(_ name: String) throws {
        do throws(ContactLabel.Problem) { try ContactLabel.check(name) } catch {
            throw ContactRefusal.label(name, error)
        }
    }

    /// The rules of a contact's label, for a name on a card or in a proposal: the screen shows the name
    /// beside the words that people compare.
    /// - Throws: ``GroupRefusal/memberName(_:_:)``
    public static func check(member name: String) throws {
        do throws(ContactLabel.Problem) { try ContactLabel.check(name) } catch {
            throw GroupRefusal.memberName(name, error)
        }
    }

    /// A member of a group that this vault holds or helps to make.
    struct Member {
        let name: String
        let hostKey: [UInt8]
        /// The group in words: `the group "savings"`.
        let group: String
        /// Whether it is this machine.
        let isOwn: Bool
    }

    /// The members of every group here, active ones first.
    static func members(_ trust: TrustState) throws -> [Member] {
        func all(_ proposal: GroupProposal, _ group: String) -> [Member] {
            proposal.members.map { member in
                let isOwn = if case .own = trust.standing(ofHost: member.hostKey) { true } else { false }
                return Member(name: member.name, hostKey: member.hostKey, group: group, isOwn: isOwn)
            }
        }
        let active = try trust.groups.flatMap {
            all(try $0.recordMessage().proposal, "the group \($0.name.inQuotationMarks)")
        }
        return try active
            + trust.groupMakings.flatMap { all(try $0.proposalMessage(), "a group that is being made") }
    }

    /// The name of a group that becomes active. It is printed beside accounts, so nothing else in this vault
    /// may have it.
    /// - Parameter asked: the person's; nil for the label of the proposal where it can be a name and is free,
    ///   else `group`, `group 2`, …
    /// - Throws: `ContactRefusal.label(_:_:)`, `ContactRefusal.taken(_:by:)`
    static func ofGroup(_ asked: String?, label: String, _ trust: TrustState) throws -> String {
        var taken = TakenNames(trust)
        for contact in trust.contacts where !contact.isPrivate { taken.add(contact: contact.label) }
        if let asked {
            try taken.check(asked)
            return asked
        }
        if (try? taken.check(label)) != nil { return label }
        var number = 1
        while true {
            let name = number == 1 ? "group" : "group \(number)"
            // Finitely many names are taken.
            if taken.holder(of: name) == nil { return name }
            number += 1
        }
    }
}
