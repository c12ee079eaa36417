import ArgumentParser
import Hashing
import Keys
import Review
import SubstratePrimitives
import TrustStore

struct KeyGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Derive, list, show and export keys.",
        subcommands: [
            KeyDerive.self, KeyList.self, KeyShow.self, KeyLabel.self, KeyAllow.self, KeyForbid.self, KeyRemove.self, KeyExport.self,
            KeySecret.self,
        ])
}

/// `key derive`: keys of a seed, for one network.
struct KeyDerive: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "derive", abstract: "Derive a key from a seed.",
        discussion: "With --count N, PATH is a base: N keys PATH//0, PATH//1, … after the highest that the vault holds.")

    @Argument(help: "The seed's name.") var seed: String
    @Argument(help: "The path, as //polkadot//0.") var path: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var word: WordOption

    @Option(help: ArgumentHelp("The network that the keys may sign for.", valueName: "name"))
    var network: String?

    @Option(help: ArgumentHelp("The scheme, where no network says it: ed25519, sr25519, ecdsa or ethereum.", valueName: "s"))
    var scheme: String?

    @Option(help: ArgumentHelp("How many keys to derive below the path.", valueName: "n"))
    var count: Int?

    @Flag(help: "Ask for a ///password, which is never stored.")
    var password = false

    @Option(help: ArgumentHelp("Read a ///password as one line from this descriptor.", valueName: "n"))
    var passwordFd: Int32?

    /// A slip of the finger must not fill the store.
    private static let maximumKeys = 1000

    func validate() throws {
        if let count, !(1...Self.maximumKeys).contains(count) { throw ValidationError("--count is 1 to \(Self.maximumKeys)") }
    }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try word.requireAllowed(vault)
        let base = try DerivationPath(path)
        let given = try scheme.map { name throws(CommandError) in
            guard let scheme = SignatureScheme(name: name) else { throw .unknownScheme(name) }
            return scheme
        }
        let open = try context.unlock(self)
        let state = try open.store.trust().state
        let specs = try network.map { try state.network(named: $0, scheme: given) }
        let scheme = specs?.scheme ?? given ?? .sr25519
        for junction in base.junctions where junction.differsInPolkadotJS { console.note(Wording.differsInPolkadotJS(junction)) }
        let paths = try paths(base, state)
        let hasPassword = password || passwordFd != nil
        let password = hasPassword ? try secret("password: ", for: .password, descriptor: passwordFd, console) : SecretBytes()
        var changes: [TrustChange] = []
        var events: [LogEvent] = []
        var addresses: [String] = []
        for path in paths {
            let key = try open.vault.withSeed(seed) { (entropy: borrowing SecretBytes) in
                try KeyPair.derive(entropy: entropy, path: path, password: password, scheme: scheme).publicKey
            }
            let record = KeyRecord(
                publicKey: key, ethereumAddress: scheme == .ethereum ? key.accountID : nil, seed: seed, path: path.description,
                hasPassword: hasPassword, networks: specs.map { [$0.genesisHash] } ?? [])
            changes.append(try Self.change(record, state))
            events.append(LogEvent(.keyAdded, [LogEvent.Fact("key", Hex.encode(key.bytes)), LogEvent.Fact("seed", seed)]))
            addresses.append(key.address(prefix: specs?.base58Prefix ?? 42))
        }
        try open.change(changes, events: events, word: word, console)
        addresses.forEach(console.print)
    }

    private func paths(_ base: DerivationPath, _ state: TrustState) throws -> [DerivationPath] {
        guard let count else { return [base] }
        var known = try state.keys(seed: seed).map { try DerivationPath($0.path) }
        var paths: [DerivationPath] = []
        for _ in 0..<count {
            guard let next = DerivationPath.next(after: known, base: base) else { throw CommandError.noNextPath(base.description) }
            known.append(next)
            paths.append(next)
        }
        return paths
    }

    /// A new key, or one network more for the same key. Another way to a key that is there already is a collision.
    private static func change(_ record: KeyRecord, _ state: TrustState) throws(CommandError) -> TrustChange {
        guard let known = state.key(record.publicKey) else { return .addKey(record) }
        guard known.seed.utf8Equals(record.seed), known.path.utf8Equals(record.path), known.hasPassword == record.hasPassword else {
            throw .keyCollision(seed: known.seed, path: known.path)
        }
        guard let network = record.networks.first, !known.networks.contains(network) else {
            throw .keyExists(seed: known.seed, path: known.path)
        }
        return .allowKey(record.publicKey, network)
    }
}

extension TrustState {
    /// The network of a name and, where one is given, a scheme.
    func network(named name: String, scheme: SignatureScheme?) throws(CommandError) -> NetworkSpecs {
        guard let scheme else { return try network(named: name) }
        guard let specs = try oneChain(name).first(where: { $0.scheme == scheme }) else { throw .noSuchNetwork(name) }
        return specs
    }
}
