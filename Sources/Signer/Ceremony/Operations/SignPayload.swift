import Accounts
import Diagnostics
import Extrinsics
import Hashing
import Keys
import Review
import SubstratePrimitives
import Threshold
import TrustStore
import UOS

/// Signs the transactions or the message of a payload.
public struct SignPayload: Operation {
    /// What is signed.
    public let payload: Payload
    let additions: TransactionReview.Additions
    /// A note that the log keeps beside each signature.
    let comment: String?
    /// How the nonces of its signatures are made, unless the payload is guarded.
    let nonce: SigningNonce
    /// Keys of a phrase that a person gave for this act.
    let unstored: [UnstoredSigner]

    /// - `nonce`: the kind of nonce; the log names any but hedged. A guarded payload takes the nonce that
    ///   both machines made.
    /// - `payload`: a transaction, a message or a bulk of them.
    /// - `unstored`: keys of a phrase that a person gave for this act; they sign where the vault has no key.
    public init(
        _ payload: Payload, additions: TransactionReview.Additions = TransactionReview.Additions(),
        comment: String? = nil, nonce: SigningNonce = .hedged, unstored: [UnstoredSigner] = []
    ) {
        self.payload = payload
        var additions = additions
        additions.unstored = unstored.map(\.key)
        self.additions = additions
        self.unstored = unstored
        self.comment = comment
        self.nonce = nonce
    }

    public var automation: Automation { .policyOrDevelopmentVault }

    public func preview(_ view: VaultView) throws -> [ReviewedTransaction] {
        try TransactionReview(view.chain, additions: additions).review(payload)
    }

    public func isSame(_ one: [ReviewedTransaction], _ other: [ReviewedTransaction]) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { $0.shows(the: $1) }
    }

    /// - Throws: `ReviewError`, the first reason why one of the transactions is shown only;
    ///   ``CeremonyError/guardUnrevealed`` and ``CeremonyError/guardedNonce`` for a guarded payload that
    ///   cannot be signed so.
    public func requireAllowed(_ shown: [ReviewedTransaction]) throws {
        try requireAnswerable(shown)
        switch payload.guardRound {
        case .commitment?: throw CeremonyError.guardUnrevealed
        case .reveal?, nil: break
        }
    }

    /// The same for either round of a guarded payload.
    func requireAnswerable(_ shown: [ReviewedTransaction]) throws {
        for transaction in shown { if let refusal = transaction.refusal { throw refusal } }
        switch nonce {
        case .hedged: break
        case .reproducible: if payload.guardRound != nil { throw CeremonyError.guardedNonce }
        }
    }

    public func standingApproval(of shown: [ReviewedTransaction], _ view: VaultView) throws
        -> StandingApproval?
    {
        try view.chain.standingApproval(of: shown)
    }

    public func personNeeded(for shown: [ReviewedTransaction], _ view: VaultView) throws -> PersonNeeded? {
        try view.chain.personNeeded(for: shown)
    }

    public func refusalEvent(_ reason: Diagnostic.Code, _ shown: [ReviewedTransaction]?) -> LogEvent? {
        let event = LogEvent.refusal(of: payload, reason: reason, metadataHash: shown?.first?.metadataHash)
        // What a person said no to. A refusal by the program has its reason instead.
        guard reason == CeremonyError.declined.code, let shown else { return event }
        let facts = LogEvent.facts(ofWarnings: ReviewSummary(whole: shown.map(ReviewSummary.init)))
        return LogEvent(
            event.kind, event.facts + facts, payload: event.payload, metadataHash: event.metadataHash)
    }

    public func perform(_ shown: [ReviewedTransaction], in context: CommitContext<Self>) throws
        -> PreparedCommit<[SignedTransaction]>
    {
        let signed = try signatures(shown, context)
        return try work(signed, signed, context) { [LogEvent.Fact("signature", Hex.encode($0.signature))] }
    }

    /// Makes the signatures, before anything is logged.
    ///
    /// Derives each signer once, in the payload's order, so that its password is asked for once.
    func signatures<O>(_ shown: [ReviewedTransaction], _ context: CommitContext<O>) throws
        -> [SignedTransaction]
    {
        let items = try shown.map { try $0.signable() }
        var signed: [SignedTransaction?] = Array(repeating: nil, count: items.count)
        for first in items.indices where signed[first] == nil {
            let signer = items[first].reviewed.signer
            let key = try keyPair(of: items[first], context)
            for index in items.indices[first...] where items[index].reviewed.signer == signer {
                signed[index] = try Self.sign(items[index], with: key, context.trust) {
                    (key: borrowing KeyPair, message) in try signature(key, message)
                }
            }
        }
        return signed.map { $0! }
    }

    /// The one place that makes a signature of a payload. A guarded payload never gets another nonce: its
    /// online machine would refuse the answer, and a person would have signed in vain.
    private func signature(_ key: borrowing KeyPair, _ message: [UInt8]) throws -> [UInt8] {
        switch payload.guardRound {
        case nil: try key.sign(message, nonce: nonce)
        case .commitment?: throw CeremonyError.guardUnrevealed
        case .reveal(let reveal)?:
            try guarded(key.publicKey, message).sign(key, point: reveal.point, reveal: reveal.value)
        }
    }

    /// What both rounds of a guarded signature are made from.
    /// - Throws: `PayloadError.guarded(_:)` where the key that a path leads to cannot sign so
    func guarded(_ key: PublicKey, _ message: [UInt8]) throws -> GuardedSigning {
        guard let made = GuardedSigning(key: key, payload: GuardHash.payload(payload.bytes), message: message)
        else { throw PayloadError.guarded(.unsupported(key.scheme)) }
        return made
    }

    func keyPair<O>(of item: SignableTransaction, _ context: CommitContext<O>) throws -> KeyPair {
        switch item.key {
        case .held(let record): return try context.keyPair(record, address: item.reviewed.address)
        case .underived(let key):
            return try context.withSeed(key.seed) { (entropy: borrowing SecretBytes) in
                try key.keyPair(entropy: entropy)
            }
        case .unstored(let key):
            guard let signer = unstored.first(where: { $0.key == key }) else {
                throw ReviewError.unknownSigner
            }
            return try signer.keyPair()
        }
    }

    /// Signs what was read under the seal, and verifies the signature.
    /// - Parameters:
    ///   - key: the signer's key; for an underived signer by ``UnderivedKey/keyPair(entropy:)``.
    ///   - make: makes the signature; tests put a wrong one in its place.
    static func sign(
        _ item: SignableTransaction, with key: borrowing KeyPair, _ trust: SealedTrust,
        by make: (borrowing KeyPair, [UInt8]) throws -> [UInt8] = { (key: borrowing KeyPair, message) in
            try key.sign(message)
        }
    ) throws -> SignedTransaction {
        let message = try message(of: item, for: key.publicKey, trust)
        let signature = try make(key, message)
        guard Signature.verify(signature, message: message, key: key.publicKey) else {
            throw ReviewError.signatureDoesNotVerify
        }
        return SignedTransaction(reviewed: item.reviewed, signature: signature, key: key.publicKey)
    }

    /// What a key signs of an item that was read under the seal.
    /// - Parameters:
    ///   - key: the public key of the pair that is about to be used, which must be the item's.
    static func message(of item: SignableTransaction, for key: PublicKey, _ trust: SealedTrust) throws
        -> [UInt8]
    {
        switch item.key {
        case .held(let record):
            guard key == record.publicKey else {
                throw ReviewError.derivedKeyDiffers(hasPassword: record.hasPassword)
            }
        case .underived(let underived):
            guard key.scheme == underived.scheme else { throw ReviewError.unknownSigner }
            // Another spelling of a path that is held, such as //00 for //0.
            if let held = trust.state.key(key) {
                throw DerivationRefusal.collision(path: held.path)
            }
        case .unstored(let unstored):
            guard key == unstored.publicKey else {
                throw ReviewError.derivedKeyDiffers(hasPassword: unstored.hasPassword)
            }
        }
        return try SigningMessage.bytes(item.reviewed, scheme: key.scheme, account: key.accountID)
    }

    // MARK: The store

    /// The changes and the lines of the log. A newly derived key may also be the key of another network. A
    /// network that only a metadata proof describes is not stored, so the word for its key is asked for each
    /// time.
    /// - Parameters:
    ///   - outcome: the outcome for the caller.
    ///   - result: the log's facts of each signature.
    func work<O, Outcome>(
        _ outcome: Outcome, _ signed: [SignedTransaction], _ context: CommitContext<O>,
        telling result: (SignedTransaction) -> [LogEvent.Fact]
    ) throws -> PreparedCommit<Outcome> {
        let state = context.trust.state
        var firstUsed: Set<PublicKey> = []
        var changes: [TrustChange] = []
        for signed in signed {
            guard let underived = signed.reviewed.underived, firstUsed.insert(signed.key).inserted else {
                continue
            }
            let network = signed.reviewed.specs.flatMap {
                state.networks(genesis: $0.genesisHash).first?.genesisHash
            }
            changes.append(.addKey(underived.record(signed.key, network: network)))
        }
        // Of a key that is not stored the store keeps no record, so that it has none to mark or to compare.
        let stored = signed.filter { $0.reviewed.unstored == nil }
        changes += Set(stored.map(\.key)).map { TrustChange.markUsed($0, time: context.now) }
        changes += state.rotationsProven(by: signed.map(\.reviewed))
        let borrowed = stored.compactMap { signed in
            signed.reviewed.isNetworkOnlyProved
                ? signed.reviewed.specs.map { TrustChange.allowKey(signed.key, $0.genesisHash) } : nil
        }
        // One question is asked for all payloads of a bulk, and one word.
        let word =
            context.consent == .person
            ? ReviewSummary(whole: signed.map { ReviewSummary($0.reviewed) }).word : nil
        let events = signed.enumerated().map { index, signed in
            event(
                signed.reviewed, signed.address, result(signed), rule: context.standing?.rules[index],
                context.standing, word: word)
        }
        // The history changes in the transaction that logs the signature, so log and history always agree.
        let accounts = signed.map { ($0.reviewed, $0.reviewed.signingAccount ?? $0.key.accountID) }
        let chain = context.view.chain
        let rows =
            try chain.historyRows(of: accounts, isConfirmed: context.isConfirmed)
            + chain.budgetRows(of: accounts, rules: context.standing?.rules)
        return PreparedCommit(
            outcome, changes, events: events, borrowing: borrowed, history: HistoryWrite(rows))
    }

    /// The line of the log about one transaction.
    /// - Parameters:
    ///   - address: of the signer.
    ///   - kind: of a line about something else than a signature.
    func event(
        _ reviewed: ReviewedTransaction, _ address: String, _ result: [LogEvent.Fact], rule: Int?,
        _ standing: StandingApproval?, word: TypedWord?, kind: LogEvent.Kind? = nil
    ) -> LogEvent {
        var facts = [LogEvent.Fact("signer", address)] + result
        if let round = payload.guardRound {
            facts.append(LogEvent.Fact("nonce", Self.guardedNonce))
            facts.append(LogEvent.Fact(Self.guardCommitment, Hex.encode(round.commitment)))
        } else {
            switch nonce {
            case .hedged: break
            case .reproducible: facts.append(LogEvent.Fact("nonce", nonce.rawValue))
            }
        }
        if let name = reviewed.shownNetwork { facts.append(LogEvent.Fact("network", name)) }
        facts += LogEvent.summary(of: reviewed) + LogEvent.facts(ofWarnings: ReviewSummary(reviewed))
        if let word { facts.append(LogEvent.Fact("word", word.text)) }
        if let state = reviewed.state {
            facts.append(LogEvent.Fact("state_proof", "of block \(state.proven.chain.header.number)"))
        }
        if let provenance = reviewed.provenance { facts += LogEvent.facts(of: provenance) }
        facts += LogEvent.facts(ofProvedNetwork: reviewed)
        if rule == nil { facts += LogEvent.facts(ofVouching: reviewed) }
        if reviewed.underived != nil { facts.append(LogEvent.Fact("key", "derived for this")) }
        if reviewed.unstored != nil { facts.append(LogEvent.Fact("key", "not stored")) }
        if let rule, let standing {
            facts.append(LogEvent.Fact("approved_by", "policy rule \(rule)"))
            facts.append(LogEvent.Fact("policy", standing.policy.hex))
        }
        if let comment { facts.append(LogEvent.Fact("comment", comment)) }
        let signed: LogEvent.Kind =
            switch reviewed.subject {
            case .transaction: .transactionSigned
            case .message: .messageSigned
            }
        return LogEvent(kind ?? signed, facts, payload: reviewed.payload, metadataHash: reviewed.metadataHash)
    }
}

extension SignPayload {
    /// The log's word for a nonce that the signer and the online machine made together.
    static let guardedNonce = "guarded"
    /// The log's fact with the commitment of the online machine.
    static let guardCommitment = "guard_commitment"
}

/// A signature that was verified, with what it is over.
public struct SignedTransaction: Sendable {
    /// What was signed, as the second look under the seal read it.
    public let reviewed: ReviewedTransaction
    /// `SignatureScheme.signatureLength` bytes.
    public let signature: [UInt8]
    /// The key that signed.
    public let key: PublicKey
    /// The key's scheme.
    public var scheme: SignatureScheme { key.scheme }

    init(reviewed: ReviewedTransaction, signature: [UInt8], key: PublicKey) {
        self.reviewed = reviewed
        self.signature = signature
        self.key = key
    }

    /// The address of the account that signed, with its network's prefix.
    public var address: String { key.address(prefix: reviewed.specs?.base58Prefix ?? 42) }

    /// The signature with its scheme, as a chain takes it.
    public var multiSignature: MultiSignature { MultiSignature(scheme: scheme, bytes: signature) }

    /// What goes back when this signature was asked for alone.
    public var answer: Answer {
        switch reviewed.subject {
        case .transaction: .transaction(multiSignature)
        case .message: .message(signature)
        }
    }

    /// The answer as text: MultiSignature in hex for a transaction, the bare signature for a message.
    public var text: String { answer.text }
}

/// An operation that is previewed, approved and refused like the signing of its payload, and makes something
/// else.
public protocol LikeSigning: Operation where Shown == [ReviewedTransaction] {
    /// The signing whose review this uses. It is never performed.
    var signing: SignPayload { get }
}

extension LikeSigning {
    /// That of the signing.
    public var automation: Automation { signing.automation }

    /// The review of the signing.
    public func preview(_ view: VaultView) throws -> [ReviewedTransaction] { try signing.preview(view) }

    /// Whether two reviews are the same for the signing.
    public func isSame(_ one: [ReviewedTransaction], _ other: [ReviewedTransaction]) -> Bool {
        signing.isSame(one, other)
    }

    /// The rule that would approve the signing.
    public func standingApproval(of shown: [ReviewedTransaction], _ view: VaultView) throws
        -> StandingApproval?
    {
        try signing.standingApproval(of: shown, view)
    }

    /// Why no rule would approve the signing.
    public func personNeeded(for shown: [ReviewedTransaction], _ view: VaultView) throws -> PersonNeeded? {
        try signing.personNeeded(for: shown, view)
    }

    /// The line of the log for a refused signing.
    public func refusalEvent(_ reason: Diagnostic.Code, _ shown: [ReviewedTransaction]?) -> LogEvent? {
        signing.refusalEvent(reason, shown)
    }
}
