import Accounts
import ArgumentParser
import Ceremony
import CommandKit
import Diagnostics
import Hashing
import Keys
import Lines
import Presentation
import QRCode
import Review
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
    @OptionGroup(title: "Options for a phrase that is not stored") var unstored: UnstoredOptions
    @OptionGroup var word: WordOption
    @OptionGroup(title: "View options") var view: ViewOptions

    @Option(
        help: ArgumentHelp(
            "Write the answer QR code to this PNG file, or hex to a .hex file.", valueName: "file.png"),
        completion: .file())
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

    @Option(
        help: ArgumentHelp("The seed for derivations with an unknown root key.", valueName: "name"),
        completion: .named(.seed))
    var seed: String?

    @Flag(help: "Allow a newly derived key on a network where no key of its seed may sign.")
    var acceptNewKey = false

    @Option(help: ArgumentHelp("Record a note in the log with the signature.", valueName: "text"))
    var comment: String?

    @Flag(
        help: "Sign sr25519 with a nonce of key and message alone, so that a second machine signs the same.")
    var reproducible = false

    @Option(
        help: ArgumentHelp(
            "Sign only to compare with another machine's answer: a picture, hex, @FILE, or camera.",
            valueName: "answer"), completion: .file())
    var compare: String?

    @Option(
        help: ArgumentHelp(
            "Read the ///password of each key from this descriptor, one line each, in the payload's order.",
            valueName: "n"))
    var passwordFd: Int32?

    var place: CommandPlace { queue.serve ? .alone : input.place }

    func validate() throws {
        if compare != nil, out != nil || terminal || reproducible || queue.serve {
            throw ValidationError(
                "--compare gives out no signature: it takes no --out, --terminal, --reproducible and --serve")
        }
        guard !unstored.isGiven || compare == nil else {
            throw ValidationError("--seed-from and --compare exclude each other")
        }
        guard queue.serve else { return try queue.requireUnused() }
        guard input.watchedAlone != nil else {
            throw ValidationError("--serve needs one --watch DIR, and no other input")
        }
        guard out == nil, !terminal, !approve, !replacing.replace, !acceptProvedNetwork, !acceptNewKey,
            seed == nil, passwordFd == nil, joining.name == nil, !unstored.isGiven
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
            readable: input.readable + calls.readable + ComparedAnswer.readable(compare) + unstored.readable,
            writable: [try vault.directory()] + (served.map { [$0] } ?? []),
            outputs: out.map { [$0] } ?? [], replaces: replacing.replace, scans: true, reviews: true,
            forks: unstored.forks, keepsNonces: true,
            cameras: input.cameras + ComparedAnswer.cameras(compare, input.cameras)
                + unstored.cameras(input.cameras))
    }

    func execute(_ context: CommandContext) throws {
        if queue.serve, let folder = input.watchedAlone { return try serve(folder, context) }
        let session = ReviewSession(
            self, context, json: json, asks: true, approve: approve, onScreen: true, options: view,
            person: TerminalPerson(console: context.console, word: word, passwordFd: passwordFd))
        try session.run {
            try word.requireAllowed(vault)
            try requireTerminal(context.console)
            let device = try session.device()
            do {
                try session.read(input)
            } catch {
                if let compressed = session.compressed {
                    device.record(refusalOf: compressed, reason: Diagnostic.Code(of: error))
                }
                throw error
            }
            try requireSigning(session)
            if let account = session.address { try session.show(account, try device.trust().state) }
            if let payload = session.payload { try carryOut(payload, device, session) }
            if !session.shares.isEmpty { try join(session, device) }
        }
    }

    /// How the nonces of signatures are made.
    var nonce: SigningNonce { reproducible ? .reproducible : .hedged }

    /// Whoever owns the picture chooses what it is. Where something else than a signature comes of it,
    /// nothing would be compared and the command would end as after an equal answer; or trust would change,
    /// or a group's share go out, under an option that promises to give out nothing.
    private func requireSigning(_ session: ReviewSession) throws {
        guard reproducible || compare != nil || unstored.isGiven else { return }
        // Nothing is to be compared of a point, and nothing but the online machine's bytes chooses the nonce.
        if session.payload?.guardRound != nil, reproducible || compare != nil {
            throw CeremonyError.guardedNonce
        }
        switch session.payload?.content {
        case .transaction, .message, .bulk: return
        case .update, .contactList, .group, .importDerivations, .importPaths, .derivationsRequest, nil:
            if unstored.isGiven { throw UnstoredError.nothingToSign }
            throw CommandError.nothingToCompare
        }
    }

    /// What is done with each payload.
    private func carryOut(_ payload: Payload, _ device: Device, _ session: ReviewSession) throws {
        switch payload.content {
        case .transaction, .message, .bulk: try sign(payload, device, session)
        case .update(let content):
            let update = try session.show(content)
            let (shown, preview) = try device.preview(AcceptUpdate(update, payload: payload)).reading {
                ReviewedUpdate($0, in: $1)
            }
            try session.show(shown)
            _ = try session.perform(preview, asking: shown.question)
            session.console.note(shown.accepted)
        case .contactList:
            guard let operation = ImportContacts(payload) else { return }
            try importContacts(operation, session)
        case .group(let message): try carryOut(message, device, session)
        case .importDerivations, .importPaths, .derivationsRequest:
            let seed = try session.refusing { try chosenSeed(session, try device.store()) }
            if let operation = ImportDerivations(payload, seed: seed) {
                let added = try session.perform(device.preview(operation))
                session.console.note(Wording.importedKeys(added))
            } else if let operation = AnswerDerivations(payload, seed: seed) {
                try deliver(
                    try session.perform(device.preview(operation)),
                    "addresses of derived keys: show them to the wallet that asked for them", session)
            }
        }
    }

    /// Restores a seed from shares, which were printed when they were read.
    private func join(_ session: ReviewSession, _ device: Device) throws {
        if approve {
            guard try vault.isDevelopment() else { throw CeremonyError.approveNeedsPolicy }
        } else {
            try device.requireOffline()
            let page = ReviewPage(
                summary: [StyledLine(Wording.shares(session.shares))],
                question: ReviewQuestion("Restore this seed?")
            ) { _ in [] }
            guard try session.ask(page) else { throw CeremonyError.declined }
        }
        try joining.restore(session.shares, in: try session.open(), approve: approve, session.console)
    }

    // MARK: Signing

    private func sign(_ payload: Payload, _ device: Device, _ session: ReviewSession) throws {
        if let compare { return try self.compare(payload, with: compare, device, session) }
        let keys = try session.refusing {
            try unstored.signers(of: payload, input, device, session.console)
        }
        switch payload.guardRound {
        case .commitment?:
            let answering = AnswerGuard(
                payload, additions: try additions(), comment: comment, unstored: keys)
            let preview = try previewed(answering, device, session)
            let answer = try session.perform(preview, asking: Wording.guardQuestion).outcome
            try deliver(answer.bytes, Wording.guardCaption, session)
        case .reveal?, nil:
            let signing = SignPayload(
                payload, additions: try additions(), comment: comment, nonce: nonce, unstored: keys)
            let preview = try previewed(signing, device, session)
            let signed = try session.perform(preview, asking: preview.shown.question).outcome
            name(signed, session)
            try deliver(signed, session)
        }
    }

    /// What would be signed, shown; once more where a network is stored first.
    private func previewed<O: Operation>(_ operation: O, _ device: Device, _ session: ReviewSession) throws
        -> Preview<O> where O.Shown == [ReviewedTransaction]
    {
        let preview = try device.preview(operation)
        try session.show(preview.shown)
        guard try storeListed(preview.shown, device, session) else { return preview }
        let again = try device.preview(operation)
        try session.show(again.shown)
        for shown in again.shown
        where shown.refusal == .keyNotAllowed(network: shown.specs?.name ?? "") {
            session.console.note(Wording.allowNext(shown.address, network: shown.specs?.name ?? ""))
        }
        return again
    }

    /// What a signature may rest on beside the vault.
    func additions() throws -> TransactionReview.Additions {
        var additions = try calls.additions()
        additions.acceptsProvedNetwork = acceptProvedNetwork
        additions.acceptsNewKey = acceptNewKey
        return additions
    }

    /// The account of a key that was derived for this signature was on no card: its address follows now.
    private func name(_ signed: [SignedTransaction], _ session: ReviewSession) {
        for (index, signed) in signed.enumerated() {
            if signed.reviewed.unstored != nil {
                session.console.note(
                    "signed with a key that is not stored: \(Escape.terminal(signed.address))")
            }
            guard let underived = signed.reviewed.underived else { continue }
            session.document.items[index].setSigner(signed)
            session.console.note(
                """
                signed by \(Escape.terminal(signed.address)): seed \(Escape.terminal(underived.seed)), path \
                \(underived.path.isEmpty ? "(root)" : Escape.path(underived.path))
                """)
        }
    }

    // MARK: Derivations

    /// A person must name the seed for a list of paths, and for an import whose root belongs to no seed: with
    /// `--seed`, or by a question at a terminal.
    private func chosenSeed(_ session: ReviewSession, _ store: TrustStore) throws -> String? {
        let seeds = try Vault.open(directory: try vault.directory()).seedNames
        if let seed, !seeds.containsUTF8(of: seed) { throw VaultError.noSuchSeed(seed) }
        guard seed == nil, !approve, let payload = session.payload, ImportDerivations(payload) != nil,
            let review = DerivationReview(payload, seed: nil, try store.uncheckedTrust().state),
            review.gap == nil, review.needsSeed
        else { return seed }
        do throws(CommandError) {
            // Whose they are can be said only of what was read.
            if session.console.terminal != nil { session.preview(review) }
            return try session.console.choose(
                """
                Which seed do these keys belong to (\(seeds.map(Escape.terminal).joined(separator: ", ")))? 
                """,
                among: seeds)
        } catch {
            // Without a terminal the refusal says which option names the seed.
            guard case .noTerminal = error else { throw error }
            return nil
        }
    }
}

extension Scan {
    /// Reads the other answer before anything is asked, signs, and says whether the two agree.
    func compare(_ payload: Payload, with text: String, _ device: Device, _ session: ReviewSession) throws {
        let answers = try ComparedAnswer.read(text, input, session.console)
        let comparing = CompareSignatures(
            payload, with: answers, additions: try additions(), comment: comment)
        let preview = try device.preview(comparing)
        try session.show(preview.shown)
        let verdicts = try session.perform(
            preview, asking: Wording.compareQuestion(preview.shown.count)
        ).outcome
        session.document.comparison = verdicts.map(\.rawValue)
        if !json { for verdict in verdicts { session.console.print(Wording.verdict(verdict)) } }
        if verdicts.contains(.different) { throw CommandError.answerDiffers }
        if verdicts.contains(.notComparable) { throw CommandError.answerNotComparable }
    }
}

// MARK: Answers

/// What goes back to whoever asked.
extension Scan {
    /// Refuses `--terminal` without a terminal, before anything is asked or signed.
    func requireTerminal(_ console: Console) throws {
        if terminal { _ = try CodeScreen(console, style: style.codeStyle) }
    }

    /// Writes the picture to `--out`, draws it on the terminal, or prints the answer's text where results go
    /// into a pipe. With `--json` stdout holds the document alone.
    /// - Parameters:
    ///   - caption: what the answer is, and what to do with it.
    ///   - text: the answer for a program, line by line.
    ///   - tell: puts the answer into the document: first without a file, because writing may fail, then with
    ///     the written file.
    func deliver(
        _ picture: AnswerPicture, _ caption: String, text: [String], _ console: Console,
        tell: (_ out: String?) -> Void
    ) throws {
        tell(nil)
        if let out {
            try Files.deliver(
                { try picture.png() }, to: out, replacing: replacing.replace, text: text,
                on: json ? console.beside : console)
            tell(out)
            console.note(Wording.answerWritten(out))
            console.note(caption)
        }
        let page = json ? console.beside : console
        guard terminal || (out == nil && !json) else { return }
        guard terminal || CodeScreen.isShown(by: page) else { return text.forEach(page.print) }
        do {
            try picture.draw(on: CodeScreen(page, style: style.codeStyle), caption)
        } catch let failure as PictureFailure {
            // The answer exists and is in the log: it is not lost with its picture.
            console.note(Wording.notDrawn(failure))
            if !json { text.forEach(page.print) }
        }
    }

    /// The signatures of a payload.
    func deliver(_ signed: [SignedTransaction], _ session: ReviewSession) throws {
        let texts = signed.map(\.text)
        try deliver(AnswerPicture(signed), Wording.signatureCaption(signed), text: texts, session.console) {
            out in
            session.document.signatures = texts.map {
                ReviewDocument.SignatureFacts(text: $0, out: Nullable(out))
            }
        }
        if !json, out != nil { texts.forEach(session.console.note) }
    }

    /// A payload that answers, drawn as frames.
    func deliver(_ answer: [UInt8], _ caption: String, _ session: ReviewSession) throws {
        let hex = Hex.encode(answer)
        try deliver(AnswerPicture(framed: answer), caption, text: [hex], session.console) { out in
            session.document.answer = ReviewDocument.AnswerFacts(hex: hex, out: Nullable(out))
        }
    }
}

/// Storing a listed network whose transaction came before it.
extension Scan {
    /// Asks the person, below the cards, whether to store the missing networks if nothing else prevents the
    /// signature, and stores them.
    ///
    /// Only chains of the built-in list are offered, and only if two sources give each value and the proof
    /// agrees. The row of the list is stored: whoever made the transaction can cause the question, but
    /// chooses nothing that is stored. It allows no key on the network.
    /// - Returns: whether something was stored.
    func storeListed(
        _ shown: [ReviewedTransaction], _ device: Device, _ session: ReviewSession
    ) throws -> Bool {
        guard !approve, session.console.terminal != nil, let chains = Self.offered(shown) else {
            return false
        }
        for (count, chain) in chains.enumerated() {
            let change = ChangeTrust.Change.addListedNetwork(chain.genesisHash)
            let (question, preview) = try device.preview(ChangeTrust(change)).reading { _, trust in
                ([Wording.storeQuestion(chain)] + Wording.effects(of: change, in: trust)).joined(
                    separator: " ")
            }
            let approval: Approval<ChangeTrust>
            do {
                approval = try preview.confirm { try session.ask(question, isAct: false) }
            } catch {
                guard case .declined? = error as? CeremonyError else { throw error }
                // The transaction is refused as it would be without the question.
                return count > 0
            }
            _ = try session.open().perform(approval)
            session.console.note(Wording.stored(chain))
        }
        return true
    }

    /// The chains without which nothing can be signed; nil where storing them is not enough to go on.
    private static func offered(_ shown: [ReviewedTransaction]) -> [WellKnownChain]? {
        var chains: [WellKnownChain] = []
        for transaction in shown {
            guard let refusal = transaction.refusal else { continue }
            guard case .networkOnlyProved(_, let genesis?) = refusal,
                let chain = WellKnownChain.chain(genesis: genesis)
            else { return nil }
            if !chains.contains(where: { $0.genesisHash == genesis }) { chains.append(chain) }
        }
        return chains.isEmpty ? nil : chains
    }
}
