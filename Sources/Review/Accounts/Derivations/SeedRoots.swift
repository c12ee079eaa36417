import Keys
import SubstratePrimitives
import TrustStore

/// The root public keys of the vault's seeds: sealed settings `seed_root/NAME` of 32 bytes, each the sr25519
/// key of the empty path. One more byte, 1, marks a SLIP-39 master secret, whose key is `SeedSecret.root()`.
///
/// They find the seed of a payload that names a root while the vault is locked. They reveal no more than an
/// export of derivations.
extension TrustState {
    public static let seedRootPrefix = "seed_root/"

    /// Each root with the name of its seed, in no particular order.
    public var seedRoots: [(seed: String, root: PublicKey)] {
        var roots: [(seed: String, root: PublicKey)] = []
        for (name, value) in settings where name.utf8Starts(with: Self.seedRootPrefix) {
            guard let root = PublicKey(scheme: .sr25519, bytes: Array(value.prefix(32))) else { continue }
            roots.append(
                (String(decoding: name.utf8.dropFirst(Self.seedRootPrefix.utf8.count), as: UTF8.self), root))
        }
        return roots
    }

    /// What a seed is; ``SeedSecret/Kind/phrase`` also for a name that no seed has.
    public func kind(ofSeed name: String) -> SeedSecret.Kind {
        guard let value = settings[Self.seedRootPrefix + name], value.count == 33 else { return .phrase }
        return SeedSecret.Kind(rawValue: value[32]) ?? .phrase
    }

    /// The seeds that have this root, by name: more than one where a phrase was restored twice.
    public func seeds(root: PublicKey) -> [String] {
        seedRoots.filter { $0.root == root }.map(\.seed).sorted()
    }
}

extension TrustChange {
    public static func putSeedRoot(
        _ seed: String, _ root: PublicKey, kind: SeedSecret.Kind = .phrase
    ) -> TrustChange {
        .putSetting(
            TrustState.seedRootPrefix + seed, root.bytes + (kind == .phrase ? [] : [kind.rawValue]))
    }

    public static func removeSeedRoot(_ seed: String) -> TrustChange {
        .removeSetting(TrustState.seedRootPrefix + seed)
    }
}
