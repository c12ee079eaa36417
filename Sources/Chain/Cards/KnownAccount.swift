import SubstratePrimitives

/// Whose an account is.
public enum AccountRelation: Sendable, Equatable {
    /// A key of this vault.
    case own(seed: ExactText, path: ExactText)
    /// An account of a group that this machine is a member of.
    case group(ExactText, path: ExactText)
    /// A key of this vault that no seed gives.
    case imported
    /// A contact.
    case contact(ContactMark)
    /// Neither a key of this vault nor a contact.
    case stranger
    /// There are no keys to compare it with.
    case unchecked

    /// Whether this vault signs for it, alone or as a member of its group.
    public var isOfThisVault: Bool {
        switch self {
        case .own, .group, .imported: true
        case .contact, .stranger, .unchecked: false
        }
    }
}

/// What a vault calls an account.
public struct KnownAccount: Sendable, Equatable {
    /// Whose it is.
    public let relation: AccountRelation
    /// The label, if the account belongs to a key of this vault.
    public let label: ExactText?

    /// Whose it is, and the label of an own key.
    public init(_ relation: AccountRelation, label: String? = nil) {
        (self.relation, self.label) = (relation, label.map { ExactText($0) })
    }
}

/// A contact's name as a review shows it, and how far the name goes.
public struct ContactMark: Sendable, Equatable {
    /// nil for a private contact: its name is encrypted, and a review is read before the passphrase.
    public let name: ExactText?
    /// Who signed the list that it comes from, in the person's word; nil where the person named the account.
    public let list: ExactText?
    /// Whether the person said other networks than the one of this payload.
    public let isOfOtherNetwork: Bool

    /// The name, its source and its reach.
    public init(name: String?, list: String?, isOfOtherNetwork: Bool) {
        self.name = name.map { ExactText($0) }
        self.list = list.map { ExactText($0) }
        self.isOfOtherNetwork = isOfOtherNetwork
    }
}
