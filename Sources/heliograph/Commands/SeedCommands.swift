import ArgumentParser
import ColdStore
import Keys
import Vault

struct SeedGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed", abstract: "Make, restore and list seeds.", subcommands: [SeedNew.self, SeedRestore.self, SeedList.self])
}

/// `seed new`: a seed from the operating system's randomness.
struct SeedNew: Command {
    static let configuration = CommandConfiguration(commandName: "new", abstract: "Make a seed.")

    @Argument(help: "Its name in this vault.") var name: String
    @OptionGroup var vault: VaultOptions

    @Option(help: ArgumentHelp("Words of its phrase: 12, 15, 18, 21 or 24.", valueName: "n"))
    var words = 24

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func validate() throws {
        guard [12, 15, 18, 21, 24].contains(words) else { throw ValidationError("--words is 12, 15, 18, 21 or 24") }
    }

    func execute(_ surroundings: Surroundings) throws {
        var open = try vault.unlock(surroundings.console)
        try open.vault.addSeed(name: name, entropy: SecretBytes(randomCount: words / 3 * 4))
        try open.store.append([LogEvent(.seedAdded, [LogEvent.Fact("seed", name)])])
        surroundings.console.note("made seed \(Escape.terminal(name)) of \(words) words")
    }
}

/// `seed restore`: a seed from its phrase.
struct SeedRestore: Command {
    static let configuration = CommandConfiguration(commandName: "restore", abstract: "Restore a seed from its phrase.")

    @Argument(help: "Its name in this vault.") var name: String
    @OptionGroup var vault: VaultOptions

    @Option(help: ArgumentHelp("Read the phrase as one line from this descriptor.", valueName: "n"))
    var phraseFd: Int32?

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ surroundings: Surroundings) throws {
        var open = try vault.unlock(surroundings.console)
        let phrase = try secret("phrase: ", descriptor: phraseFd, surroundings.console)
        let mnemonic = try Mnemonic(phrase: phrase)
        try open.vault.addSeed(name: name, entropy: mnemonic.entropy)
        try open.store.append([LogEvent(.seedAdded, [LogEvent.Fact("seed", name)])])
        surroundings.console.note("restored seed \(Escape.terminal(name))")
    }
}

/// `seed list`: names only.
struct SeedList: Command {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the seeds.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ surroundings: Surroundings) throws {
        let names = try Vault.open(directory: try vault.directory()).seedNames
        let state = try vault.lockedStore().uncheckedState()
        if json {
            JSONText.print(
                ["seeds": names.map { SeedFacts(name: $0, keys: state.keys(seed: $0).count) }], surroundings.console)
        } else {
            for name in names { surroundings.console.print("\(Escape.terminal(name))  \(state.keys(seed: name).count) keys") }
        }
    }

    private struct SeedFacts: Encodable {
        let name: String
        let keys: Int
    }
}
