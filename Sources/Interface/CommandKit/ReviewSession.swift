import Accounts
import Cards
import Ceremony
import Diagnostics
import GroupCollect
import GroupReview
import Hashing
import Keys
import Lines
import Presentation
import Review
import ScannerClient
import SubstratePrimitives
import TerminalIO
import TrustStore
import TrustUpdates
import UOS

/// One review of a payload: its input, cards, question, act and answer, and the document that reports it.
/// Every command that shows cards has one.
package final class ReviewSession {
    private let command: any VaultCommand
    package let context: CommandContext
    package var console: Console { context.console }
    private let json: Bool
    private let asks: Bool
    private let approve: Bool
    private let person: TerminalPerson
    /// The vault, once an act opened it. A shell keeps its own, and locks it where a word alone does not
    /// prove who is there.
    private var opened: Session?
    package var document = ReviewDocument()
    var payloadInput = PayloadInput()
    /// The payload that the input proves, or whose signature fits.
    package private(set) var payload: Payload?
    /// The update as it came, where its metadata was compressed.
    package private(set) var compressed: CompressedPayload?
    /// The account of an address QR code, instead of a payload.
    package private(set) var address: AccountText?
    /// A set of Banana Split shares that is large enough, instead of a payload.
    package private(set) var shares: [BananaShare] = []

    /// Where the cards are printed. With `--json` stdout is kept for the document: a review before a question
    /// goes to stderr, and one that no question follows is in the document alone.
    private let page: Console?

    /// Whether a screen shows the cards together with the question.
    private let isOnScreen: Bool
    /// Cards that were not printed, because they wait for that screen.
    private var waiting: [ReviewDocument.Item] = []

    private let view: CardView

    /// - Parameters:
    ///   - command: whose vault it is.
    ///   - json: whether stdout is the document alone.
    ///   - asks: whether something is done after the review, by a person's word or by `approve`.
    ///   - approve: answers for a person.
    ///   - onScreen: whether a person reviews it on the whole terminal, where that is possible.
    ///   - person: gives passwords and words beside the answer.
    package init(
        _ command: any VaultCommand, _ context: CommandContext, json: Bool, asks: Bool,
        approve: Bool = false, onScreen: Bool = false, options: ViewOptions, person: TerminalPerson? = nil
    ) {
        let console = context.console
        (self.command, self.context, self.json, self.asks, self.approve) = (
            command, context, json, asks, approve
        )
        self.person = person ?? TerminalPerson(console: console)
        view = CardView(docs: options.docs)
        isOnScreen =
            onScreen && !approve && !json && !PlainReview.isNeeded(console, asksForIt: options.plain)
        page = json ? (asks ? console.beside : nil) : console
    }

    /// The vault as it is without the passphrase.
    package func device() throws -> Device { try context.device(command) }

    /// Runs `body` within the limits of reading, and prints the document whatever comes of it: after an error
    /// it holds all that was known before.
    package func run(_ body: () throws -> Void) throws {
        try ReadingLimit.hold(json: json) { try told(body) }
    }

    private func told(_ body: () throws -> Void) throws {
        do {
            // What no question followed is printed all the same.
            defer { printWaiting() }
            try body()
            if json { JSONText.print(document, console) }
        } catch {
            guard json else { throw error }
            let diagnostic = Wording.diagnostic(error)
            document.error = Nullable(ErrorDocument(diagnostic))
            JSONText.print(document, console)
            console.complain(diagnostic)
            throw ExitWith(diagnostic.exit)
        }
    }

    /// Reads the input to a payload.
    package func read(_ options: InputOptions) throws {
        do {
            defer { tellTransport() }
            try payloadInput.read(options, console)
        }
        payloadInput.tellOthers(console)
        try understand(try payloadInput.result(console)) { try ScannerClient().expand($0, length: $1) }
    }

    /// Reads the payload of one file of a queue. Nothing is expanded: what is compressed is not a
    /// transaction.
    /// - Throws: also ``CommandError/notForQueue(kind:)`` for what is neither a transaction nor a message.
    package func read(queued input: PayloadInput, _ report: ScanReport) throws -> Payload {
        payloadInput = input
        defer { tellTransport() }
        try payloadInput.end(report)
        payloadInput.tellOthers(console)
        try understand(try payloadInput.result(nil)) { _, _ in
            throw CommandError.notForQueue(kind: PayloadCode.loadMetadataCompressed.kind)
        }
        guard let payload else {
            throw CommandError.notForQueue(kind: address == nil ? "a share of a seed" : "an address")
        }
        guard payload.signable != nil else {
            throw CommandError.notForQueue(kind: payload.prelude.code.kind)
        }
        return payload
    }

    private func tellTransport() {
        document.transport = Nullable(
            ReviewDocument.TransportFacts(payloadInput.transport, payloadInput.report))
    }

    /// - Parameter expand: expands what is compressed to that many bytes.
    private func understand(
        _ result: PayloadAssembler.Result, _ expand: (_ frame: [UInt8], _ length: UInt32) throws -> [UInt8]
    ) throws {
        switch result.content {
        case .payload(let bytes):
            // No payload is such text: its second byte would be a letter.
            if let account = AccountText(code: bytes) {
                address = account
                return
            }
            // Of a seed nothing is said, not even a hash.
            if ForeignCode(bytes) == nil {
                document.payload = Nullable(ReviewDocument.PayloadFacts(bytes))
            }
            let packed = try PackedPayload(bytes)
            // What cannot be expanded is refused as the payload that it is.
            if case .compressed(let update) = packed { compressed = update }
            payload = try packed.expanded(by: expand)
        case .unproved(let readings):
            // Nothing is said of a payload before one is proved.
            guard
                let attested = try Payload.attested(
                    among: readings, read: { try Self.read(unproved: $0, expand) })
            else {
                throw CommandError.ambiguousFrames(frames: result.transport.frames)
            }
            document.payload = Nullable(ReviewDocument.PayloadFacts(attested.bytes))
            payload = attested
        case .shares(let texts):
            document.action = .recoverSeed
            document.shares = texts.count
            shares = try BananaSplit.checkSet(try texts.map { try BananaShare($0) })
            if !isOnScreen { page?.print(Wording.shares(shares)) }
        }
    }

    /// nil when the bytes are not a payload; what stops every payload is thrown.
    private static func read(
        unproved bytes: [UInt8], _ expand: (_ frame: [UInt8], _ length: UInt32) throws -> [UInt8]
    ) throws -> Payload? {
        do {
            return try PackedPayload(bytes).expanded(by: expand)
        } catch {
            if error is PayloadError { return nil }
            guard case .expansion? = error as? ScannerClientError else { throw error }
            return nil
        }
    }

    /// Decodes the payload with what `data` trusts, and shows it.
    /// - Returns: why `scan` refuses the payload, whoever asks: bytes that also mean something elsewhere are
    ///   never signed, and a group never has a member with an invalid name.
    package func review(
        with data: ChainData, additions: TransactionReview.Additions = TransactionReview.Additions()
    ) throws -> [Diagnostic] {
        guard let payload else { return [] }
        switch payload.content {
        case .transaction, .message, .bulk:
            try show(TransactionReview(data, additions: additions).review(payload))
        case .update(let content):
            try show(ReviewedUpdate(UpdateReviewer.review(try show(content), state: data.state)))
        case .contactList(let list):
            let plan = try data.comparing(ContactListPlan(list, in: data.state))
            document.action = .read
            document.contacts = ContactListDocument(plan, in: data.state)
            if let page { Wording.lines(of: plan, in: data.state).forEach(page.print) }
        case .group(let message): try show(message, data, additions)
        case .importDerivations, .importPaths, .derivationsRequest:
            if let review = DerivationReview(payload, seed: nil, data.state) { try show(review) }
        }
        return document.items.compactMap(\.refusal)
    }

    // MARK: Showing

    /// Says whose the address of a QR code is, and which command names its account.
    package func show(_ account: AccountText, _ state: TrustState) throws {
        let prefix =
            account.genesis.flatMap { state.networks(genesis: $0).first?.base58Prefix } ?? account.prefix
            ?? 42
        let text = TrustState.address(of: account.account, prefix: prefix)
        let known = state.known(account.account, genesis: account.genesis)
        document.action = .showAddress
        document.address = ReviewDocument.AddressFacts(
            address: text, account: Hex.encode(account.account),
            relation: SummaryDocument.word(known.relation),
            contact: SummaryDocument.ContactFacts(known.relation),
            genesis_hash: Nullable(account.genesis?.hex))
        let page = page ?? console.beside
        page.print(
            Wording.scannedAddress(
                text, network: account.genesis.map { KnownChains(state).name(ofGenesis: $0) ?? $0.hex }))
        if let words = Wording.whose(known.relation, label: known.label?.text) { page.print("  " + words) }
        if case .stranger = known.relation {
            console.note("heliograph contact add NAME PICTURE gives the account a name")
        }
    }

    /// Shows what a message of a threshold group says, and below it the cards of what it asks to sign, read
    /// with this vault's own metadata.
    private func show(
        _ message: GroupMessage, _ data: ChainData, _ additions: TransactionReview.Additions
    ) throws {
        document.action = .read
        // These two bring the keys that sign them. Every other message is checked where its group is known.
        switch message {
        case .host(let host): _ = try host.checkedWords()
        case .record(let record): _ = try record.checked()
        case .proposal, .contribution, .contributions, .confirmation, .request, .commitment, .package, .share:
            break
        }
        // The group's facts stand in the document even if what it asks to sign cannot be decoded here.
        document.items = [ReviewDocument.Item(message, data.state)]
        defer { showItems() }
        guard let requested = message.requested else { return }
        let reviewed = try TransactionReview(data, additions: additions).review(requested)
        document.items = reviewed.map { ReviewDocument.Item($0, askedBy: message) }
    }

    /// Shows what an operation shows, whatever it is about, in place of what was shown before.
    package func show(_ review: some Reviewable) throws {
        try refusing {
            document.items = review.items(of: payload)
            try review.requireWhole()
            document.action = review.action
        }
        showItems()
    }

    /// Puts what an update says into the document, where it stays if the update is refused.
    package func show(_ content: UpdatePayload) throws -> UnverifiedUpdate {
        try refusing {
            let update = try UnverifiedUpdate(content)
            document.items = [ReviewDocument.Item(update, cards: CardSet(update))]
            return update
        }
    }

    /// What stops a payload beside its operation is a refusal, too, where something is done with it.
    package func refusing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            if asks, let payload {
                try device().record(refusalOf: payload, reason: Diagnostic.Code(of: error))
            }
            throw error
        }
    }

    /// The cards of derivations whose seed a person is about to name.
    package func preview(_ review: DerivationReview) { print(review.items(of: nil), numbered: false) }

    private func showItems() {
        if isOnScreen { waiting = document.items } else { print(document.items, numbered: isNumbered) }
    }

    private func printWaiting() {
        if !waiting.isEmpty { print(waiting, numbered: isNumbered) }
        waiting = []
    }

    private var isNumbered: Bool { document.action.isNumbered }

    private func print(_ items: [ReviewDocument.Item], numbered: Bool) {
        guard let page else { return }
        PlainReview(console: page, view: view).print(
            ReviewPage(items, isNumbered: numbered, question: ReviewQuestion("")))
    }

    // MARK: Acting

    /// Shows what an operation would do, asks, opens the vault, and does it.
    package func perform<O: Operation>(_ preview: Preview<O>) throws -> O.Outcome where O.Shown: Reviewable {
        try show(preview.shown)
        return try perform(preview, asking: preview.shown.question).outcome
    }

    /// Asks about what is shown, opens the vault, and does it.
    /// - Returns: the outcome, and the open vault.
    package func perform<O: Operation>(_ preview: Preview<O>, asking question: String) throws
        -> (outcome: O.Outcome, vault: Session)
    {
        try perform(preview) {
            try ask(question) { [context] in context.requirePerson(for: $0) }
        }
    }

    /// - Parameter answer: asks a person.
    package func perform<O: Operation>(_ preview: Preview<O>, asking answer: () throws -> Bool) throws
        -> (outcome: O.Outcome, vault: Session)
    {
        let approval = try approve ? preview.confirmUnattended() : preview.confirm(asking: answer)
        console.tell(unapproved: approval)
        let vault = try open()
        return (try vault.perform(approval, asking: person).outcome, vault)
    }

    /// The vault, which a single command opens once.
    package func open() throws -> Session {
        guard !context.keeper.isOfShell else { return try context.unlock(command) }
        let question = shares.isEmpty ? Wording.passphrase : Wording.passphraseOfVault
        let vault = try opened ?? context.unlock(command, asking: question)
        opened = vault
        return vault
    }

    /// Shows the cards on the whole terminal and asks, or asks below the printed cards and the summary.
    /// - Parameters:
    ///   - isAct: whether a yes does what is shown; otherwise the question is about something else.
    ///   - proving: called after a yes; asks for a proof that a person is there.
    package func ask(_ question: String, isAct: Bool = true, proving: (ReviewQuestion) -> Void = { _ in })
        throws -> Bool
    {
        let review = ReviewPage(
            document.items, isNumbered: isNumbered, question: ReviewQuestion(question), isAct: isAct)
        let isYes: Bool
        if let screen = try screen() {
            waiting = []
            isYes = try screen.review(review, view)
        } else {
            printWaiting()
            if let page { PlainReview(console: page, view: view).repeatSummary(review) }
            isYes = try console.confirm(review.question)
        }
        if isYes { proving(review.question) }
        return isYes
    }

    /// The same for a page that was printed already.
    package func ask(_ review: ReviewPage) throws -> Bool {
        try screen()?.review(review, view) ?? console.confirm(review.question)
    }

    private func screen() throws -> ReviewScreen? {
        isOnScreen ? ReviewScreen(console, notes: ReviewScreen.notes(try device())) : nil
    }
}

extension Console {
    /// Whoever tries a policy in a development vault must not take its yes for that of a rule. A policy
    /// without rules for this is no trial.
    package func tell<O: Operation>(unapproved approval: Approval<O>) {
        guard let needed = approval.unapproved, needed.cause != .noRules else { return }
        note(Wording.onlyDevelopment(needed))
    }
}

extension ReviewScreen {
    /// What is true of the whole review.
    static func notes(_ device: Device) -> [StyledLine.Run] {
        guard let policy = try? device.shield() else { return [] }
        let online: [StyledLine.Run] =
            switch policy.status {
            case .online: [StyledLine.Run("ONLINE", .error)]
            case .offline, .unacknowledged: []
            }
        return online + (policy.allowsOnline ? [StyledLine.Run("development vault", .plain)] : [])
    }
}
