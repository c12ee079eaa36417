import ArgumentParser
import CommandKit
import Hashing
import Keys
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO

struct UtilGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "util", abstract: "Run small tools without a vault.",
        subcommands: [
            UtilAddress.self, UtilSS58.self, UtilMnemonic.self, UtilSeedFrom.self, UtilWords.self,
            UtilPath.self,
            UtilAmount.self, UtilMetadata.self, UtilKeystore.self,
            UtilVerify.self,
        ])
}

/// `util address`: the address of a phrase, without a vault.
struct UtilAddress: Command, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "address", abstract: "Derive an address from a recovery phrase and a path.")

    @Argument(help: "The path, e.g. //Alice or bip32:m/44h/60h/0h/0/0 (default: the root key).") var path:
        String?
    @Option(help: "The scheme: ed25519, sr25519, ecdsa or ethereum.", completion: .schemes) var scheme =
        "sr25519"
    @Option(help: ArgumentHelp("The network's address prefix.", valueName: "n")) var prefix: UInt16 = 42

    @Option(help: ArgumentHelp("Read a ///password as one line from this descriptor.", valueName: "n"))
    var passwordFd: Int32?

    @OptionGroup var phrase: PhraseOptions
    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        let address: String
        let public_key: String
        let scheme: String
        let path: String
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        guard let scheme = SignatureScheme(name: scheme) else { throw CommandError.unknownScheme(scheme) }
        let path = try AccountPath(path ?? "", scheme: scheme)
        let mnemonic = try phrase.mnemonic(console)
        let password =
            passwordFd == nil
            ? SecretBytes() : try secret("password: ", for: .password, descriptor: passwordFd, console)
        let key = try KeyPair.derive(mnemonic, path: path, password: password, scheme: scheme).publicKey
        guard let address = key.accountAddress(prefix: prefix) else { throw CommandError.badPrefix(prefix) }
        let document = Document(
            address: address, public_key: Hex.encode(key.bytes), scheme: scheme.name, path: path.description)
        if json { return JSONText.print(document, console) }
        console.print(Wording.address(document.address, publicKey: document.public_key))
    }
}

/// `util ss58`
struct UtilSS58: Command, PrintsJSON {
    static let configuration = CommandConfiguration(commandName: "ss58", abstract: "Decode an SS58 address.")

    @Argument(help: "An SS58 address.", completion: .named(.address)) var address: String
    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        let prefix: UInt16
        let public_key: String
    }

    func execute(_ context: CommandContext) throws {
        let address = try SS58Address(address)
        let document = Document(prefix: address.prefix, public_key: Hex.encode(address.account))
        if json { return JSONText.print(document, context.console) }
        context.console.print("prefix \(document.prefix)\npublic key \(document.public_key)")
    }
}

/// `util path`
struct UtilPath: Command, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "path", abstract: "Decode a derivation path.")

    @Argument(help: "A path, e.g. //polkadot/0 or ledger:m/44h/354h/0h/0h/0h.") var path: String
    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        struct Part: Encodable {
            let name: String
            let hard: Bool
            let chain_code: String
            let differs_in_polkadot_js: Bool
        }
        let path: String
        let path_kind: String
        let junctions: [Part]
    }

    /// The parts of a path of numbers.
    private struct Numbers: Encodable {
        struct Step: Encodable {
            let number: UInt32
            let hardened: Bool
        }
        let path: String
        let path_kind: String
        let steps: [Step]
    }

    func execute(_ context: CommandContext) throws {
        if HDPath.isMeant(by: path) { return try show(try HDPath(path), context.console) }
        let path = try DerivationPath(path)
        let parts = path.junctions.map {
            Document.Part(
                name: $0.name, hard: $0.isHard, chain_code: Hex.encode($0.chainCode),
                differs_in_polkadot_js: $0.differsInPolkadotJS)
        }
        if json {
            let document = Document(
                path: path.description, path_kind: AccountPath.kind(of: path.description), junctions: parts)
            return JSONText.print(document, context.console)
        }
        for part in parts {
            context.console.print(
                Escape.terminal("\(part.hard ? "hard" : "soft")  \(part.name)  \(part.chain_code)"))
        }
        for junction in path.junctions where junction.differsInPolkadotJS {
            context.console.note(Wording.differsInPolkadotJS(junction))
        }
    }

    private func show(_ path: HDPath, _ console: Console) throws {
        if json {
            let steps = path.steps.map { Numbers.Step(number: $0.number, hardened: $0.isHardened) }
            let document = Numbers(path: path.description, path_kind: path.kind.rawValue, steps: steps)
            return JSONText.print(document, console)
        }
        console.print("\(path.kind.standard)  \(path.numbers)")
        for step in path.steps { console.print("\(step.isHardened ? "hardened" : "normal")  \(step.number)") }
    }
}

/// `util amount`
struct UtilAmount: Command, PrintsJSON {
    static let configuration = CommandConfiguration(commandName: "amount", abstract: "Format an amount.")

    @Argument(help: "The amount in the smallest unit.") var raw: String
    @Argument(help: "The token's decimals.") var decimals: UInt8
    @Argument(help: "The token's unit.") var unit: String
    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        let amount: String
        let unit: String
        let raw: String
        let plain: String
        let symbol: String
    }

    func validate() throws {
        guard !raw.isEmpty, raw.utf8.count <= 155, raw.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw ValidationError("RAW must be a whole number of at most 155 digits")
        }
    }

    func execute(_ context: CommandContext) throws {
        let amount = TokenAmount(planck: raw, decimals: decimals, unit: unit)
        if json {
            return JSONText.print(
                Document(
                    amount: amount.number, unit: amount.unit, raw: raw, plain: amount.plain,
                    symbol: amount.symbol),
                context.console)
        }
        context.console.print(Amount.plain(amount.plain, unit: unit))
        context.console.print(Escape.terminal(amount.text))
    }
}

/// `util words`
struct UtilWords: Command, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "words", abstract: "List BIP-39 words with this prefix.")

    @Argument(help: "The first letters.") var prefix: String
    @OptionGroup var output: OutputOptions

    private struct Document: Encodable {
        let words: [String]
        let nearest: [String]
    }

    func execute(_ context: CommandContext) throws {
        let words = WordList.english.words(startingWith: prefix)
        let nearest = words.isEmpty ? WordList.english.nearest(to: prefix) : []
        if json { return JSONText.print(Document(words: words, nearest: nearest), context.console) }
        for word in words { context.console.print(word) }
        if words.isEmpty { context.console.note(Wording.unknownWord(prefix, nearest: nearest)) }
    }
}

struct UtilMnemonic: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mnemonic", abstract: "Recovery phrase tools.", subcommands: [UtilMnemonicCheck.self])
}

/// `util mnemonic check`
struct UtilMnemonicCheck: Command, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Validate a recovery phrase.")

    @OptionGroup var phrase: PhraseOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws {
        let mnemonic = try phrase.mnemonic(context.console)
        let (words, language) = (mnemonic.wordCount, mnemonic.language)
        if json {
            return JSONText.print(Document(words: words, language: language.rawValue), context.console)
        }
        context.console.print("a valid recovery phrase of \(words) \(language.name) words")
    }

    private struct Document: Encodable {
        let words: Int
        let language: String
    }
}
