import ArgumentParser
import Ceremony
import CommandKit
import Diagnostics
import Glibc
import Hashing
import Keys
import Presentation
import ScannerClient
import SubstratePrimitives
import TerminalIO
import TrustStore
import TrustUpdates
import UOS
import Vault

/// `scan`: reads a payload, shows what it is for, asks, and does it.
///
/// The cards come before the passphrase: they are read from the store as it lies there, and read again under
/// its seal before anything is done. Where the two readings differ, nothing is done.
struct Scan: VaultCommand, PrintsJSON {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "Read a payload, show its cards, ask, then sign or accept it.")

    @OptionGroup(title: "Input options") var input: InputOptions
    @OptionGroup var calls: CallOptions
    @OptionGroup(title: "Vault options") var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Options for shares and groups") var joining: JoinOptions
    @OptionGroup(title: "Options for a queue") var queue: QueueOptions
    @OptionGroup var word: WordOption
    @OptionGroup(title: "View options") var view: ViewOptions

    @Option(
        help: ArgumentHelp(
            "Write the answer QR code to this PNG file, or hex to a .hex file.", valueName: "file.png"))
    var out: String?

    @OptionGroup var replacing: ReplaceOption

    @Flag(
        help:
            """
            Show the answer QR code on the terminal (default: if it is printed there, and --out is not given).
            """
    )
    var terminal = false

    @OptionGroup var style: CodeStyleOption

    @Flag(help: "Skip the question (only in a development vault, or if the policy approves exactly this).")
    var approve = false

    @Flag(help: "Sign for a network known only from the transaction's metadata proof (recorded in the log).")
    var acceptProvedNetwork = false

    @Option(help: ArgumentHelp("The seed for derivations with an unknown root key.", valueName: "name"))
    var seed: String?

    @Flag(help: "Allow a newly derived key on a network where no key of its seed may sign.")
    var acceptNewKey = false

    @Option(help: ArgumentHelp("Record a note in the log with the signature.", valueName: "text"))
    var comment: String?

    @Option(
        help: ArgumentHelp(
            "Read the ///password of each key from this descriptor, one line each, in the payload's order.",
            valueName: "n"))
    var passwordFd: Int32?

    var place: CommandPlace { queue.serve ? .alone : input.place }

    func validate() throws {
        guard queue.serve else { return try queue.requireUnused() }
        guard input.watchedAlone != nil else {
            throw ValidationError("--serve needs one --watch DIR, and no other input")
        }
        guard out == nil, !terminal, !approve, !replacing.replace, !acceptProvedNetwork, !acceptNewKey,
            seed == nil, passwordFd == nil, joining.name == nil
        else {
            throw ValidationError(
                "--serve asks nobody and names its own answers: it takes no option of a single answer"
            )
        }
    }

    func access() throws -> Access {
        let served = queue.serve ? input.watchedAlone : nil
        if let served { try AnswerFolder.requireFit(served, vault: try vault.directory()) }
        return Access(
            readable: input.readable + calls.readable,
            writable: [try vault.directory()] + (served.map { [$0] } ?? []),
            outputs: out.map { [$0] } ?? [], replaces: replacing.replace, scans: true, reviews: true,
            keepsNonces: true, cameras: input.cameras)
    }

    /// Asks, unlocks, and does what was shown.
    /// - Parameters:
    ///   - open: the vault, if an earlier question of this scan opened it.
    ///   - question: nil for that of the action.
    func perform<O: Operation>(
        _ preview: Preview<O>, _ session: ReviewSession, _ context: CommandContext, _ open: Session? = nil,
        asking question: String? = nil
    ) throws -> Receipt<O.Outcome> {
        let approval = try approve(preview, session, context, asking: question)
        return try (open ?? context.unlock(self)).perform(
            approval, asking: TerminalPerson(console: context.console, word: word, passwordFd: passwordFd))
    }

    /// Asks about what was shown.
    /// - Parameter question: nil for that of the action.
    func approve<O: Operation>(
        _ preview: Preview<O>, _ session: ReviewSession, _ context: CommandContext, asking question: String?
    ) throws -> Approval<O> {
        let device = try context.device(self)
        guard !approve else { return try preview.confirmUnattended() }
        return try preview.confirm {
            let asked =
                question ?? Wording.question(session.document.action, count: session.document.items.count)
            return try session.ask(asked, device) { context.requirePerson(for: $0) }
        }
    }
}
