import Diagnostics
import Hashing

/// Why an import or a request is refused.
public enum DerivationRefusal: Error, Equatable, Sendable {
    /// No seed has the root of the payload, and the person named none.
    case seedUnknown(root: [UInt8])
    /// A list of paths does not name its seed, and the person named none.
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
                "unknown-seed", "a list of derivation paths does not name its seed",
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
