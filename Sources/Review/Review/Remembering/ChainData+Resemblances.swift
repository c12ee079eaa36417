import Cards
import History
import SubstratePrimitives
import TrustStore

extension ChainData {
    /// The first look-alike of each account that is to get a name: of an own key, a contact, an account that
    /// was named in a signature, or another one of these.
    ///
    /// Each is compared in the form of the networks that the name is for, else of all networks here, and in
    /// the generic one. The history is asked only where there is one.
    public func resemblances(of contacts: [ContactRecord]) throws -> [Resemblance] {
        let list =
            contacts.count > 1
            ? contacts.map {
                KnownAccounts.Entry(account: $0.account, name: "contact \($0.label) of the same list")
            } : []
        var found: [[UInt8]: Resemblance] = [:]
        let generic = LookAlike.genericPrefix
        for prefix in Set(state.networks.map(\.base58Prefix) + [generic]).sorted() {
            let chains = Set(state.networks.filter { $0.base58Prefix == prefix }.map(\.genesisHash))
            let asked = contacts.filter { contact in
                found[contact.account] == nil
                    && (prefix == generic || contact.networks.isEmpty
                        || contact.networks.contains(where: chains.contains))
            }
            guard !asked.isEmpty else { continue }
            // The generic form has a turn of its own.
            let forms = LookAlike.forms(prefix: prefix).filter { $0.prefix == prefix || $0.prefix == nil }
            let known = KnownAccounts(state, network: nil, forms: forms).adding(list, forms: forms)
            let rows =
                try history?.rows(
                    Set(asked.flatMap { contact in forms.flatMap { $0.keys(contact.account) } }))
                ?? HistoryRows()
            for contact in asked {
                found[contact.account] = known.lookAlike(of: contact.account, forms, rows)
            }
        }
        return contacts.compactMap { found[$0.account] }
    }
}
