import Diagnostics

/// A code that people show to a signer by mistake, recognized by its first bytes and its form. It keeps none
/// of the bytes: they may be a secret.
public enum ForeignCode: Sendable, Equatable, CaseIterable {
    /// A signature, which goes to the online machine.
    case answer
    /// An account's address.
    case address
    /// A SeedQR, or bytes of the length of a CompactSeedQR.
    case seed
    /// The words of a recovery phrase.
    case phrase
    /// A secret key.
    case secretKey
    /// 32 bytes in hex: nothing tells a secret key from a public one or a hash.
    case hexKey
    /// A share of a seed.
    case share
    /// An address of the web.
    case link
    /// A request of a wallet to connect.
    case walletConnect
    /// A Bitcoin transaction.
    case bitcoin
    /// An address of Bitcoin.
    case bitcoinAddress
    /// A keystore file of a wallet, in JSON.
    case keystore
    /// Other text. It may be a secret, too: a password, or words in another language.
    case text

    var diagnostic: Diagnostic {
        switch self {
        case .answer:
            .badInput(
                "scanned-answer", "this is a signature, which a signer answers with",
                hint: "the online machine takes it: heliograph-hot read PICTURE")
        case .address:
            .badInput(
                "scanned-address", "this is the address of an account",
                hint: "heliograph contact add NAME names it, from --address ADDRESS or its picture")
        case .seed:
            .badInput(
                "scanned-seed", "this is the code of a seed, or has its length; nothing of it is shown",
                hint: "heliograph seed restore NAME --scan PICTURE, and destroy the picture afterwards")
        case .phrase:
            .badInput(
                "scanned-phrase", "these are the words of a recovery phrase; nothing of them is shown",
                hint: "heliograph seed restore NAME asks for the words; destroy the picture")
        case .secretKey:
            .badInput(
                "scanned-secret-key", "this is the secret key of an account; nothing of it is shown",
                hint: "heliograph key import --secret PICTURE stores it; destroy the picture afterwards")
        case .hexKey:
            .badInput(
                "scanned-hex-key",
                "these are 32 bytes in hex: a secret key, a public key or a hash; nothing of them is shown",
                hint: "if the key is secret, destroy the picture; an account is named by its address")
        case .share:
            .badInput(
                "scanned-share", "this is a share of a seed",
                hint: "heliograph seed join DIRECTORY restores the seed from the pictures of its shares")
        case .link:
            .badInput(
                "scanned-link", "this is a link to a web page",
                hint: "open it on another machine; a wallet for Polkadot Vault shows what is to be signed")
        case .walletConnect:
            .badInput(
                "scanned-wallet-connect", "this is a WalletConnect code, which asks for a connection",
                hint: "choose Polkadot Vault in the wallet: it works by QR codes alone")
        case .bitcoin:
            .badInput(
                "scanned-bitcoin", "this is a Bitcoin transaction (PSBT)",
                hint: "scan it with a signer for Bitcoin: this one is for Substrate chains")
        case .bitcoinAddress:
            .badInput(
                "scanned-bitcoin", "this is a Bitcoin address",
                hint: "scan it with a wallet for Bitcoin: this signer is for Substrate chains")
        case .keystore:
            .badInput(
                "scanned-keystore", "this is the keystore of a wallet; nothing of it is shown",
                hint: "heliograph key import --keystore FILE reads it from its file")
        case .text:
            .badInput(
                "scanned-text", "this is text; nothing of it is shown",
                hint: "to sign a text, make its code on the online machine: heliograph-hot message make")
        }
    }
}
