import ColdStore
import SubstratePrimitives

/// The root public keys of the vault's seeds: sealed settings `seed_root/NAME` of 32 bytes, each the sr25519 key of the empty path.
///
/// They let a payload that names a root find its seed while the vault is locked, and tell nothing that a derivations export does not.
extension TrustState {
    public static let seedRootPrefix = "seed_root/"

    /// By the seed's name.
    public var seedRoots: [String: PublicKey] {
        var roots: [String: PublicKey] = [:]
        for (name, value) in settings where name.hasPrefix(Self.seedRootPrefix) {
            guard let root = PublicKey(scheme: .sr25519, bytes: value) else { continue }
            roots[String(name.dropFirst(Self.seedRootPrefix.count))] = root
        }
        return roots
    }

    /// The seeds that have this root, by name: more than one where a phrase was restored twice.
    public func seeds(root: PublicKey) -> [String] { seedRoots.filter { $0.value == root }.keys.sorted() }
}

extension TrustChange {
    public static func putSeedRoot(_ seed: String, _ root: PublicKey) -> TrustChange {
        .putSetting(TrustState.seedRootPrefix + seed, root.bytes)
    }

    public static func removeSeedRoot(_ seed: String) -> TrustChange { .removeSetting(TrustState.seedRootPrefix + seed) }
}
