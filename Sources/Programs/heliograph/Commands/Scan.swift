import ArgumentParser
import Glibc
import Hashing
import Keys
import Review
import SubstratePrimitives
import TrustStore
import UOS
import Vault

/// `scan`: reads a payload, shows what it is for, asks, and does it.
///
/// The cards come before the passphrase: they are read from the store as it lies there, and read again under its seal before anything is done.
/// Where the two readings differ, nothing is done.
struct Scan: Command {
    static let configuration = CommandConfiguration(abstract: "Read a payload, show its cards, ask, and do what it is for.")

    @OptionGroup var input: InputOptions
    @OptionGroup var vault: VaultOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var joining: JoinOptions
    @OptionGroup var word: WordOption

    @Option(help: ArgumentHelp("Draw the answer to this PNG file.", valueName: "file.png"))
    var out: String?

    @Flag(help: "Draw the answer on the terminal.")
    var terminal = false

    @Flag(help: "Answer yes without a person; only in a development vault, or where a rule of the policy approves exactly this.")
    var approve = false

    @Flag(help: "Sign for a network that only the transaction's metadata proof speaks for; the log keeps that.")
    var acceptProvedNetwork = false

    @Option(help: ArgumentHelp("The seed of derivations whose root key no seed of the vault has.", valueName: "name"))
    var seed: String?

    @Flag(help: "Let a key that was never derived here sign on a network that no key of its seed is allowed on.")
    var acceptNewKey = false

    @Option(help: ArgumentHelp("A note that the log keeps beside a signature.", valueName: "text"))
    var comment: String?

    @Option(
        help: ArgumentHelp(
            "Read the ///password of each key as one line from this descriptor, in the order of the payload.", valueName: "n"))
    var passwordFd: Int32?

    var json: Bool { output.json }
    var place: CommandPlace { input.place }

    func access() throws -> Access {
        Access(readable: input.readable, writable: [try vault.directory()] + (out.map { [$0] } ?? []), scans: true)
    }

    func execute(_ context: CommandContext) throws {
        var session = ReviewSession(console: context.console, json: json, asks: true)
        try session.run { session in
            try word.requireAllowed(vault)
            let store = try vault.lockedStore()
            do {
                try session.read(input)
                var additions = try input.additions()
                additions.acceptsProvedNetwork = acceptProvedNetwork
                additions.acceptsNewKey = acceptNewKey
                try chooseSeed(&session, store)
                try session.review(with: ChainData(state: try store.uncheckedState()) { try store.content($0) }, additions: additions)
                try refuse(session)
            } catch {
                try journal(error, session, store)
                throw error
            }
            do {
                try ask(session, store, context.console)
                try act(&session, context)
            } catch let error where Self.isRefusal(error) {
                try journal(error, session, store)
                throw error
            }
        }
    }

    /// What is shown and may not be done.
    private func refuse(_ session: ReviewSession) throws {
        for transaction in session.transactions { _ = try transaction.approve() }
        if let refusal = session.derivations?.refusal { throw refusal }
    }

    /// A refused payload leaves a line in the log, and nothing else.
    private func journal(_ error: any Error, _ session: ReviewSession, _ store: TrustStore) throws {
        guard let payload = session.payload else { return }
        let metadata = session.transactions.first?.metadataHash
        try store.journal(LogEvent.refusal(of: payload, reason: Wording.logReason(error), metadataHash: metadata))
    }

    /// After the cards: a no of the person or the policy, what is not as it was shown, or cannot be done with what the vault holds. A wrong
    /// passphrase has its own line, and an answer that cannot be written refuses nothing.
    private static func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case is ReviewError, is UpdateRefusal, is DerivationRefusal, CommandError.answeredNo, CommandError.approveNeedsPolicy,
            CommandError.keyOnTwoNetworks, StoreError.keyReuse:
            true
        case let error as StoreError: error == .changedSinceShown || error.isBeyondRepair
        default: false
        }
    }

    private func ask(_ session: ReviewSession, _ store: TrustStore, _ console: Console) throws {
        if approve {
            let data = try ChainData(state: store.uncheckedState()) { try store.content($0) }
            guard try vault.isDevelopment() || data.standingApproval(of: session.transactions) != nil else {
                throw CommandError.approveNeedsPolicy
            }
            return
        }
        try ShieldGuard.requireOffline(vault)
        guard try console.confirm(Wording.question(session.document.action, count: session.transactions.count)) else {
            throw CommandError.answeredNo
        }
    }

    private func act(_ session: inout ReviewSession, _ context: CommandContext) throws {
        let console = context.console
        let open = try context.unlock(vault)
        // Once more under the seal: what was read before it could be anyone's.
        let standing = try approve ? open.chainData().standingApproval(of: session.transactions) : nil
        guard !approve || open.vault.isDevelopment || standing != nil else { throw CommandError.approveNeedsPolicy }
        if let update = session.update {
            let again = try UpdateReviewer.review(update.update, state: try open.store.state())
            guard again.cards.numbered() == update.cards.numbered() else { throw ReviewError.changedSinceShown }
            try again.apply(to: open.store)
            return console.note(Wording.done(session.document.action))
        }
        if !session.shares.isEmpty { return try joining.restore(session.shares, into: open, console) }
        if let derivations = session.derivations { return try derive(derivations, open, &session, console) }
        let signed = try sign(session.transactions, open, console)
        try record(signed, open, standing, console)
        name(signed, &session, console)
        try draw(signed, &session, console)
    }

    private func sign(_ transactions: [ReviewedTransaction], _ open: OpenVault, _ console: Console) throws -> [SignedTransaction] {
        let data = try open.chainData()
        var signed: [SignedTransaction?] = Array(repeating: nil, count: transactions.count)
        // One derivation a signer, in the payload's order: its password is asked for once, and a descriptor gives one line for each.
        for first in transactions.indices where signed[first] == nil {
            let signer = transactions[first].signer
            let key = try open.keyPair(of: transactions[first], passwordFd: passwordFd, console)
            for place in transactions.indices[first...] where transactions[place].signer == signer {
                signed[place] = try transactions[place].approve().sign(data: data, key: key)
            }
        }
        return signed.map { $0! }
    }

    /// The log knows of a signature before anyone sees it. A key that is derived for this may be one that another network has, too.
    private func record(_ signed: [SignedTransaction], _ open: OpenVault, _ standing: StandingApproval?, _ console: Console) throws {
        let now = systemClock()
        let state = try open.store.state()
        var firstUsed: Set<PublicKey> = []
        var changes: [TrustChange] = []
        for signed in signed {
            guard let underived = signed.reviewed.underived, firstUsed.insert(signed.key).inserted else { continue }
            let network = signed.reviewed.specs.flatMap { state.networks(genesis: $0.genesisHash).first?.genesisHash }
            changes.append(.addKey(underived.record(signed.key, network: network)))
        }
        changes += Set(signed.map(\.key)).map { TrustChange.markUsed($0, time: now) }
        let events = signed.enumerated().map { place, signed in
            let reviewed = signed.reviewed
            var facts = [LogEvent.Fact("signer", signed.address), LogEvent.Fact("signature", Hex.encode(signed.signature))]
            if let specs = reviewed.specs { facts.append(LogEvent.Fact("network", specs.name)) }
            if reviewed.isNetworkOnlyProved { facts.append(LogEvent.Fact("network_only_proved", "accepted")) }
            if reviewed.underived != nil { facts.append(LogEvent.Fact("key", "derived for this")) }
            if let standing {
                facts.append(LogEvent.Fact("approved_by", "policy rule \(standing.rules[place])"))
                facts.append(LogEvent.Fact("policy", standing.policy.hex))
            }
            if let comment { facts.append(LogEvent.Fact("comment", comment)) }
            return LogEvent(
                reviewed.subject == .transaction ? .transactionSigned : .messageSigned, facts, payload: reviewed.payload,
                metadataHash: reviewed.metadataHash)
        }
        // A network that only a proof speaks for stays unknown, so the key is asked about each time.
        let borrowed = signed.compactMap { signed in
            signed.reviewed.isNetworkOnlyProved ? signed.reviewed.specs.map { TrustChange.allowKey(signed.key, $0.genesisHash) } : nil
        }
        try open.change(changes, events: events, borrowing: borrowed, word: word, console)
    }

    /// The account of a key that was derived for this signature was on no card: its address follows now.
    private func name(_ signed: [SignedTransaction], _ session: inout ReviewSession, _ console: Console) {
        for (place, signed) in signed.enumerated() {
            guard let underived = signed.reviewed.underived else { continue }
            session.document.items[place].setSigner(signed)
            console.note(Wording.signedBy(signed.address, underived))
        }
    }

    private func draw(_ signed: [SignedTransaction], _ session: inout ReviewSession, _ console: Console) throws {
        let picture = try AnswerPicture(signed)
        session.document.signatures = signed.map { ReviewDocument.SignatureFacts(text: $0.text, out: Explicit(nil)) }
        if let out {
            try Files.write(try picture.png(), to: out)
            session.document.signatures = signed.map { ReviewDocument.SignatureFacts(text: $0.text, out: Explicit(out)) }
            console.note(Wording.answerWritten(out))
        }
        try show(picture, console)
        if !json, out != nil { for answer in signed { console.note(answer.text) } }
    }

    /// On stderr with `--json`, whose document is alone on stdout.
    func show(_ picture: AnswerPicture, _ console: Console) throws {
        guard terminal || (out == nil && !json) else { return }
        let page = json ? console.beside : console
        page.print(picture.terminal(coloured: page.colour))
    }
}

extension VaultOptions {
    /// What the vault's header says; ``UnlockedVault`` proves it.
    func isDevelopment() throws -> Bool { try Vault.open(directory: try directory()).isDevelopment }
}

extension OpenVault {
    /// The key pair that signs a transaction.
    func keyPair(of transaction: ReviewedTransaction, passwordFd: Int32?, _ console: Console) throws -> KeyPair {
        if let record = transaction.key { return try keyPair(record, address: transaction.address, passwordFd: passwordFd, console) }
        guard let underived = transaction.underived else { throw ReviewError.unknownSigner }
        return try vault.withSeed(underived.seed) { (entropy: borrowing SecretBytes) in try underived.keyPair(entropy: entropy) }
    }

    /// The key pair of a record; the password is asked for where the key has one.
    /// - Parameter address: what the question calls the key, beside its path; with prefix 42 when left out.
    func keyPair(_ record: KeyRecord, address: String? = nil, passwordFd: Int32?, _ console: Console) throws -> KeyPair {
        let path = try DerivationPath(record.path)
        let question = Wording.passwordQuestion(path: record.path, address: address ?? record.publicKey.address(prefix: 42))
        let password = record.hasPassword ? try secret(question, for: .password, descriptor: passwordFd, console) : SecretBytes()
        let key = try vault.withSeed(record.seed) { (entropy: borrowing SecretBytes) in
            try KeyPair.derive(entropy: entropy, path: path, password: password, scheme: record.publicKey.scheme)
        }
        guard key.publicKey == record.publicKey else {
            if record.hasPassword {
                try store.append([LogEvent(.wrongPassword, [LogEvent.Fact("key", Hex.encode(record.publicKey.bytes))])])
            }
            throw ReviewError.derivedKeyDiffers(hasPassword: record.hasPassword)
        }
        return key
    }
}
