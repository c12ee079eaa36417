import SubstratePrimitives
import TrustStore

/// An account that is to get a name, and a known one that looks like it.
///
/// A review spares a contact from the alarm about look-alikes, because a person named it. So the alarm must come when the name is given: the picture of an
/// address is chosen by whoever shows it, and so is what a list says.
public struct Resemblance: Sendable, Equatable {
    let found: LookAlike
    /// Whose account the other one is, as a warning says it.
    let name: String

    /// The new account's text and the known one's.
    public var address: String { found.text }
    /// The address that ``address`` resembles.
    public var other: String { found.other }
    /// What a person types instead of yes: ``LookAlike/word``.
    public var word: String { found.word }
    /// Both addresses with what differs in brackets.
    public var sentence: String {
        let shown = found.shown.map { ", here \($0)," } ?? ""
        return "\(found.markedText)\(shown) is NOT \(found.markedOther), \(name): only the \(found.part) alike"
    }

    public static func == (one: Resemblance, other: Resemblance) -> Bool { one.found == other.found && one.name.utf8Equals(other.name) }
}

extension ChainData {
    /// The first look-alike of each account that is to get a name: of an own key, a contact, an account that was named in a signature, or another one of
    /// these.
    ///
    /// Each is compared in the form of the networks that the name is for, else of all networks here, and in the generic one. The history is asked
    /// only where there is one.
    public func resemblances(of contacts: [ContactRecord]) throws -> [Resemblance] {
        let list =
            contacts.count > 1
            ? contacts.map { KnownAccounts.Entry(account: $0.account, name: "contact \($0.label) of the same list") } : []
        var found: [[UInt8]: Resemblance] = [:]
        let generic = LookAlike.genericPrefix
        for prefix in Set(state.networks.map(\.base58Prefix) + [generic]).sorted() {
            let chains = Set(state.networks.filter { $0.base58Prefix == prefix }.map(\.genesisHash))
            let asked = contacts.filter { contact in
                found[contact.account] == nil
                    && (prefix == generic || contact.networks.isEmpty || contact.networks.contains(where: chains.contains))
            }
            guard !asked.isEmpty else { continue }
            // The generic form has a turn of its own.
            let forms = LookAlike.forms(prefix: prefix).filter { $0.prefix == prefix || $0.prefix == nil }
            let known = KnownAccounts(state, network: nil, forms: forms).adding(list, forms: forms)
            let rows = try history?.rows(Set(asked.flatMap { contact in forms.flatMap { $0.keys(contact.account) } })) ?? HistoryRows()
            for contact in asked { found[contact.account] = known.lookAlike(of: contact.account, forms, rows) }
        }
        return contacts.compactMap { found[$0.account] }
    }

    /// The same plan with the look-alikes among the accounts that it names.
    public func comparing(_ plan: ContactListPlan) throws -> ContactListPlan {
        var plan = plan
        plan.lookAlikes = try resemblances(of: plan.additions + plan.changes.map(\.after))
        return plan
    }
}
