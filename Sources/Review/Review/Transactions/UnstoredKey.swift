import Accounts
import SubstratePrimitives
import TrustStore
import UOS

/// A key of a phrase that a person gives for one review. Neither the vault nor its store has it.
///
/// Whoever may type a phrase could type that of the vault itself, and so get past what the store says of its
/// keys: the networks of each, `key forbid`, the word for a key on two networks, the refusal of a key that
/// was never derived. So a phrase whose root is that of a stored seed signs nothing in this way, at any path
/// and with any password, and neither does a key whose bytes the vault holds under another scheme. For other
/// keys the policy decides over networks, calls, amounts and signers as for every signer, the history and the
/// budgets count for their accounts, and no rule says yes: a rule speaks for keys of the vault.
public struct UnstoredKey: Sendable, Equatable {
    public let publicKey: PublicKey
    /// Of the phrase: the sr25519 key of its empty path, without a password. It says which seed it is. nil
    /// for a path of numbers of a phrase that is not English: such a key comes from the words, and the vault
    /// has only the English ones, so no seed of it gives the key.
    public let root: PublicKey?
    /// Below the phrase; empty for the root.
    public let path: String
    public let hasPassword: Bool

    public init(publicKey: PublicKey, root: PublicKey?, path: String, hasPassword: Bool) {
        (self.publicKey, self.root, self.path, self.hasPassword) = (publicKey, root, path, hasPassword)
    }

    public static func == (one: UnstoredKey, other: UnstoredKey) -> Bool {
        one.publicKey == other.publicKey && one.root == other.root && one.path.utf8Equals(other.path)
            && one.hasPassword == other.hasPassword
    }

    /// Whether a payload names this key. One that names a root and a path asks a vault that has the seed.
    func isNamed(by signer: SignerReference) -> Bool {
        switch signer {
        case .key(let key): key == publicKey
        case .ethereum(let address): publicKey.scheme == .ethereum && publicKey.accountID == address
        case .derived: false
        }
    }
}

extension TrustState {
    /// What this vault already has the key, or its phrase, as; nil for a key that it does not have.
    func holder(of key: UnstoredKey) -> String? {
        if let root = key.root, let seed = seeds(root: root).first { return "seed \(seed)" }
        guard let held = keys.first(where: { $0.publicKey.bytes == key.publicKey.bytes }) else { return nil }
        return holder(of: held) ?? "an imported key"
    }
}
