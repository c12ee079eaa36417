import Accounts
import Cards
import GroupCollect
import SubstratePrimitives
import TrustStore
import UOS

/// A host card b0 before it becomes a host contact: a name that the machine gives itself, a key, and the
/// words that people compare.
///
/// The card's signature proves that its maker has the key, not that the name is right. Only a person who
/// hears the same words from the other person knows whose key it is, so a typed word is required and a yes is
/// not enough.
public struct HostCardReview: Sendable, Equatable {
    /// What is typed after the comparison, of a card and of the unknown keys of a proposal.
    public static let word = "compared"
    /// Host contacts of one vault.
    public static let maximumContacts = GroupRefusal.maximumContacts

    /// The card, signed by its machine.
    public let host: GroupHost
    /// The card's own words.
    public var card: GroupMember { host.member }
    /// The name of the contact: the person's choice, or the card's name if there is none.
    public let name: String
    /// Eight words of the key.
    public let words: String
    /// The name that the key has here already.
    public let before: String?
    public let warnings: [GroupWarning]

    /// - `name`: the name that the person gave; nil to keep the contact's present name, or to take the card's
    ///   for a new contact.
    /// - Throws: `GroupCollectError.hostSignature(kind:members:)`, ``GroupRefusal``,
    ///   `ContactRefusal.label(_:_:)`
    public init(_ host: GroupHost, name: String?, _ trust: TrustState, seeds: [String]) throws {
        words = try host.checkedWords().joined(separator: " ")
        self.host = host
        let card = host.member
        if case .own(let seed, _) = trust.standing(ofHost: card.hostKey) {
            throw GroupRefusal.ownCard(seed: seed)
        }
        let held = trust.hostContacts.first { $0.hostKey == card.hostKey }
        before = held?.name
        let chosen = name ?? held?.name ?? card.name
        self.name = chosen
        try GroupNames.check(chosen)
        let others = trust.hostContacts.filter { $0.hostKey != card.hostKey }
        if let other = others.first(where: { NameShape($0.name) == NameShape(chosen) }) {
            throw GroupRefusal.nameTaken(chosen, by: other.name)
        }
        guard held != nil || others.count < Self.maximumContacts else { throw GroupRefusal.contactsFull }
        var taken = TakenNames(trust, seeds: seeds)
        for contact in trust.contacts where !contact.isPrivate { taken.add(contact: contact.label) }
        let borrowed = GroupWarning.ofMember(chosen, card.hostKey, among: try GroupNames.members(trust))
        warnings =
            (taken.holder(of: chosen).map { [.nameStandsFor(ExactText(chosen), other: ExactText($0.words))] }
                ?? []) + borrowed
    }

    /// Whether the contact is there already, by this name.
    public var isHeld: Bool { before.map { $0.utf8Equals(name) } ?? false }

    public static func == (one: HostCardReview, other: HostCardReview) -> Bool {
        one.host == other.host && one.name.utf8Equals(other.name) && one.words.utf8Equals(other.words)
            && one.before.utf8Equals(other.before)
            && one.warnings == other.warnings
    }
}
