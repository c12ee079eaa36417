import Diagnostics
import Hashing

/// What happens to one derivation of an import or a request; the raw value is the stable word of the card.
public enum DerivationStatus: String, Sendable {
    /// The key is derived and added.
    case new
    /// The vault has the key, and allows it on one more network.
    case newOnNetwork = "new_on_network"
    case alreadyKnown = "already_known"
    /// The payload has the same derivation before.
    case repeated
    /// The vault has this key with another path or seed, or another key at this path.
    case collides
    case networkUnknown = "network_unknown"
    case networkBlocked = "network_blocked"
    /// The network is known, but not with this signature scheme.
    case schemeNotOfNetwork = "scheme_not_of_network"
    /// The path holds a `///password`, which belongs to the one key that it is asked for.
    case passwordProtected = "password_protected"
    /// No key can be derived: not a path, a soft junction where the scheme has none, or a path of host keys.
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

    /// The card's line.
    var words: String {
        switch self {
        case .new: "new"
        case .newOnNetwork: "known, new on this network"
        case .alreadyKnown: "already known"
        case .repeated: "duplicate"
        case .collides: "collides with another key of this vault, skipped"
        case .networkUnknown: "network unknown, skipped"
        case .networkBlocked: "network blocked, skipped"
        case .schemeNotOfNetwork: "the network has no keys of this scheme, skipped"
        case .passwordProtected: "has a ///password, skipped"
        case .badPath: "the path cannot be derived, skipped"
        case .badAddress: "the address cannot be read, skipped"
        case .seedUnknown: "no matching seed in this vault, skipped"
        }
    }
}

/// Why an import or a request is refused.
public enum DerivationRefusal: Error, Equatable, Sendable {
    /// No seed has the root of the payload, and none was named.
    case seedUnknown(root: [UInt8])
    /// A list of paths says no seed, and none was named.
    case seedNotNamed
    /// Every derivation is already in this vault.
    case allKnown
    /// No derivation can be added or answered.
    case nothingToDo
    /// Nothing else can be added, and this derivation collides with what the vault holds.
    case collision(path: String)
    /// The seed derives another key than the payload says.
    case addressDiffers(path: String, seed: String)
    /// The seed has another root than the payload says.
    case rootDiffers(seed: String)
    /// The cards do not determine the bytes of the payload.
    case notOnCards(CardGap)
}

extension DerivationRefusal: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .seedUnknown(let root):
            .refused(
                "unknown-seed", "no seed of this vault has root key 0x\(Hex.encode(root))",
                hint: "heliograph scan --seed NAME")
        case .seedNotNamed:
            .refused(
                "unknown-seed", "a list of derivation paths does not say whose they are",
                hint: "heliograph scan --seed NAME")
        case .allKnown:
            .refused("already-known", "all these keys are already in this vault", hint: "heliograph key list")
        case .nothingToDo:
            .refused(
                "nothing-to-derive", "none of these keys can be derived here",
                hint: "heliograph seed list; were these keys exported from another seed?")
        case .collision(let path):
            .refused(
                "key-collision",
                "\(path.isEmpty ? "the root key" : path) collides with another key of this vault",
                hint: "heliograph key list")
        case .addressDiffers(let path, let seed):
            .badInput(
                "address-differs",
                "seed \(seed) leads to a different key at \(path.isEmpty ? "the root" : path) "
                    + "than the payload says",
                hint: "heliograph seed list; were these keys exported from another seed?")
        case .rootDiffers(let seed):
            .badInput(
                "root-differs", "seed \(seed) has a different root key than the payload says",
                hint: "heliograph seed list; were these keys exported from another seed?")
        case .notOnCards(let gap): .badInput("not-on-cards", gap.sentence)
        }
    }

    public static var examples: [DerivationRefusal] {
        [
            .seedUnknown(root: [0xd4, 0x35]), .seedNotNamed, .allKnown, .nothingToDo, .collision(path: "//0"),
            .addressDiffers(path: "//0", seed: "alice"),
            .rootDiffers(seed: "alice"), .notOnCards(.byte(7)),
        ]
    }
}
