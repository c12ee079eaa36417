import ArgumentParser
import ColdStore
import Hashing
import SubstratePrimitives

/// `key label`
struct KeyLabel: Command {
    static let configuration = CommandConfiguration(commandName: "label", abstract: "Name a key; an empty text takes the name away.")

    @Argument(help: "The key's address.") var address: String
    @Argument(help: "Up to 128 bytes.") var text: String
    @OptionGroup var vault: VaultOptions

    private static let longest = 128

    func validate() throws {
        guard text.utf8.count <= Self.longest else { throw ValidationError("a label has at most \(Self.longest) bytes") }
    }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ surroundings: Surroundings) throws {
        let open = try surroundings.unlock(vault)
        let key = try open.store.state().theKey(at: address).publicKey
        try open.store.change(
            [.labelKey(key, text.isEmpty ? nil : text)], events: [LogEvent(.keyLabelled, [LogEvent.Fact("key", Hex.encode(key.bytes))])])
        surroundings.console.note(Wording.labelled(address))
    }
}

/// `key allow`: one network more that a key may sign for.
struct KeyAllow: Command {
    static let configuration = CommandConfiguration(commandName: "allow", abstract: "Let a key sign for a network.")

    @Argument(help: "The key's address.") var address: String
    @Argument(help: "The network's name.") var network: String
    @OptionGroup var vault: VaultOptions

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ surroundings: Surroundings) throws {
        let open = try surroundings.unlock(vault)
        let state = try open.store.state()
        let key = try state.theKey(at: address)
        let specs = try state.theNetwork(named: network, scheme: key.publicKey.scheme)
        guard !key.networks.contains(specs.genesisHash) else { throw CommandError.keyExists(seed: key.seed, path: key.path) }
        try open.store.change(
            [.allowKey(key.publicKey, specs.genesisHash)],
            events: [
                LogEvent(.keyAllowed, [LogEvent.Fact("key", Hex.encode(key.publicKey.bytes)), LogEvent.Fact("network", specs.name)])
            ])
        surroundings.console.note(Wording.allowed(address, network: specs.name))
    }
}

/// `key forbid`: the opposite of `key allow`.
struct KeyForbid: Command {
    static let configuration = CommandConfiguration(commandName: "forbid", abstract: "Stop a key from signing for a network.")

    @Argument(help: "The key's address.") var address: String
    @Argument(help: "The network's name.") var network: String
    @OptionGroup var vault: VaultOptions

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ surroundings: Surroundings) throws {
        let open = try surroundings.unlock(vault)
        let state = try open.store.state()
        let key = try state.theKey(at: address)
        let specs = try state.theNetwork(named: network)
        guard key.networks.contains(specs.genesisHash) else { throw CommandError.keyNotOfNetwork(network: specs.name) }
        try open.store.change(
            [.forbidKey(key.publicKey, specs.genesisHash)],
            events: [
                LogEvent(.keyForbidden, [LogEvent.Fact("key", Hex.encode(key.publicKey.bytes)), LogEvent.Fact("network", specs.name)])
            ])
        surroundings.console.note(Wording.forbidden(address, network: specs.name))
    }
}

/// `key remove`: forgets a key; its seed can derive it again.
struct KeyRemove: Command {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Forget a key; its seed can derive it again.")

    @Argument(help: "The key's address.") var address: String
    @OptionGroup var vault: VaultOptions

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ surroundings: Surroundings) throws {
        let open = try surroundings.unlock(vault)
        let key = try open.store.state().theKey(at: address)
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
        surroundings.console.note(Wording.removedKey(address))
    }
}
