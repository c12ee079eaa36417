import ArgumentParser
import Ceremony
import Diagnostics
import Glibc
import Hashing
import Keys
import ScannerClient
import SubstratePrimitives
import Terminal
import TrustStore
import TrustUpdates
import UOS
import Vault

/// `scan`: reads a payload, shows what it is for, asks, and does it.
///
/// The cards come before the passphrase: they are read from the store as it lies there, and read again under its seal before anything is done.
/// Where the two readings differ, nothing is done.
struct Scan: VaultCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "Read a payload, show its cards, ask, then sign or accept it.")

    @OptionGroup var input: InputOptions
    @OptionGroup var calls: CallOptions
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var joining: JoinOptions
    @OptionGroup var word: WordOption
    @OptionGroup var view: ViewOptions

    @Option(help: ArgumentHelp("Write the answer QR code to this PNG file, or hex to a .hex file.", valueName: "file.png"))
    var out: String?

    @Flag(help: "Show the answer QR code on the terminal (default: if it is printed there, and --out is not given).")
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
            "Read the ///password of each key from this descriptor, one line each, in the payload's order.", valueName: "n"))
    var passwordFd: Int32?

    var json: Bool { output.json }
    var place: CommandPlace { input.place }

    func access() throws -> Access {
        Access(
            readable: input.readable + calls.readable, writable: [try vault.directory()], outputs: out.map { [$0] } ?? [], scans: true,
            reviews: true, keepsNonces: true, cameras: input.cameras)
    }

    func execute(_ context: CommandContext) throws {
        var session = ReviewSession(console: context.console, json: json, asks: true, onScreen: !approve, options: view)
        try session.run { session in
            try word.requireAllowed(vault)
            try requireTerminal(context.console)
            let device = try context.device(self)
            do {
                try session.read(input)
            } catch {
                if let payload = session.payload { device.record(refusalOf: payload, reason: Diagnostic.Code(of: error)) }
                throw error
            }
            if let account = session.address { try session.show(account, try context.device(self).trust().state) }
            if let payload = session.payload { try carryOut(payload, device, &session, context) }
            if !session.shares.isEmpty { try join(session, device, context) }
        }
    }

    private func carryOut(_ payload: Payload, _ device: Device, _ session: inout ReviewSession, _ context: CommandContext) throws {
        switch payload.content {
        case .transaction, .message, .bulk:
            var additions = try calls.additions()
            additions.acceptsProvedNetwork = acceptProvedNetwork
            additions.acceptsNewKey = acceptNewKey
            let signing = SignPayload(payload, additions: additions, comment: comment)
            var preview = try device.preview(signing)
            session.show(preview.shown)
            let stored = try storeListed(preview.shown, device, session, context)
            if stored != nil {
                preview = try device.preview(signing)
                session.showAgain(preview.shown)
                for shown in preview.shown where shown.refusal == .keyNotAllowed(network: shown.specs?.name ?? "") {
                    context.console.note(Wording.allowNext(shown.address, network: shown.specs?.name ?? ""))
                }
            }
            let signed = try perform(preview, session, context, stored?.open).outcome
            name(signed, &session, context.console)
            try draw(signed, &session, context.console)
        case .update(let content):
            let update = try refusing(payload, device) { try session.show(content) }
            let (note, preview) = try device.preview(AcceptUpdate(update, payload: payload)).reading { TrustNote($0.update, in: $1) }
            session.show(preview.shown, trust: note.map(Wording.trust))
            _ = try perform(preview, session, context)
            context.console.note(Wording.accepted(session.document.action, note))
        case .contactList:
            guard let operation = ImportContacts(payload) else { return }
            try importContacts(operation, approve: approve, &session, context)
        case .group(let message): try carryOut(group: message, payload, &session, context)
        case .importDerivations, .importPaths, .derivationsRequest: try carryOutDerivations(payload, device, &session, context)
        case .compressedMetadata: preconditionFailure("a payload is expanded when it is read")
        }
    }

    /// Asks, unlocks, and does what was shown.
    /// - Parameters:
    ///   - open: the vault, if an earlier question of this scan opened it.
    ///   - question: nil for that of the action.
    func perform<O: Operation>(
        _ preview: Preview<O>, _ session: ReviewSession, _ context: CommandContext, _ open: Session? = nil, asking question: String? = nil
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
            let asked = question ?? Wording.question(session.document.action, count: session.document.items.count)
            return try session.ask(asked, device) { context.requirePerson(for: $0) }
        }
    }

    /// The account of a key that was derived for this signature was on no card: its address follows now.
    private func name(_ signed: [SignedTransaction], _ session: inout ReviewSession, _ console: Console) {
        for (index, signed) in signed.enumerated() {
            guard let underived = signed.reviewed.underived else { continue }
            session.document.items[index].setSigner(signed)
            console.note(Wording.signedBy(signed.address, underived))
        }
    }

    private func draw(_ signed: [SignedTransaction], _ session: inout ReviewSession, _ console: Console) throws {
        let texts = signed.count == 1 ? [signed[0].answer.text] : signed.map(\.text)
        try deliver(AnswerPicture(signed), Wording.signatureCaption(signed), text: texts, console) { out in
            session.document.signatures = signed.map { ReviewDocument.SignatureFacts(text: $0.text, out: Explicit(out)) }
        }
        if !json, out != nil { for answer in signed { console.note(answer.text) } }
    }
}
