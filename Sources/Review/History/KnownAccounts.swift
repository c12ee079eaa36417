import Accounts
import Cards
import SubstratePrimitives
import TrustStore

/// The accounts that a look-alike is compared with, beside those that an earlier signature named: own keys
/// and contacts.
package struct KnownAccounts {
    package struct Entry {
        let account: [UInt8]
        /// As a warning says it.
        let name: String

        package init(account: [UInt8], name: String) {
            (self.account, self.name) = (account, name)
        }
    }

    private(set) var entries: [Entry] = []
    private var known: Set<[UInt8]> = []
    private var own: Set<[UInt8]> = []
    /// By what alike accounts share, so that no two others are compared.
    private var alike: [HistoryKey: [Entry]] = [:]

    /// - Parameter network: contacts of other networks are compared, too, but are not contacts here.
    /// - Parameter forms: in which accounts are compared.
    package init(_ state: TrustState, network: GenesisHash?, forms: [LookAlike.Form]) {
        for key in state.keys where !state.isOfUncomparedGroup(key) {
            guard let account = key.ethereumAddress ?? key.publicKey.accountID else { continue }
            entries.append(Entry(account: account, name: "your key \(key.label ?? state.place(of: key))"))
            known.insert(account)
            own.insert(account)
        }
        for contact in state.contacts {
            // A private contact's name is not readable here.
            entries.append(
                Entry(
                    account: contact.account,
                    name: contact.label.isEmpty ? "a contact" : "contact \(contact.label)"))
            if contact.networks.isEmpty || network.map(contact.networks.contains) ?? false {
                known.insert(contact.account)
            }
        }
        for entry in entries { add(entry, forms) }
    }

    private mutating func add(_ entry: Entry, _ forms: [LookAlike.Form]) {
        for key in forms.flatMap({ $0.keys(entry.account) }) { alike[key, default: []].append(entry) }
    }

    /// The same with further accounts.
    package func adding(_ entries: [Entry], forms: [LookAlike.Form]) -> KnownAccounts {
        entries.reduce(into: self) { $0.add($1, forms) }
    }

    /// What an account resembles first: an account that is known, or one of the rows.
    package func lookAlike(of account: [UInt8], _ forms: [LookAlike.Form], _ rows: HistoryRows)
        -> Resemblance?
    {
        for key in forms.flatMap({ $0.keys(account) }) {
            for entry in (alike[key] ?? []) + Self.named(rows, key) {
                guard let found = LookAlike(account, resembling: entry.account, forms: forms) else {
                    continue
                }
                return Resemblance(found: found, name: entry.name)
            }
        }
        return nil
    }

    /// The accounts of a row, which earlier signatures named.
    private static func named(_ rows: HistoryRows, _ key: HistoryKey) -> [Entry] {
        (rows.latest(key, as: AlikeAccounts.self)?.accounts ?? []).map {
            Entry(account: $0, name: "an account that was named before")
        }
    }

    /// Whether the account is an own key or a contact on this network: a person named it, so nothing else
    /// needs to be known.
    func isNamed(_ account: [UInt8]) -> Bool { known.contains(account) }

    func isOwn(_ account: [UInt8]) -> Bool { own.contains(account) }
}
