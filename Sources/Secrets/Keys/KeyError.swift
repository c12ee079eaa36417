import Diagnostics

/// Why a key cannot be made or used.
public enum KeyError: Error, Equatable, Sendable {
    /// The junction at this index, counted from 0, is soft; only sr25519 has soft derivation.
    case softJunction(index: Int)
    /// The path belongs to host keys of threshold groups (``DerivationPath/isReserved``).
    case reservedPath
    /// The derived bytes are not a secp256k1 secret: zero or not below the group order (one in 2^128).
    case unusableSecret
    /// A new signature did not verify under its own key; nothing was returned. A hardware fault or a bug.
    case signatureCheckFailed
    /// Entropy or phrase is not a mnemonic.
    case mnemonic(MnemonicError)
    /// The path has no keys of the scheme.
    case path(HDPathError)
    /// A BIP-39 passphrase with characters beyond ASCII.
    case passphraseNotASCII
    /// An exported secret of a length that the scheme does not have, in bytes.
    case secretLength(Int)
    /// A `//` path, or none, of a SLIP-39 master secret.
    case masterSecretPath
    /// A password beside a SLIP-39 master secret.
    case masterSecretPassword
}

extension KeyError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .softJunction(let index):
            .usage(
                "soft-junction",
                "part \(index + 1) of the derivation path is soft "
                    + "(/), which only sr25519 supports: write //",
                hint: "heliograph util path PATH shows the parts of a path")
        case .reservedPath:
            .usage(
                "reserved-path",
                "derivation paths under //heliograph are reserved for the host keys of threshold groups")
        case .unusableSecret:
            .refused(
                "unusable-secret", "this derivation path gives no valid key: use another path",
                hint: "heliograph util path PATH shows the parts of a path")
        case .signatureCheckFailed:
            .inputOutput(
                "self-check", "the new signature is invalid and was discarded: hardware fault or bug",
                hint: "heliograph self-test")
        case .mnemonic(let error): error.diagnostic
        case .path(let error): error.diagnostic
        case .passphraseNotASCII:
            .refused(
                "passphrase-not-ascii",
                "a passphrase with letters beyond ASCII is not supported for a path of numbers: one letter "
                    + "can be written in two ways, and each would give other keys",
                hint: "leave out --password, or use a passphrase of plain letters, digits and signs")
        case .secretLength(let count):
            .badInput(
                "secret-length",
                "a secret of \(Sentence.count(count, "byte")) has the wrong length for its scheme")
        case .masterSecretPath:
            .refused(
                "master-secret-path",
                "a SLIP-39 master secret has keys at paths of numbers only: bip32:, slip10: or ledger:",
                hint:
                    "for Ethereum wallets: heliograph key derive NAME bip32:m/44h/60h/0h/0/0 --scheme ethereum"
            )
        case .masterSecretPassword:
            .refused(
                "master-secret-password",
                "a SLIP-39 master secret takes no password: its passphrase was asked for with its shares",
                hint: "leave out --password")
        }
    }

    public static var examples: [KeyError] {
        [.softJunction(index: 1), .reservedPath, .unusableSecret, .signatureCheckFailed]
            + MnemonicError.examples.map(KeyError.mnemonic)
            + HDPathError.examples.map(KeyError.path)
            + [.passphraseNotASCII, .secretLength(31), .masterSecretPath, .masterSecretPassword]
    }
}
