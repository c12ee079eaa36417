import Accounts
import Cards
import Hashing
import History
import Keys
import Review
import SubstratePrimitives
import TrustStore
import UOS

/// All effects of importing a list of contacts, before anybody says yes.
///
/// A list proves only who signed it. So the signer must be an own key or one that a person added, a list
/// changes and removes only contacts from lists of the same signer, and every name must pass `TakenNames`
/// like a typed one. If a list and a person disagree on a name, the person's name stays. A name that moves
/// from one account to another is as dangerous as a new name for an account, so both need a typed word.
public struct ContactListPlan: Sendable, Equatable {
    /// An entry that changes a contact of the same signer's lists.
    public struct Change: Sendable, Equatable {
        public let before: ContactRecord
        public let after: ContactRecord

        /// Whether the account gets another name.
        public var isRenamed: Bool { !before.label.utf8Equals(after.label) }
    }

    /// An entry that changes nothing, because the vault knows the account in another way.
    public struct Kept: Sendable, Equatable {
        /// Why the entry changes nothing.
        public enum Reason: Sendable, Equatable {
            /// The account is one of this vault's keys.
            case ownKey
            /// The person, or another signer's list, named the account already.
            case contact(label: String?)

            public static func == (one: Reason, other: Reason) -> Bool {
                switch (one, other) {
                case (.ownKey, .ownKey): true
                case (.contact(let one), .contact(let other)): one.utf8Equals(other)
                case (.ownKey, _), (.contact, _): false
                }
            }
        }

        public let entry: ContactList.Entry
        public let reason: Reason
    }

    public let list: ContactList
    /// The person's name for the signer.
    public let signerName: String
    public let additions: [ContactRecord]
    public let changes: [Change]
    public let removals: [ContactRecord]
    public let kept: [Kept]
    /// Names that stood for another account until now.
    public let moved: [String]
    /// The look-alikes among the accounts that the list names; `ChainData.comparing(_:)` finds them.
    public internal(set) var lookAlikes: [Resemblance] = []

    public static func == (one: ContactListPlan, other: ContactListPlan) -> Bool {
        one.list == other.list && one.signerName.utf8Equals(other.signerName)
            && one.additions == other.additions
            && one.changes == other.changes && one.removals == other.removals && one.kept == other.kept
            && one.moved.utf8ElementsEqual(other.moved) && one.lookAlikes == other.lookAlikes
    }

    /// What a person types where an account is renamed, or a name moves to another account.
    public static let word = "relabel"

    /// What must be typed instead of yes. Those of look-alikes, as in `TypedWord`, go before the other.
    public var word: String? { lookAlikes.isEmpty ? relabelWord : TypedWord.joined(lookAlikes.map(\.word)) }

    /// Whether an account is renamed, or a name moves to another account.
    public var isRelabelling: Bool { relabelWord != nil }

    private var relabelWord: String? {
        changes.contains(where: \.isRenamed) || !moved.isEmpty ? Self.word : nil
    }

    /// Whether the vault has everything already.
    public var isEmpty: Bool { additions.isEmpty && changes.isEmpty && removals.isEmpty }

    /// Whether the signature is the issuer's, over exactly this list.
    public static func isSigned(_ payload: ContactListPayload) -> Bool {
        payload.signature.key == payload.list.issuer
            && Signature.verify(
                payload.signature.signature, message: payload.list.signedBytes, key: payload.list.issuer,
                domain: .heliograph)
    }

    /// - `seeds`: names of the vault's seeds.
    /// - Throws: `ContactRefusal`
    public init(_ payload: ContactListPayload, in trust: TrustState, seeds: [String] = [])
        throws(ContactRefusal)
    {
        let list = payload.list
        let key = list.issuer
        guard Self.isSigned(payload) else { throw .wrongSignature(key) }
        let isOwn = trust.key(key) != nil
        guard isOwn || trust.listSigner(key) != nil else { throw .unknownListSigner(key) }
        // A verifier that became one after it was added as a signer.
        guard isOwn || !trust.isMetadataVerifier(key) else { throw .signerIsVerifier(key) }
        if let last = trust.lastList(of: key) {
            guard list.number >= last.number else { throw .olderList(list.number, held: last.number) }
            guard list.number > last.number || Hash32.blake2b(of: list.body) == last.body else {
                throw .otherListOfNumber(list.number)
            }
        }
        let source = ContactSource.list(key).text
        var (additions, changes, kept): ([ContactRecord], [Change], [Kept]) = ([], [], [])
        for entry in list.entries {
            let new = ContactRecord(
                scheme: nil, account: entry.account, label: entry.label, note: entry.note,
                networks: entry.networks, source: source)
            if trust.ownKey(account: entry.account) != nil {
                kept.append(Kept(entry: entry, reason: .ownKey))
            } else if let held = trust.contact(account: entry.account) {
                if !held.source.utf8Equals(source) {
                    kept.append(
                        Kept(entry: entry, reason: .contact(label: held.isPrivate ? nil : held.label)))
                } else if held != new {
                    changes.append(Change(before: held, after: new))
                }
            } else {
                additions.append(new)
            }
        }
        let named = Set(list.entries.map(\.account))
        let removals = trust.contacts.filter { $0.source.utf8Equals(source) && !named.contains($0.account) }
        guard trust.contacts.count - removals.count + additions.count <= ContactList.maximumEntries else {
            throw .full
        }

        // Names are freed first, then given: a list may exchange two of them, and then both move.
        let renamed = changes.filter(\.isRenamed)
        let freed = (removals + renamed.map(\.before)).map(\.label)
        var names = TakenNames(trust, seeds: seeds)
        for contact in trust.contacts where !contact.isPrivate { names.add(contact: contact.label) }
        for label in freed { names.remove(contact: label) }
        for label in additions.map(\.label) + renamed.map(\.after.label) {
            try names.check(label)
            names.add(contact: label)
        }
        let freedShapes = Set(freed.map { NameShape($0) })
        let ownShapes = Dictionary(renamed.map { (NameShape($0.after.label), NameShape($0.before.label)) }) {
            first, _ in first
        }
        moved = (additions.map(\.label) + renamed.map(\.after.label)).filter { label in
            let shape = NameShape(label)
            return freedShapes.contains(shape) && ownShapes[shape] != shape
        }
        self.list = list
        signerName = trust.name(ofListSigner: key)
        (self.additions, self.changes, self.removals, self.kept) = (additions, changes, removals, kept)
    }

    /// The change that records a list which was signed here, so that the next has a higher number.
    public static func recording(_ list: ContactList) -> TrustChange { ContactListSetting.recording(list) }

    /// What is written into the store.
    public var trustChanges: [TrustChange] {
        removals.map { .removeContact(account: $0.account) } + changes.map { .putContact($0.after) }
            + additions.map { .putContact($0) } + [
                ContactListSetting.recording(list)
            ]
    }

    /// The lines of the log: one for the list, and one for each contact.
    public var events: [LogEvent] {
        let facts = [
            LogEvent.Fact("signer", signerName), LogEvent.Fact("scheme", list.issuer.scheme.name),
            LogEvent.Fact("public_key", Hex.encode(list.issuer.bytes)),
            LogEvent.Fact("number", String(list.number)),
            LogEvent.Fact("hash", Hash32.blake2b(of: list.body).hex),
        ]
        return [LogEvent(.contactListImported, facts)] + removals.map { $0.event(.contactRemoved) }
            + changes.map { $0.after.event(.contactChanged, before: $0.before) }
            + additions.map { $0.event(.contactAdded) }
    }
}

extension ContactRecord {
    /// A line of the log about a contact. A private contact is logged by its account alone, because the log
    /// is readable on the disk.
    public func event(_ kind: LogEvent.Kind, before: ContactRecord? = nil) -> LogEvent {
        var facts = [LogEvent.Fact("account", Hex.encode(account))]
        if isPrivate {
            facts.append(LogEvent.Fact("private", "true"))
        } else {
            facts.append(LogEvent.Fact("label", label))
        }
        if let before, !before.label.utf8Equals(label), !before.isPrivate {
            facts.append(LogEvent.Fact("before", before.label))
        }
        facts += networks.map { LogEvent.Fact("genesis_hash", $0.hex) }
        switch origin {
        case let origin?: facts.append(LogEvent.Fact("source", origin.word))
        case nil: break
        }
        return LogEvent(kind, facts)
    }
}

extension ChainData {
    /// The plan with the look-alikes among the accounts that it names.
    public func comparing(_ plan: ContactListPlan) throws -> ContactListPlan {
        var plan = plan
        plan.lookAlikes = try resemblances(of: plan.additions + plan.changes.map(\.after))
        return plan
    }
}
