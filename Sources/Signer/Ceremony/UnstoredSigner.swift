import Keys
import Review
import SubstratePrimitives
import UOS

/// A key of a phrase that a person gives for one act, with its secret in guarded memory until the act is
/// over.
public final class UnstoredSigner: Sendable {
    /// What the review and the log may know of it.
    public let key: UnstoredKey
    private let foreign: ForeignKey

    /// The key that a payload names; nil where the phrase does not give it.
    /// - Parameters:
    ///   - signer: a public key or an Ethereum address. A payload that names a root and a path is for a vault
    ///     that has the seed.
    ///   - mnemonic: the phrase.
    ///   - password: a `///password` or BIP-39 passphrase; empty for none.
    ///   - path: of the key; nil to look at `conventions`.
    ///   - conventions: where wallets put accounts.
    public init?(
        _ signer: SignerReference, of mnemonic: borrowing Mnemonic, password: borrowing SecretBytes,
        at path: AccountPath?, among conventions: [AccountConvention]
    ) throws(KeyError) {
        let account: [UInt8]
        let scheme: SignatureScheme
        switch signer {
        case .key(let key): (account, scheme) = (key.bytes, key.scheme)
        case .ethereum(let address): (account, scheme) = (address, .ethereum)
        case .derived: return nil
        }
        let places = path == nil ? conventions.filter { $0.scheme == scheme } : []
        let found =
            path ?? KeySearch(mnemonic, password: password).first(of: account, among: places)?.path
        guard let found else { return nil }
        let pair = try KeyPair.derive(mnemonic, path: found, password: password, scheme: scheme)
        guard pair.publicKey.bytes == account || pair.publicKey.accountID == account else { return nil }
        let isOfWords = if case .hd = found { mnemonic.language != .english } else { false }
        key = UnstoredKey(
            publicKey: pair.publicKey,
            root: isOfWords ? nil : try SeedIdentity.root(of: mnemonic.entropy),
            path: found.description, hasPassword: password.count > 0)
        foreign = ForeignKey(pair)
    }

    /// A copy of the key pair, for one signature.
    func keyPair() throws(KeyError) -> KeyPair {
        try KeyPair.importing(foreign.pair.exportSecret(), scheme: key.publicKey.scheme)
    }
}
