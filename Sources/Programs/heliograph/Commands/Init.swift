import ArgumentParser
import Ceremony
import CommandKit
import Keys
import Lines
import Presentation
import SubstratePrimitives
import Synchronization
import SystemIO
import TerminalIO
import Vault

/// `init`: a vault with its passphrase, its networks and its verifier.
struct Init: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(commandName: "init", abstract: "Create a vault.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp("The general verifier: default, none or SCHEME:HEX.", valueName: "key"),
        completion: .list(["default", "none"]))
    var verifier = "default"

    @Option(help: ArgumentHelp("The initial networks.", valueName: "set"))
    var networks: NetworkSet = .default

    @Flag(help: "Create a development vault, permanently: the network detector warns and does not block.")
    var allowOnline = false

    @Option(
        help: ArgumentHelp(
            "Cost of the key derivation: measured (about 1 s), or test (development vaults only).",
            valueName: "cost"))
    var kdfCost: CostChoice = .measured

    enum CostChoice: String, ExpressibleByArgument, CaseIterable { case measured, test }

    /// What was made.
    private struct Document: Encodable {
        let vault: String
        let development: Bool
    }

    var place: CommandPlace { .alone }

    /// Directories that this command made, the deepest first.
    private static let made = Mutex<[String]>([])

    func access() throws -> Access {
        let directory = try vault.directory()
        let (missing, above) = Directory.missing(directory)
        try Files.makeFolder(directory)
        Self.made.withLock { $0 = missing }
        return Access(
            writable: [directory], emptied: missing.isEmpty ? [] : [above], forks: !allowOnline)
    }

    func execute(_ context: CommandContext) throws {
        do {
            try create(context)
        } catch {
            // What was refused leaves no directory behind that was not there before; one with a vault is not
            // empty, and stays.
            for directory in Self.made.withLock({ $0 }) where !Directory.removeEmpty(directory) { break }
            throw error
        }
    }

    private func create(_ context: CommandContext) throws {
        let console = context.console
        let key = try PublicKey(verifier: verifier)
        if kdfCost == .test, !allowOnline { throw CommandError.cheapCostNeedsDevelopmentVault }
        let device = try context.device(self)
        let operation = CreateVault(
            verifier: key, networks: networks == .default ? NetworkSpecs.defaults : [],
            isDevelopment: allowOnline,
            cost: kdfCost == .test ? .development : nil)
        let approval = try device.preview(operation).confirm()
        let passphrase = NewPassphrase(
            question: Wording.newPassphrase, needsStrength: !allowOnline, console: console)
        _ = try device.perform(approval, keyFile: HeldSecret(vault.keyFile())) {
            try passphrase.read(descriptor: vault.passphraseFd)
        }
        console.note("created a vault in \(Escape.terminal(device.directory))")
        if allowOnline {
            console.note("this is a development vault: the network detector warns and does not block")
        }
        let state = try device.trust().state
        console.note(
            Wording.nextStep(Wording.next(Overview.setUp(state, seeds: 0), state, seeds: [], vault.vault)))
        if json { JSONText.print(Document(vault: device.directory, development: allowOnline), console) }
        for weakness in Weakness.all(context.sandbox) { console.alarm(Wording.weakness(weakness)) }
    }
}
