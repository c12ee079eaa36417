/// What becomes of one derivation of an import or a request; the raw value is the stable word of the card.
public enum DerivationStatus: String, Sendable {
    /// The key is derived and added.
    case new
    /// The key is held, and is allowed on one network more.
    case newOnNetwork = "new_on_network"
    case alreadyKnown = "already_known"
    /// The same derivation stood in the payload before.
    case repeated
    /// The vault holds this key as another path or seed, or another key at this path.
    case collides
    case networkUnknown = "network_unknown"
    case networkBlocked = "network_blocked"
    /// The network is known, and not with this signature scheme.
    case schemeNotOfNetwork = "scheme_not_of_network"
    /// The path holds a `///password`, which belongs to the one key that it is asked for.
    case passwordProtected = "password_protected"
    case badPath = "bad_path"
    case badAddress = "bad_address"
    case seedUnknown = "seed_unknown"

    /// Whether the vault derives the key and changes for it.
    public var isAdded: Bool {
        switch self {
        case .new, .newOnNetwork: true
        case .alreadyKnown, .repeated, .collides, .networkUnknown, .networkBlocked, .schemeNotOfNetwork, .passwordProtected, .badPath,
            .badAddress, .seedUnknown:
            false
        }
    }

    /// What stands on the card's line.
    var words: String {
        switch self {
        case .new: "new"
        case .newOnNetwork: "known, new on this network"
        case .alreadyKnown: "already known"
        case .repeated: "stands here twice"
        case .collides: "collides with another key of this vault, left out"
        case .networkUnknown: "network unknown, left out"
        case .networkBlocked: "network blocked, left out"
        case .schemeNotOfNetwork: "the network has no keys of this scheme, left out"
        case .passwordProtected: "has a ///password, left out"
        case .badPath: "the path cannot be derived, left out"
        case .badAddress: "the address cannot be read, left out"
        case .seedUnknown: "no seed of this vault, left out"
        }
    }
}

/// Why an import or a request is not done.
public enum DerivationRefusal: Error, Equatable, Sendable {
    /// No seed has the root of the payload, and none was named.
    case seedUnknown(root: [UInt8])
    /// Every derivation is held already.
    case allKnown
    /// Not one derivation can be added or answered.
    case nothingToDo
    /// Nothing else can be added, and this derivation collides with what the vault holds.
    case collision(path: String)
    /// The seed leads to another key than the payload says.
    case addressDiffers(path: String, seed: String)
    /// The seed has another root than the payload says.
    case rootDiffers(seed: String)
    /// The cards do not determine the bytes of the payload.
    case notOnCards(CardGap)
}
