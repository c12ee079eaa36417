import ArgumentParser
import Ceremony
import CommandKit
import Hashing
import Keys
import Lines
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore
import UOS

/// `key import`: keys of another wallet, from its keystore or as a secret; or the keys of a plain list of
/// derivation paths, for a seed and a network that the person names.
///
/// The list becomes the payload that carries such lists by picture, so that its cards, its question and its
/// act are those of a scan.
struct KeyImport: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import keys from a keystore or a secret, or derive those of a list of paths.",
        discussion:
            """
            --keystore FILE reads the JSON file of polkadot-js and wallets like it, versions 0 to 3. --secret \
            asks for a secret key in hex, or reads the QR code of one from the pictures. No seed gives such \
            a key: its secret lies encrypted in the vault, only vault backup backs it up, and nothing is \
            derived from it. With --seed and --network the one input is a text file with a derivation path on \
            each line, without passwords; a list that is a picture is for scan --seed NAME.
            """
    )

    @OptionGroup var input: InputOptions

    @Option(
        help: ArgumentHelp("Import the keys of this polkadot-js keystore.", valueName: "file.json"),
        completion: .file())
    var keystore: String?

    @Option(
        help: ArgumentHelp(
            "Of a keystore, import this key only: its address, or the public key.", valueName: "key"))
    var address: [String] = []

    @Option(help: ArgumentHelp("Read the file's password as one line from this descriptor.", valueName: "n"))
    var passwordFd: Int32?

    @Flag(help: "Import a secret key: typed, or from the picture of its QR code.")
    var secret = false

    @Option(
        help: ArgumentHelp(
            "The scheme of --secret: ed25519, sr25519, ecdsa or ethereum (default: the network's).",
            valueName: "s"),
        completion: .schemes)
    var scheme: String?

    @Option(help: ArgumentHelp("Read the secret key as one line from this descriptor.", valueName: "n"))
    var secretFd: Int32?

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var word: WordOption
    @OptionGroup var view: ViewOptions

    @Option(
        help: ArgumentHelp("The seed whose keys a list of paths names.", valueName: "name"),
        completion: .named(.seed))
    var seed: String?

    @Option(
        help: ArgumentHelp("Allow the keys to sign for this network.", valueName: "name"),
        completion: .named(.network))
    var network: String?

    func validate() throws {
        let kinds = [keystore != nil, secret, seed != nil].count { $0 }
        guard kinds == 1 else {
            throw ValidationError(
                kinds == 0
                    ? "--keystore FILE, --secret, or a FILE of paths with --seed and --network is needed"
                    : "--keystore, --secret and --seed exclude each other")
        }
        if keystore == nil, !address.isEmpty || passwordFd != nil {
            throw ValidationError("--address and --password-fd need --keystore")
        }
        if !secret, scheme != nil || secretFd != nil {
            throw ValidationError("--scheme and --secret-fd need --secret")
        }
        if keystore != nil, !input.isEmpty { throw ValidationError("--keystore names its file itself") }
        if secretFd != nil, !input.isEmpty { throw ValidationError("--secret-fd reads no pictures") }
        // Taken for the name of a picture, it would be repeated in the error, on the screen of whoever typed
        // it.
        if secret, input.input.contains(where: Self.isSecret) {
            throw ValidationError(
                """
                a secret key does not go on the command line, where the system and the shell keep it: leave \
                it out, and it is asked for
                """)
        }
        if seed != nil {
            guard network != nil else { throw ValidationError("--seed needs --network") }
            guard input.paths != nil else { throw ValidationError("--seed needs one file of paths") }
        }
    }

    /// Digits for 16 bytes or more, as no picture is called, or the text of a secret's QR code.
    private static func isSecret(_ text: String) -> Bool {
        text.utf8Starts(with: "secret:") || text.utf8Starts(with: "seed:")
            || (Hex.decode(text)?.count ?? 0) >= 16
    }

    var place: CommandPlace { input.place }

    func access() throws -> Access {
        let readable = keystore.map { $0.utf8Equals("-") ? [] : [$0] } ?? input.readable
        return Access(
            readable: readable.filter { !$0.utf8Equals("-") }, writable: [try vault.directory()],
            scans: secret && input.needsScanner, reviews: seed != nil,
            forks: keystore != nil || secret && !input.isEmpty,
            cameras: secret ? input.cameras : [])
    }

    func execute(_ context: CommandContext) throws {
        if let seed, let network, let file = input.paths {
            return try derive(file, seed: seed, network: network, context)
        }
        try word.requireAllowed(vault)
        try approval.requireAllowed(vault)
        let console = context.console
        let device = try context.device(self)
        let state = try device.trust().state
        var read =
            try keystore.map { try ForeignKeys.keystore($0, passwordFd: passwordFd, console) }
            ?? ForeignKeys.secret(input, secretFd: secretFd, console) {
                try wantedScheme($0, state)
            }
        try read.keep(only: address)
        // A secret names its network, unless the person does.
        let named = read.genesis.flatMap { state.networks(genesis: $0).first?.genesisHash.hex }
        let operation = ImportKeys(
            read.keys, origin: keystore != nil ? .keystore : input.isEmpty ? .secret : .scanned,
            network: network ?? named)
        try store(read, operation, device, context)
    }

    private func store(
        _ read: ForeignKeys, _ operation: ImportKeys, _ device: Device, _ context: CommandContext
    ) throws {
        let console = context.console
        let (lines, preview) = try device.preview(operation).reading { shown, trust in
            Wording.imports(
                read.keys, shown, from: read.source, isOpen: read.isOpen, unknown: read.genesis, in: trust)
        }
        let page = json ? console.beside : console
        lines.forEach { page.print($0) }
        let count = preview.shown.added.count
        let approved = try approval.confirm(preview, Wording.importQuestion(count), console)
        let person = TerminalPerson(console: console, word: word)
        let keys = try context.unlock(self).perform(approved, asking: person).outcome
        console.note(Wording.imported(keys.count))
        if json {
            let prefix = preview.shown.network?.base58Prefix ?? 42
            JSONText.print(["addresses": keys.map { $0.address(prefix: prefix) }], console)
        }
    }

    /// The scheme that was asked for, else that of the network, else sr25519.
    private func wantedScheme(_ genesis: GenesisHash?, _ state: TrustState) throws -> SignatureScheme {
        if let scheme {
            guard let known = SignatureScheme(name: scheme) else { throw CommandError.unknownScheme(scheme) }
            return known
        }
        if let network { return try state.network(named: network).scheme }
        return genesis.flatMap { state.networks(genesis: $0).first?.scheme } ?? .sr25519
    }

    private func derive(_ file: String, seed: String, network: String, _ context: CommandContext) throws {
        let session = ReviewSession(
            self, context, json: json, asks: true, approve: approval.approve, onScreen: true, options: view,
            person: TerminalPerson(console: context.console, word: word))
        try session.run {
            try word.requireAllowed(vault)
            let device = try context.device(self)
            let specs = try device.trust().state.network(named: network)
            let paths = try PathListText.paths(in: try Files.read(file))
            let list = PathList(scheme: specs.scheme, genesisHash: specs.genesisHash, paths: paths)
            guard
                let operation = ImportDerivations(
                    try Payload(Payload.Content.importPaths(list).encoded()), seed: seed)
            else {
                preconditionFailure("a list of paths is an import")
            }
            context.console.note(Wording.importedKeys(try session.perform(device.preview(operation))))
        }
    }
}
