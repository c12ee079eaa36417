import Accounts
import ArgumentParser
import Ceremony
import CommandKit
import Diagnostics
import Hashing
import Keys
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore

/// `key find`: which seed, and which habit of which wallet, gives an address.
struct KeyFind: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "find", abstract: "Find out which seed and path give an address.",
        discussion: """
            Tries the places where known wallets put accounts: polkadot-js, Polkadot Vault, Talisman, \
            SubWallet, Nova, Fearless, Ledger's apps, MetaMask, Ledger Live and Trust Wallet, the first \
            \(AccountConvention.numbers) accounts of each. Without --phrase it looks at the keys of the vault \
            first, and then searches its seeds. A password is never guessed: --password asks for it. Nothing \
            is stored.
            """)

    @Argument(
        help: "The address that is looked for: SS58, or 0x and 40 or 66 digits.", completion: .named(.address)
    )
    var address: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("Search this seed only (default: all seeds).", valueName: "name"))
    var seed: String?

    @Option(
        help: ArgumentHelp(
            "The number of accounts of each wallet to try (default: \(AccountConvention.numbers)).",
            valueName: "n"))
    var accounts = AccountConvention.numbers

    @Flag(help: "Search a phrase that is typed instead; it is not stored.")
    var phrase = false

    @Option(help: ArgumentHelp("Read that phrase as one line from this descriptor.", valueName: "n"))
    var phraseFd: Int32?

    @OptionGroup var words: LanguageOption

    @Flag(help: "Ask for a ///password or passphrase (never stored).")
    var password = false

    @Option(help: ArgumentHelp("Read the password as one line from this descriptor.", valueName: "n"))
    var passwordFd: Int32?

    @Flag(help: "Also try the phrase with any two words swapped.")
    var swapped = false

    @Flag(help: "Also try the phrase with any one word replaced; this takes minutes.")
    var wrongWord = false

    private struct Document: Encodable {
        /// null for a phrase that was typed, and for a key that no seed gives.
        let seed: Nullable<String>
        let scheme: String
        let wallet: String
        let path: String
        let path_kind: String
        /// Whether the key is one of the vault.
        let known: Bool
        /// Words of the phrase that must be changed, from 1.
        let changed_words: [Int]
    }

    private struct Found {
        /// Whose it is: the name of a seed or of a group.
        let holder: String
        let seed: String?
        let scheme: SignatureScheme
        /// Whose habit put it there.
        let wallet: String
        let path: String
        var isKnown = false
        var changed: [Int] = []
        var slip: PhraseSlip?

        init(_ holder: String, seed: String?, _ place: AccountConvention) {
            (self.holder, self.seed) = (holder, seed)
            (scheme, wallet, path) = (place.scheme, place.name, place.path.description)
        }

        /// A key that the vault has, at a path that no wallet may have.
        init(_ key: KeyRecord, in trust: TrustState) {
            holder = key.seed ?? trust.holder(of: key) ?? "no seed"
            (seed, scheme, path, isKnown) = (key.seed, key.publicKey.scheme, key.path, true)
            wallet =
                switch key.source {
                case .seed: key.hasPassword ? "a key of this vault, with a password" : "a key of this vault"
                case .imported: "an imported key of this vault"
                case .group: "an account of this vault"
                }
        }
    }

    private var isTyped: Bool { phrase || phraseFd != nil }

    func validate() throws {
        guard seed == nil || !isTyped else {
            throw ValidationError("--seed and --phrase exclude each other")
        }
        guard isTyped || words.language == nil else {
            throw ValidationError("--language needs --phrase or --phrase-fd")
        }
        guard isTyped || !swapped && !wrongWord else {
            throw ValidationError("--swapped and --wrong-word need --phrase or --phrase-fd")
        }
        guard (1...AccountConvention.mostNumbers).contains(accounts) else {
            throw ValidationError("--accounts must be 1 to \(AccountConvention.mostNumbers)")
        }
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let account = try account()
        // A phrase that is typed can be searched without a vault.
        let state =
            isTyped
            ? (try? context.device(self).trust().state) ?? TrustState()
            : try context.device(self).trust().state
        let conventions = AccountConvention.known(networks: Self.networks(state), numbers: accounts)
        let found =
            try isTyped ? search(account, conventions, console) : search(account, conventions, context)
        guard let found else { throw LookupError.accountNotFound(tried: conventions.count) }
        if json {
            JSONText.print(
                Document(
                    seed: Nullable(found.seed), scheme: found.scheme.name, wallet: found.wallet,
                    path: found.path, path_kind: AccountPath.kind(of: found.path), known: found.isKnown,
                    changed_words: found.changed), console)
        } else {
            console.print(Self.answer(found))
        }
        if let seed = found.seed, !found.isKnown {
            // With h for ' a path of numbers needs no quotes in a shell.
            let path = HDPath.isMeant(by: found.path) ? Self.withoutQuotes(found.path) : found.path
            console.note(
                """
                next: heliograph key derive \(Hints.quoted(seed)) \(Hints.quoted(path)) --scheme \
                \(found.scheme.name)
                """)
        }
    }

    private static func withoutQuotes(_ path: String) -> String {
        let mark = UInt8(ascii: "'")
        return String(decoding: path.utf8.map { $0 == mark ? UInt8(ascii: "h") : $0 }, as: UTF8.self)
    }

    /// SS58 with any prefix, an Ethereum address, or a public key in hex.
    private func account() throws -> [UInt8] {
        guard address.utf8Starts(with: "0x") else { return try SS58Address(address).account }
        if let key = Hex.decode(address), key.count == 32 || key.count == 33 { return key }
        return try EthereumAddress(address).bytes
    }

    static func networks(_ state: TrustState) -> [(name: String, path: DerivationPath)] {
        let defaults = NetworkSpecs.defaults
        return (defaults + state.networks).reduce(into: []) { networks, specs in
            guard let path = try? DerivationPath(specs.pathID), !path.junctions.isEmpty,
                !networks.contains(where: { $0.path == path })
            else { return }
            networks.append((specs.name, path))
        }
    }

    private static func answer(_ found: Found) -> String {
        let path = found.path.isEmpty ? "(root)" : Escape.path(found.path)
        let place =
            "\(Escape.terminal(found.holder)), \(found.scheme.name), \(Escape.terminal(found.wallet)): \(path)"
        switch found.slip {
        case nil: return place
        case .swapped: return place + "; words \(found.changed[0]) and \(found.changed[1]) are swapped"
        case .oneWord: return place + "; word \(found.changed[0]) is another one"
        }
    }

    // MARK: Searching

    private func password(_ console: Console) throws -> SecretBytes {
        guard password || passwordFd != nil else { return SecretBytes() }
        return try secret("password: ", for: .password, descriptor: passwordFd, console)
    }

    /// Between two lines of progress.
    private static let step = 64
    private static let typedName = "this phrase"

    private func search(_ account: [UInt8], _ conventions: [AccountConvention], _ context: CommandContext)
        throws -> Found?
    {
        let console = context.console
        let session = try context.unlock(self)
        let state = try session.trust().state
        if let seed { try session.requireSeed(seed) }
        let held = state.keys.first {
            $0.publicKey.accountID == account || $0.publicKey.bytes == account
        }
        if let held, seed.map({ held.isOf(seed: $0) }) ?? true { return Found(held, in: state) }
        let password = try password(console)
        defer { console.endProgress() }
        return try session.find(account, seed: seed, password: password, among: conventions) { seed, tried in
            Self.tell("seed \(Escape.terminal(seed))", tried, conventions.count, console)
        }.map { Found($0.seed, seed: $0.seed, $0.place) }
    }

    private func search(_ account: [UInt8], _ conventions: [AccountConvention], _ console: Console) throws
        -> Found?
    {
        let typed = try secret("phrase: ", for: .phrase, descriptor: phraseFd, console)
        let password = try password(console)
        defer { console.endProgress() }
        do throws(MnemonicError) {
            let mnemonic = try words.mnemonic(of: typed)
            let place = KeySearch(mnemonic, password: password).first(of: account, among: conventions) {
                Self.tell(Self.typedName, $0, conventions.count, console)
            }
            if let place { return Found(Self.typedName, seed: nil, place) }
        } catch {
            guard swapped || wrongWord else { throw error }
        }
        for slip in PhraseSlip.allCases where slip == .swapped ? swapped : wrongWord {
            let start = ContinuousClock.now
            var found: Found?
            try slip.search(typed, language: words.language) { done, total in
                guard done.isMultiple(of: Self.step) else { return }
                let seconds = (ContinuousClock.now - start) / .seconds(1)
                console.progress(Wording.triedPhrases(done, of: total, seconds: seconds))
            } _: { mnemonic, changed in
                let place = KeySearch(mnemonic, password: password).first(of: account, among: conventions)
                guard let place else { return false }
                var slipped = Found(Self.typedName, seed: nil, place)
                (slipped.changed, slipped.slip) = (changed, slip)
                found = slipped
                return true
            }
            if let found { return found }
        }
        return nil
    }

    private static func tell(_ holder: String, _ tried: Int, _ total: Int, _ console: Console) {
        guard tried.isMultiple(of: step) else { return }
        console.progress("\(holder): \(tried) of \(total) places tried")
    }
}
