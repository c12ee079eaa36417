import Accounts
import SubstratePrimitives
import TrustStore
import UOS

/// What groups and host contacts may be called in this vault. A name out of a message is a suggestion at most.
public enum GroupNames {
    /// The rules of a contact's label: the name stands beside keys and words of this program.
    /// - Throws: ``ContactRefusal/label(_:_:)``
    public static func check(_ name: String) throws {
        do throws(ContactLabel.Problem) { try ContactLabel.check(name) } catch { throw ContactRefusal.label(name, error) }
    }

    /// The same rules for a name on a card or in a proposal: it stands on a screen beside the words that people compare.
    /// - Throws: ``GroupRefusal/memberName(_:_:)``
    public static func check(member name: String) throws {
        do throws(ContactLabel.Problem) { try ContactLabel.check(name) } catch { throw GroupRefusal.memberName(name, error) }
    }

    /// The name of a group that becomes active: not that of anything else here, because it stands beside accounts.
    /// - Parameter asked: the person's; nil for the label of the proposal where it can be a name and is free, else `group`, `group 2`, …
    /// - Throws: ``ContactRefusal/label(_:_:)``, ``ContactRefusal/taken(_:by:)``
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
