import ArgumentParser
import Hashing
import SubstratePrimitives
import TrustStore

/// `key label`
struct KeyLabel: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "label", abstract: "Name a key; an empty text takes the name away.")

    @Argument(help: "The key's address.") var address: String
    @Argument(help: "Up to 128 bytes.") var text: String
    @OptionGroup var vault: VaultOptions

    private static let longest = 128

    func validate() throws {
        guard text.utf8.count <= Self.longest else { throw ValidationError("a label has at most \(Self.longest) bytes") }
    }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let open = try context.unlock(self)
        let key = try open.store.trust().state.key(address: address).publicKey
        try open.store.change(
            [.labelKey(key, text.isEmpty ? nil : text)], events: [LogEvent(.keyLabelled, [LogEvent.Fact("key", Hex.encode(key.bytes))])])
        context.console.note(Wording.labelled(address))
    }
}

/// A key and a network that it may sign for or not, for `key allow` and `key forbid`.
struct KeyPermission: ParsableArguments {
    @Argument(help: "The key's address.") var address: String
    @Argument(help: "The network's name.") var network: String
    @OptionGroup var vault: VaultOptions

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    /// - Parameters:
    ///   - plan: the network that is meant, and the change.
    ///   - commit: makes the change.
    /// - Returns: the network's name.
    func change(
        _ context: CommandContext, _ kind: LogEvent.Kind, _ plan: (TrustState, KeyRecord) throws -> (NetworkSpecs, TrustChange),
        commit: (OpenVault, TrustChange, LogEvent) throws -> Void
    ) throws -> String {
        let open = try context.keeper.unlock(vault, context.console, whileUnacknowledged: false)
        let state = try open.store.trust().state
        let key = try state.key(address: address)
        let (specs, change) = try plan(state, key)
        let facts = [LogEvent.Fact("key", Hex.encode(key.publicKey.bytes)), LogEvent.Fact("network", specs.name)]
        try commit(open, change, LogEvent(kind, facts))
        return specs.name
    }
}

/// `key allow`: one network more that a key may sign for.
struct KeyAllow: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow", abstract: "Let a key sign for a network.",
        discussion: "A second network needs a typed word: what a key signs for one network may be valid on another.")

    @OptionGroup var permission: KeyPermission
    @OptionGroup var word: WordOption
    var vault: VaultOptions { permission.vault }

    func access() throws -> Access { try permission.access() }

    func execute(_ context: CommandContext) throws {
        try word.requireAllowed(vault)
        let network = try permission.change(context, .keyAllowed) { state, key in
            let specs = try state.network(named: permission.network, scheme: key.publicKey.scheme)
            guard !key.networks.contains(specs.genesisHash) else { throw CommandError.keyExists(seed: key.seed, path: key.path) }
            return (specs, .allowKey(key.publicKey, specs.genesisHash))
        } commit: { open, change, event in
            try open.change([change], events: [event], word: word, context.console)
        }
        context.console.note(Wording.allowed(permission.address, network: network))
    }
}

/// `key forbid`: the opposite of `key allow`.
struct KeyForbid: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "forbid", abstract: "Stop a key from signing for a network.")

    @OptionGroup var permission: KeyPermission
    var vault: VaultOptions { permission.vault }

    func access() throws -> Access { try permission.access() }

    func execute(_ context: CommandContext) throws {
        let network = try permission.change(context, .keyForbidden) { state, key in
            let specs = try state.network(named: permission.network)
            guard key.networks.contains(specs.genesisHash) else { throw CommandError.keyNotOfNetwork(network: specs.name) }
            return (specs, .forbidKey(key.publicKey, specs.genesisHash))
        } commit: { open, change, event in
            try open.store.change([change], events: [event])
        }
        context.console.note(Wording.forbidden(permission.address, network: network))
    }
}

/// `key remove`: forgets a key; its seed can derive it again.
struct KeyRemove: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Forget a key; its seed can derive it again.")

    @Argument(help: "The key's address.") var address: String
    @OptionGroup var vault: VaultOptions

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let open = try context.unlock(self)
        let key = try open.store.trust().state.key(address: address)
        try open.store.change(
            [.removeKey(key.publicKey)],
            events: [
                LogEvent(
                    .keyRemoved,
                    [
                        LogEvent.Fact("key", Hex.encode(key.publicKey.bytes)), LogEvent.Fact("seed", key.seed),
                        LogEvent.Fact("path", key.path),
                    ])
            ])
        context.console.note(Wording.removedKey(address))
    }
}
