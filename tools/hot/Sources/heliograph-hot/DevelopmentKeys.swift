import Keys
import SubstratePrimitives

/// Keys that anyone can sign with: accounts of the phrase that every Substrate development chain has.
///
/// A signature by one of them vouches for nothing. A signer without a verifier would keep such a key as its
/// verifier for good, so this program stores none of these signatures and reports each one.
enum DevelopmentKeys {
    /// Source: sp-core, `DEV_PHRASE`; its accounts are the hard paths of sp-keyring.
    private static let phrase = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"
    private static let names = ["Alice", "Bob", "Charlie", "Dave", "Eve", "Ferdie", "One", "Two"]

    /// What an update can be signed with; an Ethereum-style key counts as an ecdsa key there.
    private static let schemes: [SignatureScheme] = [.ed25519, .sr25519, .ecdsa]

    private static let paths: [PublicKey: String] = {
        var found: [PublicKey: String] = [:]
        for path in [""] + names.flatMap({ ["//\($0)", "//\($0)//stash"] }) {
            for scheme in schemes {
                if let key = try? pair(path, scheme).publicKey {
                    found[key] = path.utf8.isEmpty ? "(root)" : path
                }
            }
        }
        return found
    }()

    /// The path of the account that signs with this key; nil for any other key.
    static func path(of key: PublicKey) -> String? { paths[key] }

    static func pair(_ path: String, _ scheme: SignatureScheme) throws -> KeyPair {
        var bytes = Array(phrase.utf8)
        return try KeyPair.derive(
            phrase: SecretBytes(wiping: &bytes), path: DerivationPath(path), scheme: scheme)
    }

    /// What a person is told beside the signature.
    static func warning(_ path: String) -> String {
        """
        TEST SIGNATURE: the phrase of the development key \(path) is public, so anyone can sign as it; do \
        not publish this update
        """
    }
}
