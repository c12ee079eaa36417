import ArgumentParser
import Ceremony
import Keys
import SubstratePrimitives
import Terminal
import TrustStore
import Vault

struct SeedGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed", abstract: "Make, restore, check, split and list seeds.",
        subcommands: [
            SeedNew.self, SeedRestore.self, SeedList.self, SeedShow.self, SeedCheck.self, SeedRemove.self, SeedSplit.self, SeedJoin.self,
        ])
}

extension OpenVault {
    /// Seals a seed under a new name and says so in the log.
    func add(seed name: String, entropy: borrowing SecretBytes, how: String) throws {
        try vault.addSeed(name: name, entropy: entropy)
        try store.change(
            [.putSeedRoot(name, vault.root(of: name))],
            events: [LogEvent(.seedAdded, [LogEvent.Fact("seed", name), LogEvent.Fact("how", how)])])
    }
}

/// `seed list`: names only.
struct SeedList: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the seeds.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let names = try Vault.open(directory: try vault.directory()).seedNames
        let state = try vault.device().store().uncheckedTrust().state
        if json {
            JSONText.print(
                ["seeds": names.map { SeedFacts(name: $0, keys: state.keys(seed: $0).count) }], context.console)
        } else {
            for name in names { context.console.print("\(Escape.terminal(name))  \(state.keys(seed: name).count) keys") }
        }
    }

    private struct SeedFacts: Encodable {
        let name: String
        let keys: Int
    }
}

/// `seed show`: the phrase, for a person who copies it to paper. Every time stands in the log.
struct SeedShow: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the phrase of a seed.")

    @Argument(help: "The seed's name.") var name: String
    @OptionGroup var vault: VaultOptions

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let open = try context.unlock(self)
        let mnemonic = try Mnemonic(entropy: open.vault.seed(name))
        // The log knows before anyone sees it.
        try open.store.append([LogEvent(.seedShown, [LogEvent.Fact("seed", name)])])
        context.console.print(secret: mnemonic.phrase())
    }
}

/// `seed check`: compares a phrase with a seed without showing either.
struct SeedCheck: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "check", abstract: "Say whether a phrase is that of a seed.")

    @Argument(help: "The seed's name.") var name: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var phrase: PhraseOptions

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let open = try context.unlock(self)
        let stored = try open.vault.seed(name)
        let given = try phrase.mnemonic(context.console)
        guard given.entropy.isEqual(to: stored) else { throw CommandError.phraseDiffers(seed: name) }
        context.console.print(Wording.phraseMatches(name))
    }
}

/// `seed remove`: the seed and all keys that were derived from it.
struct SeedRemove: VaultCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a seed and its keys.")

    @Argument(help: "The seed's name.") var name: String
    @OptionGroup var vault: VaultOptions

    @Flag(help: "Do not ask whether that is meant.")
    var yes = false

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let open = try context.unlock(self)
        guard open.vault.seedNames.containsUTF8(of: name) else { throw VaultError.noSuchSeed }
        let keys = try open.store.trust().state.keys(seed: name)
        try ShieldGuard.requireOffline(vault)
        guard try yes || context.console.confirm(Wording.removeSeed(name, keys: keys.count)) else { throw CeremonyError.declined }
        // Keys first: keys without a seed could not sign, a seed without keys can derive them again.
        try open.store.change(
            keys.map { .removeKey($0.publicKey) } + [.removeSeedRoot(name)], events: [LogEvent(.seedRemoved, [LogEvent.Fact("seed", name)])]
        )
        try open.vault.removeSeed(name)
        context.console.note(Wording.removedSeed(name, keys: keys.count))
    }
}
