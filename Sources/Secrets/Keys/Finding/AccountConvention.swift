import SubstratePrimitives

/// A place below a phrase where a wallet puts accounts, as far as its documents or sources say.
public struct AccountConvention: Sendable {
    /// Whose habit it is, and which account, for a person: `Ledger generic app, account 2`.
    public let name: String
    /// Of the key.
    public let scheme: SignatureScheme
    /// Where it stands.
    public let path: AccountPath

    /// Accounts and address indices that are tried of a wallet which numbers them.
    public static let numbers: UInt32 = 20

    /// Ledger's apps before the generic one, each with the coin type of its chain.
    ///
    /// Source: SLIP-44, and the parameters of the apps in Zondax/ledger-substrate-js.
    private static let legacyApps: [(name: String, coin: UInt32)] = [
        ("Kusama", 434), ("Acala", 787), ("Aleph Zero", 643), ("Astar", 810), ("Bifrost", 788),
        ("Centrifuge", 747), ("Dock", 594), ("Edgeware", 523), ("Enjin", 1155), ("Equilibrium", 99_999_997),
        ("Genshiro", 99_999_996), ("Karura", 686), ("Nodle", 1003), ("Polkadex", 799), ("Polymesh", 595),
        ("Reef", 819), ("Sora", 617), ("Stafi", 907), ("XX Network", 1955),
    ]

    /// Every place that is tried, likely ones first.
    ///
    /// Sources: polkadot-js (the root, `//0`, `/0`; `hdLedger`; `m/44'/60'/0'/0/0` for ethereum), Polkadot
    /// Vault (`//network`, `//network//0`), Talisman and SubWallet (root, then `//0`, `//1`; Ethereum as
    /// MetaMask), Nova Wallet (root), Ledger (the generic app and those of one chain), MetaMask and Ledger
    /// Live (BIP-44, coin type 60), Trust Wallet (SLIP-10 of coin type 354).
    /// - `networks`: default paths of networks, with the names of their owners.
    public static func known(networks: [(name: String, path: DerivationPath)]) -> [AccountConvention] {
        let substrate: [SignatureScheme] = [.sr25519, .ed25519, .ecdsa]
        var all: [AccountConvention] = substrate.map { roots($0) } + [roots(.ethereum)]
        for scheme in [SignatureScheme.sr25519, .ed25519, .ecdsa] {
            for network in networks {
                all.append(at(network.path, scheme, "Polkadot Vault, \(network.name)"))
                for number in 0..<numbers {
                    guard let path = try? DerivationPath("\(network.path)//\(number)") else { continue }
                    all.append(at(path, scheme, "Polkadot Vault, \(network.name), key \(number)"))
                }
            }
        }
        all += numbered(.bip32, .ethereum, "MetaMask and wallets like it") { "m/44'/60'/0'/0/\($0)" }
        // Its account 0 is MetaMask's.
        all += numbered(.bip32, .ethereum, "Ledger Live, Ethereum") { "m/44'/60'/\($0)'/0/0" }.dropFirst()
        all += ledger("generic app", coin: 354)
        for scheme in substrate {
            all += plain(scheme, "//", "polkadot-js, Talisman or SubWallet")
            if scheme == .sr25519 { all += plain(scheme, "/", "polkadot-js, soft") }
        }
        for app in legacyApps { all += ledger("app for \(app.name)", coin: app.coin) }
        all += numbered(.slip10, .ed25519, "Trust Wallet") { "m/44'/354'/\($0)'/0'/0'" }
        return all
    }

    private static func at(_ path: DerivationPath, _ scheme: SignatureScheme, _ name: String)
        -> AccountConvention
    {
        AccountConvention(name: name, scheme: scheme, path: .substrate(path))
    }

    private static func roots(_ scheme: SignatureScheme) -> AccountConvention {
        at(.root, scheme, "polkadot-js, Talisman, SubWallet or Nova, the phrase itself")
    }

    private static func plain(_ scheme: SignatureScheme, _ slashes: String, _ name: String)
        -> [AccountConvention]
    {
        (0..<numbers).compactMap { number in
            (try? DerivationPath("\(slashes)\(number)")).map { at($0, scheme, "\(name), account \(number)") }
        }
    }

    private static func numbered(
        _ kind: HDPath.Kind, _ scheme: SignatureScheme, _ name: String, _ path: (UInt32) -> String
    ) -> [AccountConvention] {
        (0..<numbers).compactMap { number in
            (try? HDPath("\(kind.rawValue):\(path(number))")).map {
                AccountConvention(name: "\(name), account \(number)", scheme: scheme, path: .hd($0))
            }
        }
    }

    /// Ledger's path has an account, a change and an address index. Wallets count the first or the last.
    private static func ledger(_ app: String, coin: UInt32) -> [AccountConvention] {
        numbered(.ledger, .ed25519, "Ledger \(app)") { "m/44'/\(coin)'/\($0)'/0'/0'" }
            + (1..<numbers).compactMap { index in
                (try? HDPath("ledger:m/44'/\(coin)'/0'/0'/\(index)'")).map {
                    AccountConvention(
                        name: "Ledger \(app), account 0, index \(index)", scheme: .ed25519, path: .hd($0))
                }
            }
    }
}
