import Accounts
import Keys
import SubstratePrimitives
import TrustStore
import Vault

/// A seed by its name and its root key, so that a later seed with the same name is a different one.
public struct SeedIdentity: Sendable {
    /// UTF-8 of 1 to 64 bytes, compared by its bytes.
    public let name: String
    /// The sr25519 key of the empty path; nil where the store does not hold it yet.
    public let root: PublicKey?

    /// Whether a person who has seen this one has seen `other`. A root that was not shown decides nothing.
    func isSame(_ other: SeedIdentity) -> Bool {
        name.utf8Equals(other.name) && (root == nil || root == other.root)
    }

    /// The key at the root of a phrase.
    static func root(of entropy: borrowing SecretBytes) throws(KeyError) -> PublicKey {
        try KeyPair.derive(entropy: entropy, path: .root, scheme: .sr25519).publicKey
    }
}

extension VaultView {
    /// - Throws: ``VaultError/noSuchSeed(_:)``
    func seed(_ name: String) throws(VaultError) -> SeedIdentity {
        try requireSeed(name)
        return SeedIdentity(name: name, root: trust.seedRoots.first { $0.seed.utf8Equals(name) }?.root)
    }

    /// - Throws: ``VaultError/invalidSeedName``, ``VaultError/seedExists(_:)``
    func requireFree(seed name: String) throws(VaultError) { try seedNames.requireFree(seed: name) }
}

extension [String] {
    /// Throws where a seed may not get this name beside the seeds of these names.
    func requireFree(seed name: String) throws(VaultError) {
        guard UnlockedVault.isValid(seedName: name) else { throw .invalidSeedName }
        guard !containsUTF8(of: name) else { throw .seedExists(name) }
    }
}
