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

/// One payload on its way from the input to the cards, and the document that tells it. `inspect` and `scan`
/// share it.
package struct ReviewSession {
    package let console: Console
    let json: Bool
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
    /// Why bytes that the review shows are never signed, whoever asks: they mean something elsewhere, too.
    package private(set) var formRefusals: [ReviewError] = []
    /// The seed that a person named for derivations whose root no seed has.
    package var seed: String?

    /// Where the cards are printed. With `--json` stdout is kept for the document: a review before a question
    /// goes to stderr, and one that no question follows is in the document alone.
    private let page: Console?

    /// Cards that a screen shows together with the question.
    private let held: HeldCards?

    private let view: CardView

    /// - Parameters:
    ///   - asks: whether something is done after the review, by a person's word or by `--approve`.
    ///   - onScreen: whether a person reviews it on the whole terminal, where that is possible.
    package init(console: Console, json: Bool, asks: Bool, onScreen: Bool = false, options: ViewOptions) {
        self.console = console
        view = CardView(docs: options.docs)
        held =
            onScreen && !json && !PlainReview.isNeeded(console, asksForIt: options.plain) ? HeldCards() : nil
        self.json = json
        page = json ? (asks ? console.beside : nil) : console
    }

    /// Runs `body` within the limits of reading, and prints the document whatever comes of it: after an error
    /// it holds all that was known before.
    package mutating func run(_ body: (inout ReviewSession) throws -> Void) throws {
        try ReadingLimit.hold(json: json) { try told(body) }
    }

    private mutating func told(_ body: (inout ReviewSession) throws -> Void) throws {
        do {
            // What no question followed is printed all the same.
            defer { printHeld() }
            try body(&self)
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
    package mutating func read(_ options: InputOptions) throws {
        do {
            try payloadInput.read(options, console)
            document.transport = Nullable(
                ReviewDocument.TransportFacts(payloadInput.transport, payloadInput.report))
        } catch {
            document.transport = Nullable(
                ReviewDocument.TransportFacts(payloadInput.transport, payloadInput.report))
            throw error
        }
        payloadInput.tellOthers(console)
        try understand(try payloadInput.result(console)) { try ScannerClient().expand($0, length: $1) }
    }

    /// Reads the payload of one file of a queue. Nothing is expanded: what is compressed is no transaction.
    /// - Throws: also ``CommandError/notForQueue(kind:)`` for what is neither a transaction nor a message.
    package mutating func read(queued input: PayloadInput, _ report: ScanReport) throws -> Payload {
        payloadInput = input
        defer {
            document.transport = Nullable(
                ReviewDocument.TransportFacts(payloadInput.transport, payloadInput.report))
        }
        try payloadInput.end(report)
        payloadInput.tellOthers(console)
        try understand(try payloadInput.result(nil)) { _, _ in
            throw CommandError.notForQueue(kind: PayloadCode.loadMetadataCompressed.kind)
        }
        guard let payload else {
            throw CommandError.notForQueue(kind: address == nil ? "a share of a seed" : "an address")
        }
        switch payload.content {
        case .transaction, .message, .bulk: return payload
        case .update, .contactList, .group, .importDerivations, .importPaths, .derivationsRequest:
            throw CommandError.notForQueue(kind: payload.prelude.code.kind)
        }
    }

    /// - Parameter expand: expands what is compressed to that many bytes.
    private mutating func understand(
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
            if held == nil { page?.print(Wording.shares(shares)) }
        }
    }

    /// nil when the bytes are no payload; what stops every payload is thrown.
    private static func read(
        unproved bytes: [UInt8], _ expand: (_ frame: [UInt8], _ length: UInt32) throws -> [UInt8]
    ) throws -> Payload? {
        do {
            return try PackedPayload(bytes).expanded(by: expand)
        } catch is PayloadError {
            return nil
        } catch ScannerClientError.expansion {
            return nil
        }
    }

    /// Decodes the payload with what `data` trusts, and shows it.
    package mutating func review(
        with data: ChainData, additions: TransactionReview.Additions = TransactionReview.Additions()
    ) throws {
        guard let payload else { return }
        switch payload.content {
        case .transaction, .message, .bulk:
            show(try TransactionReview(data, additions: additions).review(payload))
        case .update(let content): show(try UpdateReviewer.review(try show(content), state: data.state))
        case .contactList(let list):
            let plan = try data.comparing(ContactListPlan(list, in: data.state))
            document.action = .read
            document.contacts = ContactListDocument(plan, in: data.state)
            if let page { Wording.lines(of: plan, in: data.state).forEach(page.print) }
        case .group(let message): try show(message, data, additions)
        case .importDerivations, .importPaths, .derivationsRequest:
            guard let review = review(of: payload, data.state) else { return }
            try show(review)
        }
    }

    // MARK: Showing

    /// Says whose the address of a QR code is, and which command names its account.
    package mutating func show(_ account: AccountText, _ state: TrustState) throws {
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

    package mutating func show(_ transactions: [ReviewedTransaction]) {
        document.items = transactions.map { reviewed in
            var item = ReviewDocument.Item(reviewed)
            // The clock is read for claims and for a proven block: nothing of the review depends on it.
            item.state = reviewed.state.map { (review: $0, time: systemClock()) }
            item.claims = payload?.claims.flatMap { ClaimReview($0, beside: reviewed, time: systemClock()) }
            return item
        }
        document.action = transactions.allSatisfy { $0.refusal == nil } ? .sign : .read
        formRefusals = transactions.compactMap(\.refusal).filter(\.isOfForm)
        show(document.items, numbered: true)
    }

    /// Shows what a message of a threshold group says, and below it the cards of what it asks to sign, read
    /// with this vault's own metadata.
    private mutating func show(
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
        document.items = [ReviewDocument.Item(message)]
        if let requested = message.requested {
            do {
                let reviewed = try TransactionReview(data, additions: additions).review(requested)
                document.items = reviewed.map { ReviewDocument.Item($0, askedBy: message) }
                formRefusals = reviewed.compactMap(\.refusal).filter(\.isOfForm)
            } catch {
                show(document.items, numbered: false)
                throw error
            }
        }
        show(document.items, numbered: false)
    }

    /// Shows one message of a group that this vault acts on.
    package mutating func show(_ item: ReviewDocument.Item, _ action: ReviewDocument.Action) {
        document.action = action
        document.items = [item]
        show(document.items, numbered: false)
    }

    /// Shows transactions that are read in another way than before, in place of what was shown.
    package mutating func showAgain(_ transactions: [ReviewedTransaction]) {
        held?.items = []
        held?.wereReviewed = false
        show(transactions)
    }

    /// Puts what an update says into the document, where it stays if the update is refused.
    package mutating func show(_ content: UpdatePayload) throws -> UnverifiedUpdate {
        let update = try UnverifiedUpdate(content)
        document.items = [ReviewDocument.Item(update, cards: CardSet(update))]
        return update
    }

    /// - Parameter trust: what accepting it makes the vault believe.
    package mutating func show(_ update: VerifiedUpdate, trust: String? = nil) {
        document.action =
            switch update.update.content {
            case .addSpecs: .addSpecs
            case .loadMetadata: .loadMetadata
            case .loadTypes: .loadTypes
            case .loadAssets: .loadAssets
            }
        var item = ReviewDocument.Item(update.update, cards: update.cards)
        if let trust { item.reviewed.add(trust: trust) }
        document.items = [item]
        show(document.items, numbered: true)
    }

    /// - Parameter cards: of the attestation, with the key as author.
    package mutating func show(attesting cards: CardSet) {
        document.items = [ReviewDocument.Item(attesting: cards)]
        show(document.items, numbered: false)
    }

    /// - Throws: ``DerivationRefusal/notOnCards(_:)``
    package mutating func show(_ review: DerivationReview) throws {
        document.items = review.groups.map { ReviewDocument.Item($0, review.purpose) }
        if let gap = review.gap { throw DerivationRefusal.notOnCards(gap) }
        document.action = review.purpose == .answering ? .deriveAddresses : .importDerivations
        show(document.items, numbered: false)
    }

    /// The derivations of a payload against a state; nil for other payloads.
    package func review(of payload: Payload, _ state: TrustState) -> DerivationReview? {
        DerivationReview(payload, seed: seed, state)
    }

    /// The cards of derivations whose seed a person is about to name.
    package func preview(_ review: DerivationReview) {
        print(review.groups.map { ReviewDocument.Item($0, review.purpose) }, numbered: false)
    }

    /// - Parameter numbered: false for the groups of an import, which have their seeds as headings.
    private func show(_ items: [ReviewDocument.Item], numbered: Bool) {
        if let held {
            held.items += items
            held.isNumbered = numbered
        } else {
            print(items, numbered: numbered)
        }
    }

    private func printHeld() {
        guard let held, !held.wereReviewed, !held.items.isEmpty else { return }
        print(held.items, numbered: held.isNumbered)
        held.items = []
    }

    /// Shows what is held on the whole terminal and asks, or asks below the printed cards and the summary.
    /// - Parameters:
    ///   - isAct: whether a yes does what is shown; otherwise the question is about something else.
    ///   - proving: after a yes: asks for what a word alone does not prove.
    package func ask(
        _ question: String, _ device: Device, isAct: Bool = true, proving: (ReviewQuestion) -> Void = { _ in }
    ) throws -> Bool {
        let question = ReviewQuestion(question)
        let review: ReviewPage
        let isYes: Bool
        if let held, let screen = ReviewScreen(console, notes: ReviewScreen.notes(device)) {
            held.wereReviewed = true
            review = ReviewPage(held.items, isNumbered: held.isNumbered, question: question, isAct: isAct)
            isYes = try screen.review(review, view)
        } else {
            printHeld()
            review = ReviewPage(
                document.items, isNumbered: document.action.isNumbered, question: question, isAct: isAct)
            isYes = try askPlainly(review)
        }
        if isYes { proving(review.question) }
        return isYes
    }

    private func askPlainly(_ review: ReviewPage) throws -> Bool {
        if let page { PlainReview(console: page, view: view).repeatSummary(review) }
        return try console.confirm(review.question)
    }

    /// The same for a page that was printed already.
    package func ask(_ review: ReviewPage, _ device: Device) throws -> Bool {
        guard held != nil, let screen = ReviewScreen(console, notes: ReviewScreen.notes(device)) else {
            return try console.confirm(review.question)
        }
        return try screen.review(review, view)
    }

    private func print(_ items: [ReviewDocument.Item], numbered: Bool) {
        guard let page else { return }
        PlainReview(console: page, view: view).print(
            ReviewPage(items, isNumbered: numbered, question: ReviewQuestion("")))
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

/// Cards that were not printed, because a screen shows them together with the question.
final class HeldCards {
    var items: [ReviewDocument.Item] = []
    var isNumbered = true
    var wereReviewed = false
}
