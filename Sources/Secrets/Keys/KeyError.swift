/// Why a key cannot be made or used.
public enum KeyError: Error, Equatable, Sendable {
    /// The junction at this index, counted from 0, is soft; only sr25519 has soft derivation.
    case softJunction(index: Int)
    /// The path belongs to host keys of threshold groups (``DerivationPath/isReserved``).
    case reservedPath
    /// The derived bytes are no secp256k1 secret: zero or not below the group order (one in 2^128).
    case unusableSecret
    /// A new signature did not verify under its own key; nothing was returned. A hardware fault or a bug.
    case signatureCheckFailed
    /// Entropy or phrase is no mnemonic.
    case mnemonic(MnemonicError)
    /// An exported secret of a length that the scheme does not have, in bytes.
    case secretLength(Int)
}
