import ArgumentParser
import ColdSigner
import ColdStore
import Hashing
import Keys
import SubstratePrimitives

struct KeyGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Derive and list keys.", subcommands: [KeyDerive.self, KeyList.self])
}

/// `key derive`: a key of a seed, for one network.
struct KeyDerive: Command {
    static let configuration = CommandConfiguration(commandName: "derive", abstract: "Derive a key from a seed.")

    @Argument(help: "The seed's name.") var seed: String
    @Argument(help: "The path, as //polkadot//0.") var path: String
    @OptionGroup var vault: VaultOptions

    @Option(help: ArgumentHelp("The network that the key may sign for.", valueName: "name"))
    var network: String?

    @Option(help: ArgumentHelp("Read a ///password as one line from this descriptor.", valueName: "n"))
    var passwordFd: Int32?

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ surroundings: Surroundings) throws {
        let open = try vault.unlock(surroundings.console)
        let state = try open.store.state()
        let specs = try network.map { try state.theNetwork(named: $0) }
        let path = try DerivationPath(path)
        let hasPassword = passwordFd != nil
        let password = hasPassword ? try secret("password: ", descriptor: passwordFd, surroundings.console) : SecretBytes()
        let key = try open.vault.withSeed(seed) { (entropy: borrowing SecretBytes) in
            try KeyPair.derive(entropy: entropy, path: path, password: password, scheme: specs?.scheme ?? .sr25519).publicKey
        }
        let networks: Set<GenesisHash> = specs.map { [$0.genesisHash] } ?? []
        let record = KeyRecord(publicKey: key, seed: seed, path: path.description, hasPassword: hasPassword, networks: networks)
        try open.store.change([.addKey(record)], events: [LogEvent(.keyAdded, [LogEvent.Fact("key", Hex.encode(key.bytes))])])
        surroundings.console.print(key.address(prefix: specs?.base58Prefix ?? 42))
    }
}

extension TrustState {
    /// The one network of this name.
    func theNetwork(named name: String) throws(CommandError) -> NetworkSpecs {
        guard let specs = networks(named: name).first else { throw .noSuchNetwork(name) }
        return specs
    }
}

/// `key list`: addresses by seed and network.
struct KeyList: Command {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the keys.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ surroundings: Surroundings) throws {
        let state = try vault.lockedStore().uncheckedState()
        let keys = state.keys.map { KeyFacts($0, state: state) }
        if json { return JSONText.print(["keys": keys], surroundings.console) }
        for key in keys {
            let networks = key.networks.isEmpty ? "no network" : key.networks.joined(separator: ", ")
            surroundings.console.print(Escape.terminal("\(key.seed)  \(networks)  \(key.address)  \(key.path)"))
        }
    }

    struct KeyFacts: Encodable {
        let address: String
        let public_key: String
        let scheme: String
        let seed: String
        let path: String
        let has_password: Bool
        let label: Explicit<String>
        let networks: [String]
        let last_used: Explicit<UInt64>

        init(_ record: KeyRecord, state: TrustState) {
            let networks = state.networks.filter { record.networks.contains($0.genesisHash) }
            address = record.publicKey.address(prefix: networks.first?.base58Prefix ?? 42)
            public_key = Hex.encode(record.publicKey.bytes)
            scheme = record.publicKey.scheme.name
            seed = record.seed
            path = record.path
            has_password = record.hasPassword
            label = Explicit(record.label)
            self.networks = Array(Set(networks.map(\.name))).sorted()
            last_used = Explicit(record.lastUsed)
        }
    }
}
