import SubstratePrimitives

/// A place below a phrase where a wallet puts accounts, as far as its documents or sources say.
public struct AccountConvention: Sendable {
    /// Whose habit it is, and which account, for a person: `Ledger generic app, account 2`.
    public let name: String
    /// Of the key.
    public let scheme: SignatureScheme
    /// Where it stands.
    public let path: AccountPath

    /// Accounts and address indices that are tried of a wallet which numbers them, unless somebody asks for
    /// more: polkadot-js lists 20 of each.
    public static let numbers: UInt32 = 20
    /// The most that may be asked for. Ledger's apps alone make 46 places of each number.
    public static let mostNumbers: UInt32 = 1000

    /// Ledger's apps before the generic one, each with the coin type of its chain.
    ///
    /// Apps that share a coin type share their accounts: those of Statemine and Khala have Kusama's, and
    /// those of Statemint, Phala, Darwinia, HydraDX and others that of the generic app.
    ///
    /// Sources: SLIP-44; Zondax/ledger-substrate-js, `src/supported_apps.ts`; polkadot-js/common,
    /// `packages/networks/src/defaults/ledger.ts` (Ternoa).
    private static let legacyApps: [(name: String, coin: UInt32)] = [
        ("Kusama", 434), ("Acala", 787), ("Aleph Zero", 643), ("Astar", 810), ("Bifrost", 788),
        ("Centrifuge", 747), ("Dock", 594), ("Edgeware", 523), ("Enjin", 1155), ("Equilibrium", 99_999_997),
        ("Genshiro", 99_999_996), ("Karura", 686), ("Nodle", 1003), ("Polkadex", 799), ("Polymesh", 595),
        ("Reef", 819), ("Sora", 617), ("Stafi", 907), ("Ternoa", 995), ("VTB", 694), ("XX Network", 1955),
    ]

    /// Every place that is tried, likely ones first.
    ///
    /// Sources, by wallet:
    /// - polkadot-js: README of polkadot-js/common's `keyring` (the root, `//0`, `/0`), `hdLedger`, and for
    ///   ethereum `m/44'/60'/0'/0/0`.
    /// - Polkadot Vault: paths of its default networks (`//polkadot`), and below them `//0`, `//1`.
    /// - Talisman and SubWallet: the root, then `//0`, `//1`; Ethereum accounts as MetaMask. Nova Wallet and
    ///   Fearless: the root (ebellocchia/py_crypto_hd_wallet, issue 28).
    /// - Ledger: Zondax/ledger-polkadot, issues 21 and 43, has addresses of real devices.
    /// - MetaMask, Ledger Live and Ledger's older Ethereum app: BIP-44 with coin type 60, which each numbers
    ///   at another step.
    /// - Trust Wallet: SLIP-10 with coin type 354 (polkadot-js/apps, issue 11716).
    ///
    /// - Parameters:
    ///   - networks: default paths of networks, with the names of their owners.
    ///   - numbers: of the accounts and indices of each wallet, at most ``mostNumbers``.
    public static func known(
        networks: [(name: String, path: DerivationPath)], numbers: UInt32 = numbers
    ) -> [AccountConvention] {
        let numbers = 0..<min(max(numbers, 1), mostNumbers)
        let substrate: [SignatureScheme] = [.sr25519, .ed25519, .ecdsa]
        var all: [AccountConvention] = substrate.map { roots($0) } + [roots(.ethereum)]
        for scheme in substrate {
            for network in networks {
                all.append(at(network.path, scheme, "Polkadot Vault, \(network.name)"))
                for number in numbers {
                    guard let path = try? DerivationPath("\(network.path)//\(number)") else { continue }
                    all.append(at(path, scheme, "Polkadot Vault, \(network.name), key \(number)"))
                }
            }
        }
        all += numbered(numbers, .bip32, .ethereum, "MetaMask and wallets like it") { "m/44'/60'/0'/0/\($0)" }
        // Its account 0 is MetaMask's.
        all += numbered(numbers.dropFirst(), .bip32, .ethereum, "Ledger Live, Ethereum") {
            "m/44'/60'/\($0)'/0/0"
        }
        all += numbered(numbers, .bip32, .ethereum, "Ledger's older Ethereum app") { "m/44'/60'/0'/\($0)" }
        all += ledger(numbers, "generic app", coin: 354)
        for scheme in substrate {
            all += plain(numbers, scheme, "//", "polkadot-js, Talisman or SubWallet")
            if scheme == .sr25519 { all += plain(numbers, scheme, "/", "polkadot-js, soft") }
        }
        for app in legacyApps { all += ledger(numbers, "app for \(app.name)", coin: app.coin) }
        all += numbered(numbers, .slip10, .ed25519, "Trust Wallet") { "m/44'/354'/\($0)'/0'/0'" }
        return all
    }

    private static func at(_ path: DerivationPath, _ scheme: SignatureScheme, _ name: String)
        -> AccountConvention
    {
        AccountConvention(name: name, scheme: scheme, path: .substrate(path))
    }

    private static func roots(_ scheme: SignatureScheme) -> AccountConvention {
        at(.root, scheme, "polkadot-js, Talisman, SubWallet, Nova or Fearless, the phrase itself")
    }

    private static func plain(
        _ numbers: Range<UInt32>, _ scheme: SignatureScheme, _ slashes: String, _ name: String
    ) -> [AccountConvention] {
        numbers.compactMap { number in
            (try? DerivationPath("\(slashes)\(number)")).map { at($0, scheme, "\(name), account \(number)") }
        }
    }

    private static func numbered(
        _ numbers: Range<UInt32>, _ kind: HDPath.Kind, _ scheme: SignatureScheme, _ name: String,
        _ path: (UInt32) -> String
    ) -> [AccountConvention] {
        numbers.compactMap { number in
            (try? HDPath("\(kind.rawValue):\(path(number))")).map {
                AccountConvention(name: "\(name), account \(number)", scheme: scheme, path: .hd($0))
            }
        }
    }

    /// Ledger's path has an account, a change and an address index. Wallets count the first or the last.
    private static func ledger(_ numbers: Range<UInt32>, _ app: String, coin: UInt32) -> [AccountConvention] {
        numbered(numbers, .ledger, .ed25519, "Ledger \(app)") { "m/44'/\(coin)'/\($0)'/0'/0'" }
            + numbers.dropFirst().compactMap { index in
                (try? HDPath("ledger:m/44'/\(coin)'/0'/0'/\(index)'")).map {
                    AccountConvention(
                        name: "Ledger \(app), account 0, index \(index)", scheme: .ed25519, path: .hd($0))
                }
            }
    }
}
