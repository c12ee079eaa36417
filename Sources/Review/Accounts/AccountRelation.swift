import Cards
import Hashing
import SubstratePrimitives
import TrustStore

/// Whose an account is.
public enum AccountRelation: Sendable, Equatable {
    /// A key of this vault.
    case own(seed: String, path: String)
    /// An account of a group that this machine is a member of.
    case group(String, path: String)
    /// A contact.
    case contact(ContactMark)
    /// Neither a key of this vault nor a contact.
    case stranger
    /// There are no keys to compare it with.
    case unchecked

    /// Whether this vault signs for it, alone or as a member of its group.
    public var isOfThisVault: Bool {
        switch self {
        case .own, .group: true
        case .contact, .stranger, .unchecked: false
        }
    }

    public static func == (one: AccountRelation, other: AccountRelation) -> Bool {
        switch (one, other) {
        case (.own(let seed, let path), .own(let otherSeed, let otherPath)): seed.utf8Equals(otherSeed) && path.utf8Equals(otherPath)
        case (.group(let name, let path), .group(let otherName, let otherPath)):
            name.utf8Equals(otherName) && path.utf8Equals(otherPath)
        case (.contact(let one), .contact(let other)): one == other
        case (.stranger, .stranger), (.unchecked, .unchecked): true
        case (.own, _), (.group, _), (.contact, _), (.stranger, _), (.unchecked, _): false
        }
    }
}

extension Card {
    /// Whose account it is.
    public var relation: AccountRelation {
        guard let fact = fields.first(where: { $0.name.utf8Equals("seed") })?.fact else { return .unchecked }
        if let group = text(of: "group") { return .group(group, path: text(of: "path") ?? "") }
        guard case .text(let seed) = fact else { return ContactMark(card: self).map { .contact($0) } ?? .stranger }
        return .own(seed: seed, path: text(of: "path") ?? "")
    }
}

extension TrustState {
    /// Whose an account is, and the label of an own key.
    /// - Parameter genesis: of the network that the account is on.
    public func relation(of account: [UInt8], genesis: GenesisHash?) -> (AccountRelation, String?) {
        let fields = [Card.Field("public_key", Hex.encode(account))]
        let card = labelled([Card(.account, "", fields: fields)], genesis: genesis)[0]
        return (card.relation, card.text(of: "label"))
    }
}
