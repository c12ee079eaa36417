import Diagnostics
import Hashing

extension DerivationRefusal: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case unknownSeed = "unknown-seed"
        case alreadyKnown = "already-known"
        case nothingToDerive = "nothing-to-derive"
        case keyCollision = "key-collision"
        case addressDiffers = "address-differs"
        case rootDiffers = "root-differs"
        case notOnCards = "not-on-cards"
    }

    public var code: Code {
        switch self {
        case .seedUnknown, .seedNotNamed: .unknownSeed
        case .allKnown: .alreadyKnown
        case .nothingToDo: .nothingToDerive
        case .collision: .keyCollision
        case .addressDiffers: .addressDiffers
        case .rootDiffers: .rootDiffers
        case .notOnCards: .notOnCards
        }
    }

    public var sentence: String {
        switch self {
        case .seedUnknown(let root): "no seed of this vault has root key 0x\(Hex.encode(root))"
        case .seedNotNamed: "a list of derivation paths does not say whose they are"
        case .allKnown: "all these keys are already in this vault"
        case .nothingToDo: "none of these keys can be derived here"
        case .collision(let path): "\(path.isEmpty ? "the root key" : path) collides with another key of this vault"
        case .addressDiffers(let path, let seed):
            "seed \(seed) leads to a different key at \(path.isEmpty ? "the root" : path) than the payload says"
        case .rootDiffers(let seed): "seed \(seed) has a different root key than the payload says"
        case .notOnCards(let gap): gap.sentence
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
