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
            SubWallet, Nova, Ledger's apps, MetaMask, Ledger Live and Trust Wallet, up to \
            \(AccountConvention.numbers) accounts of each. Without --phrase it searches the seeds of the vault. \
            A password is never guessed: --password asks for it. Nothing is stored.
            """)

    @Argument(
        help: "The address that is looked for: SS58, or 0x and 40 or 66 digits.", completion: .named(.address)
    )
    var address: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("Search this seed only (default: all seeds).", valueName: "name"))
    var seed: String?

    @Flag(help: "Search a phrase that is typed instead; it is not stored.")
    var phrase = false

    @Option(help: ArgumentHelp("Read that phrase as one line from this descriptor.", valueName: "n"))
    var phraseFd: Int32?

    @Flag(help: "Ask for a ///password or passphrase (never stored).")
    var password = false

    @Option(help: ArgumentHelp("Read the password as one line from this descriptor.", valueName: "n"))
    var passwordFd: Int32?

    @Flag(help: "Also try the phrase with any two words swapped.")
    var swapped = false

    @Flag(help: "Also try the phrase with any one word replaced; this takes minutes.")
    var wrongWord = false

    private struct Document: Encodable {
        /// null for a phrase that was typed.
        let seed: Nullable<String>
        let scheme: String
        let wallet: String
        let path: String
        let path_kind: String
        /// Words of the phrase that must be changed, from 1.
        let changed_words: [Int]
    }

    private struct Found {
        let seed: String?
        let place: AccountConvention
        let changed: [Int]
        let slip: PhraseSlip?
    }

    private var isTyped: Bool { phrase || phraseFd != nil }

    func validate() throws {
        guard seed == nil || !isTyped else {
            throw ValidationError("--seed and --phrase exclude each other")
        }
        guard isTyped || !swapped && !wrongWord else {
            throw ValidationError("--swapped and --wrong-word need --phrase or --phrase-fd")
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
        let conventions = AccountConvention.known(networks: Self.networks(state))
        let found =
            try isTyped ? search(account, conventions, console) : search(account, conventions, context)
        guard let found else { throw LookupError.accountNotFound(tried: conventions.count) }
        if json {
            let path = found.place.path.description
            JSONText.print(
                Document(
                    seed: Nullable(found.seed), scheme: found.place.scheme.name, wallet: found.place.name,
                    path: path, path_kind: AccountPath.kind(of: path), changed_words: found.changed), console)
        } else {
            console.print(Self.answer(found))
        }
        if let seed = found.seed {
            console.note(
                """
                next: heliograph key derive \(Hints.quoted(seed)) \
                \(Hints.quoted(found.place.path.description)) --scheme \(found.place.scheme.name)
                """)
        }
    }

    /// SS58 with any prefix, an Ethereum address, or a public key in hex.
    private func account() throws -> [UInt8] {
        guard address.utf8Starts(with: "0x") else { return try SS58Address(address).account }
        if let key = Hex.decode(address), key.count == 32 || key.count == 33 { return key }
        return try EthereumAddress(address).bytes
    }

    private static func networks(_ state: TrustState) -> [(name: String, path: DerivationPath)] {
        let defaults = NetworkSpecs.defaults
        return (defaults + state.networks).reduce(into: []) { networks, specs in
            guard let path = try? DerivationPath(specs.pathID), !path.junctions.isEmpty,
                !networks.contains(where: { $0.path == path })
            else { return }
            networks.append((specs.name, path))
        }
    }

    private static func answer(_ found: Found) -> String {
        let path = found.place.path.description
        let place =
            "\(found.seed.map(Escape.terminal) ?? "this phrase"), \(found.place.scheme.name), "
            + "\(Escape.terminal(found.place.name)): \(path.isEmpty ? "(root)" : Escape.path(path))"
        switch found.slip {
        case nil: return place
        case .swapped: return place + "; words \(found.changed[0]) and \(found.changed[1]) are swapped"
        case .oneWord: return place + "; word \(found.changed[0]) is another one"
        }
    }

    // MARK: Searching

    private func password(_ console: Console) throws -> SecretBytes {
        guard password || passwordFd != nil else { return SecretBytes() }
        return try secret("password: ", descriptor: passwordFd, console)
    }

    private func search(_ account: [UInt8], _ conventions: [AccountConvention], _ context: CommandContext)
        throws
        -> Found?
    {
        let session = try context.unlock(self)
        let password = try password(context.console)
        return try session.find(account, seed: seed, password: password, among: conventions).map {
            Found(seed: $0.seed, place: $0.place, changed: [], slip: nil)
        }
    }

    private func search(_ account: [UInt8], _ conventions: [AccountConvention], _ console: Console) throws
        -> Found?
    {
        let typed = try secret("phrase: ", for: .phrase, descriptor: phraseFd, console)
        let password = try password(console)
        do throws(MnemonicError) {
            let mnemonic = try Mnemonic(phrase: typed)
            let place = KeySearch(mnemonic, password: password).first(of: account, among: conventions)
            if let place { return Found(seed: nil, place: place, changed: [], slip: nil) }
        } catch {
            guard swapped || wrongWord else { throw error }
        }
        for slip in PhraseSlip.allCases where slip == .swapped ? swapped : wrongWord {
            var found: Found?
            try slip.search(typed) { done, total in
                if done.isMultiple(of: 256) { console.prompt("\(done) of \(total) phrases tried") }
            } _: { mnemonic, changed in
                let place = KeySearch(mnemonic, password: password).first(of: account, among: conventions)
                found = place.map { Found(seed: nil, place: $0, changed: changed, slip: slip) }
                return found != nil
            }
            console.prompt("")
            if let found { return found }
        }
        return nil
    }
}
