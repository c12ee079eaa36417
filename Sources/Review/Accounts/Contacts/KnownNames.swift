import Cards
import Hashing
import Keys
import SubstratePrimitives
import TrustStore

/// What a vault calls accounts, for the cards of one network. The one place where a name is put beside an account.
struct KnownNames {
    /// The fields of own keys by their account.
    private var own: [[UInt8]: [Card.Field]] = [:]
    private var contacts: [[UInt8]: ContactMark] = [:]
    private let hasSeeds: Bool

    /// - Parameter genesis: of the network that the accounts are on; nil where no network takes part.
    init(_ trust: TrustState, genesis: GenesisHash?) {
        hasSeeds = !trust.seedRoots.isEmpty
        // A group's address that nobody compared may be one that no members can use: it is nobody's here until then.
        for key in trust.keys where !trust.isOfUncomparedGroup(key) {
            guard let account = key.publicKey.accountID, own[account] == nil else { continue }
            own[account] = Self.fields(of: key) + trust.groupFields(of: key)
        }
        for contact in trust.contacts { contacts[contact.account] = ContactMark(contact, in: trust, genesis: genesis) }
    }

    /// Whether there is nothing to compare an account with.
    var isEmpty: Bool { own.isEmpty && contacts.isEmpty && !hasSeeds }

    func has(_ account: [UInt8]) -> Bool { own[account] != nil || contacts[account] != nil }

    /// An own key goes before a contact: a name that was given to an account cannot hide that its key came into this vault later.
    func fields(of account: [UInt8]) -> [Card.Field] {
        own[account] ?? Self.fields(of: nil) + (contacts[account]?.fields ?? [])
    }

    private static func fields(of key: KeyRecord?) -> [Card.Field] {
        [Card.Field("label", key?.label), Card.Field("seed", key?.seed), Card.Field("path", key?.path)]
    }
}

extension TrustState {
    /// Whether the key is an account of a group whose members have not compared its address.
    package func isOfUncomparedGroup(_ key: KeyRecord) -> Bool { key.group.flatMap { group($0) }.map { !$0.isCompared } ?? false }
}

/// A contact's name as a review shows it, and how far the name goes.
public struct ContactMark: Sendable, Equatable {
    /// nil for a private contact: its name is encrypted, and a review is read before the passphrase.
    public let name: String?
    /// Who signed the list that it comes from, in the person's word; nil where the person named the account.
    public let list: String?
    /// Whether the person said other networks than the one of this payload.
    public let isOfOtherNetwork: Bool

    init(_ contact: ContactRecord, in trust: TrustState, genesis: GenesisHash?) {
        name = contact.isPrivate ? nil : contact.label
        if case .list(let key)? = contact.origin { list = trust.name(ofListSigner: key) } else { list = nil }
        isOfOtherNetwork = genesis.map { !contact.networks.isEmpty && !contact.networks.contains($0) } ?? false
    }

    /// What ``fields`` say; nil on a card of any other account.
    init?(card: Card) {
        guard case .flag(let isOfOtherNetwork)? = card.fields.first(where: { $0.name.utf8Equals("contact_of_other_network") })?.fact else {
            return nil
        }
        name = card.text(of: "contact")
        list = card.text(of: "contact_list")
        self.isOfOtherNetwork = isOfOtherNetwork
    }

    var fields: [Card.Field] {
        [
            Card.Field("contact", name), Card.Field("contact_list", list), Card.Field("contact_of_other_network", .flag(isOfOtherNetwork)),
        ]
    }

    public static func == (one: ContactMark, other: ContactMark) -> Bool {
        one.name.utf8Equals(other.name) && one.list.utf8Equals(other.list) && one.isOfOtherNetwork == other.isOfOtherNetwork
    }
}

extension Card {
    /// The account that a notice names: by its address, or as the only account of a location.
    var noticedAccount: [UInt8]? {
        if let address = text(of: "address") { return try? AccountText(address).account }
        guard case .texts(let accounts)? = fields.first(where: { $0.name.utf8Equals("accounts") })?.fact, accounts.count == 1 else {
            return nil
        }
        return Hex.decode(accounts[0])
    }
}
