import ArgumentParser
import Ceremony
import CommandKit
import Keys
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO

struct KeyGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Derive, list, show and export keys.",
        subcommands: [
            KeyDerive.self, KeyList.self, KeyShow.self, KeyLabel.self, KeyAllow.self, KeyForbid.self,
            KeyForgetNonce.self, KeyRemove.self,
            KeyExport.self, KeyImport.self, KeySecret.self, KeyFind.self,
        ])
}

/// `key derive`: keys of a seed, for one network.
struct KeyDerive: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "derive", abstract: "Derive a key from a seed.",
        discussion:
            """
            With --count N, PATH is a base: N keys are derived at PATH//0, PATH//1 and so on, after the \
            highest index in the vault. PATH may be one of numbers, as hardware and Ethereum wallets have: \
            ledger:m/44h/354h/0h/0h/0h of Ledger's Substrate apps, slip10:m/... and bip32:m/44h/60h/0h/0/0 of \
            Ethereum wallets, where h marks a hardened step. --password is their BIP-39 passphrase.
            """
    )

    @Argument(help: "The seed's name.", completion: .named(.seed)) var seed: String
    @Argument(help: "The path, e.g. //polkadot//0 or ledger:m/44h/354h/0h/0h/0h.") var path: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var word: WordOption

    @Option(
        help: ArgumentHelp("Allow the keys to sign for this network.", valueName: "name"),
        completion: .named(.network))
    var network: String?

    @Option(
        help: ArgumentHelp(
            "The scheme if --network is not given: ed25519, sr25519, ecdsa or ethereum.", valueName: "s"),
        completion: .schemes)
    var scheme: String?

    @Option(help: ArgumentHelp("The number of keys to derive under PATH.", valueName: "n"))
    var count: Int?

    @Flag(help: "Ask for a ///password (never stored).")
    var password = false

    @Option(help: ArgumentHelp("Read a ///password as one line from this descriptor.", valueName: "n"))
    var passwordFd: Int32?

    /// A slip of the finger must not fill the store.
    private static let maximumKeys = 1000

    func validate() throws {
        if let count, !(1...Self.maximumKeys).contains(count) {
            throw ValidationError("--count must be 1 to \(Self.maximumKeys)")
        }
    }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try word.requireAllowed(vault)
        let given = try scheme.map { name throws(CommandError) in
            guard let scheme = SignatureScheme(name: name) else { throw .unknownScheme(name) }
            return scheme
        }
        let device = try context.device(self)
        let base = try AccountPath(path, scheme: wantedScheme(given, device))
        let operation = DeriveKeys(
            seed: seed, path: base, count: count, network: network, scheme: given,
            hasPassword: password || passwordFd != nil)
        let preview = try device.preview(operation)
        for junction in preview.shown.differingInPolkadotJS {
            console.note(Wording.differsInPolkadotJS(junction))
        }
        let approval = try preview.confirm()
        let person = TerminalPerson(console: console, word: word, passwordFd: passwordFd)
        let keys = try context.unlock(self).perform(approval, asking: person).outcome
        let addresses = keys.map { $0.address(prefix: preview.shown.network?.base58Prefix ?? 42) }
        if json { return JSONText.print(["addresses": addresses], console) }
        addresses.forEach(console.print)
    }

    /// The scheme that a path without a kind is meant for, by the rule of ``DeriveKeys``. A network that is
    /// not there is refused by its preview, so its scheme does not matter here.
    private func wantedScheme(_ given: SignatureScheme?, _ device: Device) throws -> SignatureScheme {
        guard let network else { return given ?? .sr25519 }
        return try device.trust().state.network(named: network, scheme: given).scheme
    }
}

/// `key label`
struct KeyLabel: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "label", abstract: "Label a key; an empty label removes it.")

    @Argument(help: "The key's address.", completion: .named(.address)) var address: String
    @Argument(help: ArgumentHelp("The label, up to \(KeyRefusal.maximumLabelLength) bytes.")) var text: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard text.utf8.count <= KeyRefusal.maximumLabelLength else {
            throw ValidationError("a label has at most \(KeyRefusal.maximumLabelLength) bytes")
        }
    }

    func execute(_ context: CommandContext) throws {
        let change = ChangeKey(address, .label(text.isEmpty ? nil : text))
        let approval = try context.device(self).preview(change).confirm()
        _ = try context.unlock(self).perform(approval)
        context.console.note(Wording.labelled(address))
        if json { JSONText.print(["address": address, "label": text], context.console) }
    }
}

/// `key allow`: one network more that a key may sign for.
struct KeyAllow: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: "Allow a key to sign for a network.",
        discussion:
            """
            A second network needs a typed word, because a signature for one network may be valid on another.
            """
    )

    @Argument(help: "The key's address.", completion: .named(.address)) var address: String
    @Argument(help: "The network's name.", completion: .named(.network)) var network: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var word: WordOption

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try word.requireAllowed(vault)
        let preview = try context.device(self).preview(ChangeKey(address, .allow(network: network)))
        let approval = try preview.confirm()
        _ = try context.unlock(self).perform(approval, asking: TerminalPerson(console: console, word: word))
        console.note(Wording.allowed(address, network: preview.shown.network?.name ?? network))
        if json {
            JSONText.print(["address": address, "network": preview.shown.network?.name ?? network], console)
        }
    }
}

/// `key forbid`: the opposite of `key allow`.
struct KeyForbid: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "forbid", abstract: "Stop a key from signing for a network.")

    @Argument(help: "The key's address.", completion: .named(.address)) var address: String
    @Argument(help: "The network's name.", completion: .named(.network)) var network: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws {
        let preview = try context.device(self).preview(ChangeKey(address, .forbid(network: network)))
        let approval = try preview.confirm()
        _ = try context.unlock(self).perform(approval)
        context.console.note(
            """
            stopped \(Escape.terminal(address)) from signing for \
            \(Escape.terminal(preview.shown.network?.name ?? network))
            """
        )
        if json {
            JSONText.print(
                ["address": address, "network": preview.shown.network?.name ?? network], context.console)
        }
    }
}

/// `key remove`: forgets a key. Its seed can derive it again; an imported key goes with its secret.
struct KeyRemove: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a key; its seed can derive it again.",
        discussion: """
            No seed gives an imported key: its label, or without one its address, is typed first.
            """)

    @Argument(help: "The key's address.", completion: .named(.address)) var address: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @OptionGroup var confirmation: YesOption

    func execute(_ context: CommandContext) throws {
        let preview = try context.device(self).preview(ChangeKey(address, .remove))
        let key = preview.shown.key
        let approval = try preview.confirm {
            try !key.isImported || confirmation.skipsQuestion(vault)
                || context.console.confirm(
                    Wording.removeImported(address),
                    word: Wording.removalWord(key.label ?? address, of: "key"))
        }
        if key.isImported { context.requirePerson() }
        _ = try context.unlock(self).perform(approval)
        context.console.note(Wording.removed(address, key))
        if json { JSONText.print(["address": address], context.console) }
    }
}

/// `key forget-nonce`
struct KeyForgetNonce: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "forget-nonce",
        abstract: "Forget which nonces a key signed with on a network, after a typed word.",
        discussion: """
            A review compares each nonce with those that the key signed with before, and a rule under \
            approve signs none that it warns of. If the memory is wrong, for example after signatures that \
            were never sent, forget it: the next signature begins it anew. Check the next nonce on the chain \
            before: until then no warning tells a nonce that was used. The log and the budgets keep what was \
            signed.
            """)

    @Argument(help: "The key's address.", completion: .named(.address)) var address: String
    @Argument(help: "The network's name.", completion: .named(.network)) var network: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions

    /// Whoever finds a shell open may not make rules sign again.
    var place: CommandPlace { .afterLocking }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try approval.requireAllowed(vault)
        let preview = try context.device(self).preview(ForgetNonce(address, network: network))
        let question = ReviewQuestion(Wording.forgetNonceQuestion(preview.shown), word: ForgetNonce.word)
        let approved = try approval.confirm(preview, question, console)
        _ = try context.unlock(self).perform(approved)
        console.note(Wording.nonceForgotten(preview.shown))
        if json { JSONText.print(["address": address, "network": preview.shown.network.name], console) }
    }
}
