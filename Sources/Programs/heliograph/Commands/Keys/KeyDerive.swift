import ArgumentParser
import Ceremony
import CommandKit
import Keys
import Presentation
import SubstratePrimitives
import TerminalIO

/// `key derive`: keys of a seed, for one network.
struct KeyDerive: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "derive", abstract: "Derive a key from a seed.",
        discussion:
            "With --count N, PATH is a base: N keys are derived at PATH//0, PATH//1 and so on, after the highest index in the vault.")

    @Argument(help: "The seed's name.") var seed: String
    @Argument(help: "The derivation path, e.g. //polkadot//0.") var path: String
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var word: WordOption

    @Option(help: ArgumentHelp("Allow the keys to sign for this network.", valueName: "name"))
    var network: String?

    @Option(help: ArgumentHelp("The scheme if --network is not given: ed25519, sr25519, ecdsa or ethereum.", valueName: "s"))
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
        if let count, !(1...Self.maximumKeys).contains(count) { throw ValidationError("--count must be 1 to \(Self.maximumKeys)") }
    }

    var json: Bool { output.json }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        try word.requireAllowed(vault)
        let base = try DerivationPath(path)
        let given = try scheme.map { name throws(CommandError) in
            guard let scheme = SignatureScheme(name: name) else { throw .unknownScheme(name) }
            return scheme
        }
        let operation = DeriveKeys(
            seed: seed, path: base, count: count, network: network, scheme: given, hasPassword: password || passwordFd != nil)
        let preview = try context.device(self).preview(operation)
        for junction in preview.shown.differingInPolkadotJS { console.note(Wording.differsInPolkadotJS(junction)) }
        let approval = try preview.confirm()
        let person = TerminalPerson(console: console, word: word, passwordFd: passwordFd)
        let keys = try context.unlock(self).perform(approval, asking: person).outcome
        let addresses = keys.map { $0.address(prefix: preview.shown.network?.base58Prefix ?? 42) }
        if json { return JSONText.print(["addresses": addresses], console) }
        addresses.forEach(console.print)
    }
}
