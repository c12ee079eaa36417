import Accounts
import Hashing
import Keys
import SubstratePrimitives
import TrustStore
import TrustUpdates
import UOS

/// Signs contacts of this vault as a list for another one. Private contacts never leave the vault.
public struct ExportContacts: Operation {
    /// What is signed, and the key that signs it.
    public struct Shown: Sendable, Equatable {
        /// The own key that signs.
        public let key: KeyRecord
        /// What is signed, with the next number of this key.
        public let list: ContactList
        /// Private contacts that are not in it.
        public let leftOut: Int
    }

    let address: String

    /// - Parameter address: of the key that signs.
    public init(key address: String) { self.address = address }

    /// - Throws: `LookupError`, `ContactRefusal.noContacts`, `ContactRefusal.noNumberLeft`,
    ///   `SS58Address.Failure`
    public func preview(_ view: VaultView) throws -> Shown {
        let key = try view.trust.key(address: address)
        try view.trust.requireHeldHere(key)
        let contacts = view.trust.contacts.filter { !$0.isPrivate }
        guard !contacts.isEmpty else { throw ContactRefusal.noContacts }
        let last = view.trust.lastList(of: key.publicKey)?.number ?? 0
        guard last < .max else { throw ContactRefusal.noNumberLeft }
        let entries = contacts.map {
            ContactList.Entry(account: $0.account, label: $0.label, note: $0.note, networks: $0.networks)
        }
        let list: ContactList
        do throws(ContactList.Failure) {
            list = try ContactList(issuer: key.publicKey, number: last + 1, entries: entries)
        } catch {
            throw PayloadError.contactList(error)
        }
        return Shown(key: key, list: list, leftOut: view.trust.contacts.count - contacts.count)
    }

    /// The payload a3.
    public func perform(_ shown: Shown, in context: CommitContext<Self>) throws -> PreparedCommit<[UInt8]> {
        let pair = try context.keyPair(shown.key)
        let payload = ContactListPayload(
            shown.list, signature: try pair.sign(shown.list.signedBytes, domain: .heliograph))
        let facts =
            [
                LogEvent.Fact("key", Hex.encode(shown.key.publicKey.bytes))
            ] + LogEvent.origin(of: shown.key, in: context.view.trust) + [
                LogEvent.Fact("number", String(shown.list.number)),
                LogEvent.Fact("contacts", String(shown.list.entries.count)),
                LogEvent.Fact("hash", Hash32.blake2b(of: shown.list.body).hex),
            ]
        return PreparedCommit(
            payload.bytes, [ContactListPlan.recording(shown.list)],
            events: [LogEvent(.contactListSigned, facts)])
    }
}
