import SCALE
import SubstratePrimitives
import TrustStore
import UOS
import Vault

/// The name and the note of a private contact, as they are encrypted. Its account and its networks stand
/// readable in the store: a review compares accounts before the passphrase.
struct PrivateName {
    let label: String
    let note: String

    private static let context = "heliograph private contact"
    /// Bytes. All private names have the same length, so that the store does not show how long one is.
    private static let length = 2 + ContactList.maximumLabel + 2 + ContactList.maximumNote

    init(label: String, note: String) {
        self.label = label
        self.note = note
    }

    /// - Throws: ``StoreError/unreadable(table:)`` where the contact's bytes do not open under this vault's
    ///   data key.
    init(_ contact: ContactRecord, in vault: UnlockedVault) throws {
        guard let sealed = contact.sealed,
            let plain = vault.opened(text: sealed, context: Self.context, bindingTo: contact.account)
        else {
            throw StoreError.unreadable(table: "contact")
        }
        var reader = SCALEReader(plain)
        do throws(SCALEError) { (label, note) = (try reader.string(), try reader.string()) } catch {
            throw StoreError.unreadable(table: "contact")
        }
    }

    /// - Parameter change: of the vault, after which it is to open; nil for now.
    func sealed(for account: [UInt8], in vault: UnlockedVault, after change: VaultChange? = nil) -> [UInt8] {
        var plain = SCALEWriter.encode { writer in
            writer.string(label)
            writer.string(note)
        }
        precondition(plain.count <= Self.length, "a name or a note is longer than the review allows")
        plain += [UInt8](repeating: 0, count: Self.length - plain.count)
        return vault.sealed(text: plain, context: Self.context, bindingTo: account, after: change)
    }
}

/// A contact with its name and note, which of a private one only an open session knows.
public struct NamedContact: Sendable {
    /// The contact's record in the store.
    public let record: ContactRecord
    /// Empty where the name of a private contact is not open.
    public let label: String
    /// Empty for a contact without a note, and for a private one that is not open.
    public let note: String

    /// A contact as the store has it, without the name of a private one.
    public init(_ record: ContactRecord) { self.init(record: record, label: record.label, note: record.note) }

    init(record: ContactRecord, label: String, note: String) {
        self.record = record
        self.label = label
        self.note = note
    }
}

extension Session {
    /// The contacts of the vault with their names, by account.
    public func contacts() throws -> [NamedContact] {
        try store.trust().state.contacts.map { contact in
            guard contact.isPrivate else {
                return NamedContact(record: contact, label: contact.label, note: contact.note)
            }
            let name = try PrivateName(contact, in: vault)
            return NamedContact(record: contact, label: name.label, note: name.note)
        }
    }
}
