import Accounts
import Cards
import Hashing
import History
import SubstratePrimitives
import TrustStore
import TrustUpdates
import UOS

/// Adds a contact, gives it another name, or removes it.
public struct ChangeContact: Operation {
    /// What changes. A contact is named by its name or its address; a private one by its address only.
    public enum Change: Sendable {
        /// - Parameters:
        ///   - networks: names or genesis hashes; empty for all networks.
        ///   - isPrivate: whether name and note are encrypted on the disk.
        case add(
            label: String, account: [UInt8], note: String, networks: [String], source: ContactSource,
            isPrivate: Bool)
        /// The contact, and its new name.
        case label(String, String)
        /// The contact that goes.
        case remove(String)
    }

    /// What a person must see.
    public struct Step: Sendable, Equatable {
        /// The contact after the change, or before its removal. A private contact has its name and note here
        /// only if this command gave them.
        public let contact: ContactRecord
        /// Whether name and note are encrypted on the disk.
        public let isPrivate: Bool
        /// The address with the prefix of the contact's first network.
        public let address: String
        /// The former name; nil for a new contact, and where the name is encrypted.
        public let before: String?
        /// Whether the vault has no contact yet.
        public let isFirst: Bool
        /// The known account that a new contact looks like.
        public let resemblance: Resemblance?
        /// What must be typed instead of yes.
        public let word: String?

        public static func == (one: Step, other: Step) -> Bool {
            one.contact == other.contact && one.isPrivate == other.isPrivate
                && one.address.utf8Equals(other.address)
                && one.before.utf8Equals(other.before) && one.isFirst == other.isFirst
                && one.resemblance == other.resemblance
                && one.word.utf8Equals(other.word)
        }
    }

    let change: Change

    /// One change of one contact.
    public init(_ change: Change) { self.change = change }

    /// - Throws: `ContactRefusal`, `LookupError`
    public func preview(_ view: VaultView) throws -> Step {
        let trust = view.trust
        switch change {
        case .add(let label, let account, let note, let networks, let source, let isPrivate):
            guard note.utf8.count <= ContactList.maximumNote else {
                throw ContactRefusal.noteTooLong(note.utf8.count)
            }
            let chains = Set(try networks.map { try trust.knownChain(named: $0) }).sorted {
                $0.bytes.lexicographicallyPrecedes($1.bytes)
            }
            let contact = ContactRecord(
                scheme: nil, account: account, label: label, note: note, networks: chains, source: source.text
            )
            guard trust.ownKey(account: account) == nil else {
                throw ContactRefusal.ownAccount(trust.address(of: contact))
            }
            if let held = trust.contact(account: account) {
                throw ContactRefusal.exists(held.isPrivate ? "a private contact" : held.label)
            }
            guard trust.contacts.count < ContactList.maximumEntries else { throw ContactRefusal.full }
            try Self.names(trust, view.seedNames).check(label)
            let resemblance = try view.chain.resemblances(of: [contact]).first
            return step(contact, isPrivate, in: trust, resembling: resemblance, word: resemblance?.word)
        case .label(let name, let label):
            let held = try trust.contact(named: name)
            var names = Self.names(trust, view.seedNames)
            // The same name in another case is a change, too, and no conflict.
            if !held.isPrivate { names.remove(contact: held.label) }
            try names.check(label)
            var contact = held
            contact.label = label
            contact.sealed = nil
            return step(
                contact, held.isPrivate, in: trust, before: held.isPrivate ? nil : held.label,
                word: ContactListPlan.word)
        case .remove(let name):
            let held = try trust.contact(named: name)
            return step(held, held.isPrivate, in: trust, before: held.isPrivate ? nil : held.label)
        }
    }

    private func step(
        _ contact: ContactRecord, _ isPrivate: Bool, in trust: TrustState, before: String? = nil,
        resembling: Resemblance? = nil,
        word: String? = nil
    ) -> Step {
        Step(
            contact: contact, isPrivate: isPrivate, address: trust.address(of: contact), before: before,
            isFirst: trust.contacts.isEmpty,
            resemblance: resembling, word: word)
    }

    /// The names that a new one must differ from. Those of private contacts are known only under the seal.
    static func names(_ trust: TrustState, _ seeds: [String]) -> TakenNames {
        var names = TakenNames(trust, seeds: seeds)
        for contact in trust.contacts where !contact.isPrivate { names.add(contact: contact.label) }
        return names
    }

    public func perform(_ shown: Step, in context: CommitContext<Self>) throws -> PreparedCommit<Void> {
        let account = shown.contact.account
        switch change {
        case .add(let label, _, let note, _, _, _):
            try context.requireFree(contact: label)
            let contact = stored(shown, PrivateName(label: label, note: note), context)
            return PreparedCommit((), [.putContact(contact)], events: [contact.event(.contactAdded)])
        case .label(_, let label):
            let held = context.view.trust.contact(account: account)
            try context.requireFree(contact: label, except: account)
            let note =
                try held.map { $0.isPrivate ? try PrivateName($0, in: context.session.vault).note : $0.note }
                ?? ""
            let contact = stored(shown, PrivateName(label: label, note: note), context)
            return PreparedCommit(
                (), [.putContact(contact)], events: [contact.event(.contactChanged, before: held)])
        case .remove:
            return PreparedCommit(
                (), [.removeContact(account: account)], events: [shown.contact.event(.contactRemoved)])
        }
    }

    private func stored(_ shown: Step, _ name: PrivateName, _ context: CommitContext<Self>) -> ContactRecord {
        var contact = shown.contact
        guard shown.isPrivate else { return contact }
        contact.label = ""
        contact.note = ""
        contact.sealed = name.sealed(for: contact.account, in: context.session.vault)
        return contact
    }
}

extension CommitContext {
    /// Refuses a name that may be taken for a private contact's. The preview cannot: it has no key.
    func requireFree(contact label: String, except account: [UInt8] = []) throws {
        let shape = NameShape(label)
        for contact in view.trust.contacts where contact.isPrivate && contact.account != account {
            let held = try PrivateName(contact, in: session.vault).label
            guard NameShape(held) != shape else { throw ContactRefusal.taken(label, by: .contact(held)) }
        }
    }
}
