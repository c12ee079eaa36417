import SubstratePrimitives
import TrustStore

/// The accounts that a look-alike is compared with, beside the destinations that were paid before: own keys and contacts.
struct KnownAccounts {
    struct Entry {
        let account: [UInt8]
        /// As a warning says it.
        let name: String
    }

    private(set) var entries: [Entry] = []
    private var known: Set<[UInt8]> = []

    /// - Parameter network: contacts of other networks are compared, too, but are no contacts here.
    init(_ state: TrustState, network: GenesisHash?) {
        for key in state.keys {
            guard let account = key.ethereumAddress ?? key.publicKey.accountID else { continue }
            entries.append(Entry(account: account, name: "your key \(key.label ?? state.place(of: key))"))
            known.insert(account)
        }
        for contact in state.contacts {
            // A private contact's name is not readable here.
            entries.append(Entry(account: contact.account, name: contact.label.isEmpty ? "a contact" : "contact \(contact.label)"))
            if contact.networks.isEmpty || network.map(contact.networks.contains) ?? false { known.insert(contact.account) }
        }
    }

    /// The accounts with these ends that were paid before.
    static func paid(_ rows: HistoryRows, _ key: HistoryKey) -> [Entry] {
        (rows.latest(key, as: AlikeAccounts.self)?.accounts ?? []).map { Entry(account: $0, name: "an account that was paid before") }
    }

    /// Whether the account is an own key or a contact on this network: a person named it, so nothing else needs to be known.
    func isNamed(_ account: [UInt8]) -> Bool { known.contains(account) }
}
