import Keys
import SubstratePrimitives
import TrustStore
import UOS

/// The signer of a payload that names a root and a path, where the vault holds the root's seed and has not
/// derived the key yet.
///
/// Seed, path and scheme decide the key, so a person who reads them knows who signs, although the address is
/// not known before the vault is unlocked.
public struct UnderivedKey: Sendable, Equatable {
    public let seed: String
    /// sr25519, as the payload has it.
    public let root: PublicKey
    public let path: String
    public let scheme: SignatureScheme

    public static func == (one: UnderivedKey, other: UnderivedKey) -> Bool {
        one.seed.utf8Equals(other.seed) && one.root == other.root && one.path.utf8Equals(other.path)
            && one.scheme == other.scheme
    }

    /// The key pair. The root is derived again and compared: the stored root of a seed is not enough for a
    /// signature.
    public func keyPair(entropy: borrowing SecretBytes) throws -> KeyPair {
        guard try KeyPair.derive(entropy: entropy, scheme: .sr25519).publicKey == root else {
            throw DerivationRefusal.rootDiffers(seed: seed)
        }
        return try KeyPair.derive(entropy: entropy, path: try DerivationPath(path), scheme: scheme)
    }

    /// The record of the key, stored with its first signature.
    /// - `network`: nil where only the transaction's proof knows the network.
    public func record(_ key: PublicKey, network: GenesisHash?) -> KeyRecord {
        KeyRecord(
            publicKey: key, ethereumAddress: key.scheme == .ethereum ? key.accountID : nil, seed: seed,
            path: path, hasPassword: false,
            networks: network.map { [$0] } ?? [])
    }
}

extension TrustState {
    /// The record of the key that a payload names.
    package func key(for signer: SignerReference, network specs: NetworkSpecs?) -> KeyRecord? {
        switch signer {
        case .key(let key): return self.key(key)
        case .ethereum(let address): return key(scheme: .ethereum, payloadKey: address)
        case .derived(let root, let path, let scheme):
            // Payloads name Substrate paths; the text of another kind is not a path there.
            guard (try? DerivationPath(path)) != nil else { return nil }
            let seeds = seeds(root: root)
            let held = keys.filter {
                $0.path.utf8Equals(path) && !$0.hasPassword && seeds.contains(where: $0.isOf)
                    && scheme.covers($0.publicKey.scheme)
            }
            let allowed = held.filter { record in
                specs.map { record.networks.contains($0.genesisHash) } ?? false
            }
            return allowed.first { $0.publicKey.scheme == scheme } ?? allowed.first
                ?? held.first { $0.publicKey.scheme == scheme.meant(for: specs) }
        }
    }

    /// The signer, if the vault has its seed but not its key; nil also for a path that derives no key of the
    /// scheme.
    package func underivedKey(of signer: SignerReference, network specs: NetworkSpecs?) -> UnderivedKey? {
        guard case .derived(let root, let text, let scheme) = signer, let seed = seeds(root: root).first,
            let path = try? DerivationPath(text)
        else { return nil }
        let meant = scheme.meant(for: specs)
        guard meant == .sr25519 || path.isHardOnly else { return nil }
        return UnderivedKey(seed: seed, root: root, path: text, scheme: meant)
    }
}

/// Nova Spektr writes ecdsa for every derived key that is not sr25519.
extension SignatureScheme {
    /// Whether a payload for a derived key of this scheme may mean a key of `scheme`.
    fileprivate func covers(_ scheme: SignatureScheme) -> Bool {
        self == .ecdsa ? scheme != .sr25519 : self == scheme
    }

    /// The scheme that a payload for a derived key means on a network.
    fileprivate func meant(for specs: NetworkSpecs?) -> SignatureScheme {
        guard let specs, covers(specs.scheme) else { return self }
        return specs.scheme
    }
}
