import ArgumentParser
import Ceremony
import CommandKit
import Keys
import Presentation
import SubstratePrimitives
import TerminalIO
import TrustStore

/// `verifier reset`
struct VerifierReset: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Wipe all networks, metadata, types and verifiers; seeds and keys stay.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var approval: ApproveOption
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("The new general verifier: default, none or SCHEME:HEX.", valueName: "key"))
    var verifier = "default"

    @Option(help: ArgumentHelp("The new networks.", valueName: "set"))
    var networks: NetworkSet = .default

    var json: Bool { output.json }

    /// It may make a new store, below one that a shell holds open.
    var place: CommandPlace { .afterLocking }

    func access() throws -> Access { Access(writable: [try vault.directory()]) }

    func execute(_ context: CommandContext) throws {
        let console = context.console
        let operation = ResetVerifiers(
            verifier: try PublicKey(verifier: verifier), networks: networks == .default ? NetworkSpecs.defaults : [])
        let device = try context.device(self)
        let preview = try device.preview(operation)
        if let shown = preview.shown {
            let page = json ? console.beside : console
            page.print(Wording.plan)
            for event in shown.events { page.print(Wording.planned(event)) }
        }
        let approved = try approval.confirm(preview, Wording.resetQuestion, console)
        let options = try context.keeper.completed(vault)
        let keyFile = HeldSecret(try options.keyFile())
        let outcome = try console.withPassphrase(descriptor: options.passphraseFd) {
            try device.perform(
                approved, keyFile: keyFile, telling: { console.tell(unusual: $0) }, passphrase: $0
            ).outcome
        }
        switch outcome {
        case .reset: console.note(Wording.changed)
        case .replaced(let reason): console.alarm(Wording.storePutAside(Wording.diagnostic(reason).message))
        }
        if json { JSONText.print(ChangeDocument(preview.shown?.events ?? []), console) }
    }
}
