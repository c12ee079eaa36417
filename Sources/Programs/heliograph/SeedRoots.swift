import Keys
import Review
import SubstratePrimitives
import TrustStore
import Vault

extension UnlockedVault {
    /// The sr25519 public key of the empty path.
    borrowing func root(of seed: String) throws -> PublicKey { try key(of: seed, path: .root, scheme: .sr25519) }

    /// The public key of a seed at a path, without a password.
    borrowing func key(of seed: String, path: DerivationPath, scheme: SignatureScheme) throws -> PublicKey {
        try withSeed(seed) { (entropy: borrowing SecretBytes) in
            try KeyPair.derive(entropy: entropy, path: path, scheme: scheme).publicKey
        }
    }
}

extension OpenVault {
    /// Makes the store's roots those of the vault's seeds. They differ after an interruption between the two files, and where the store was
    /// made anew.
    static func keepRoots(of vault: borrowing UnlockedVault, in store: UnlockedStore) throws {
        let known = try store.state().seedRoots.map(\.seed)
        let names = vault.seedNames
        var changes = known.filter { !names.containsUTF8(of: $0) }.map { TrustChange.removeSeedRoot($0) }
        for name in names where !known.containsUTF8(of: name) { changes.append(.putSeedRoot(name, try vault.root(of: name))) }
        if !changes.isEmpty { try store.change(changes, events: []) }
    }
}
