import Diagnostics
import GroupCollect
import GroupReview
import Hashing
import Keys
import Review
import SubstratePrimitives
import Threshold
import TrustStore
import UOS

/// Signs as a member of a group: round one, round two, or the end of a signature, whichever a message asks
/// for.
///
/// A secret share can be computed from a few signature shares that use one pair of nonces for different
/// packages. So the nonces of a request are drawn once, and they wait in memory, not in the vault's folder.
/// Round two has two commits with the share between them:
///
/// 1. The nonces leave the memory where they waited. Nothing puts them back, whatever fails from here on.
/// 2. One commit spends the request for the package at hand, and the log says so. It is conditional on
///    everything that was shown, the open offer among it: of two programs that race, one gets nothing.
///    Nothing of the share is in it, because there is no share.
/// 3. The share is made and checked, and the nonces are wiped.
/// 4. A second commit stores the share, the log says that it was given, and then it is shown. A log that ends
///    with the first line tells the owner that the request cost the nonces and gave nothing.
///
/// Why not one commit: a commit that fails is not one that left nothing behind. With a full disk, whole pages
/// of it stay in the write-ahead log, where whoever owns the disk reads them. If they had a share, and the
/// nonces were put back because the commit failed, then each further package would give another share of the
/// same pair, and a few of them give the key of this member. Now a page with a share can exist only after the
/// disk says for which one package the nonces were used, and after they are gone. A failure or a kill between
/// the steps ends the request: it costs the group a new request.
public struct SignForGroup: Operation {
    /// What this machine answers.
    public enum Answer: Sendable, Equatable {
        /// Message b7 whole.
        case commitment([UInt8])
        /// Message b9 whole.
        case share([UInt8])
    }

    /// What came of it.
    public struct Result: Sendable {
        /// What the others need of this machine.
        public let answer: Answer
        /// The signature of the account, where the shares of all signers are here.
        public let signed: SignedTransaction?
    }

    /// What is answered.
    public let message: GroupMessage
    let asked: GroupSigningMessage
    let additions: TransactionReview.Additions
    let comment: String?

    /// An answer to a request, a package or a share; nil for another message.
    /// - `comment`: a note that the log keeps beside the share.
    public init?(
        _ message: GroupMessage, additions: TransactionReview.Additions = TransactionReview.Additions(),
        comment: String? = nil
    ) {
        guard let asked = GroupSigningMessage(message) else { return nil }
        self.message = message
        self.asked = asked
        self.additions = additions
        self.comment = comment
    }

    public var automation: Automation { .policyOrDevelopmentVault }

    /// - Throws: `GroupSigningRefusal`, `ReviewError`, ``KeyRefusal/addressNotCompared(_:)``, ``NonceError``
    public func preview(_ view: VaultView) throws -> GroupSigningReview {
        let review: GroupSigningReview
        do {
            review = try view.chain.review(asked, additions: additions, isLive: view.isLive)
        } catch {
            guard case .noncesGone? = error as? GroupSigningRefusal else { throw error }
            // Where the folder in memory cannot be believed, they may wait there all the same.
            try view.requireNonces()
            throw error
        }
        try view.trust.requireCompared(review.group)
        // Only a first round puts nonces where they wait. Where they cannot, that is said before anybody
        // reads the cards and types a passphrase.
        if case .offer = review.step { try view.requireNonces() }
        return review
    }

    public func isSame(_ one: GroupSigningReview, _ other: GroupSigningReview) -> Bool {
        one.shows(the: other)
    }

    /// - Throws: `ReviewError`, the reason why the transaction is shown only.
    public func requireAllowed(_ shown: GroupSigningReview) throws {
        if let refusal = shown.transaction.refusal { throw refusal }
    }

    public func standingApproval(of shown: GroupSigningReview, _ view: VaultView) throws -> StandingApproval?
    {
        try view.chain.standingApproval(of: shown)
    }

    public func personNeeded(for shown: GroupSigningReview, _ view: VaultView) throws -> PersonNeeded? {
        try view.chain.personNeeded(for: shown)
    }

    public func refusalEvent(_ reason: Diagnostic.Code, _ shown: GroupSigningReview?) -> LogEvent? {
        .refusal(of: message, reason: reason)
    }

    public func perform(_ shown: GroupSigningReview, in context: CommitContext<Self>) throws
        -> PreparedCommit<Result>
    {
        switch shown.step {
        case .offer: try offer(shown, context)
        // Both were stored before they were shown for the first time.
        case .offerAgain(let own):
            PreparedCommit(Result(answer: .commitment(own.bytes), signed: nil), events: [])
        case .shareAgain(let own): PreparedCommit(Result(answer: .share(own.bytes), signed: nil), events: [])
        case .share(let entries, let others): try share(shown, entries, others, context)
        case .shareAtOnce(let others): try shareAtOnce(shown, others, context)
        case .finish(let own, let others): try finish(shown, own, others, context)
        }
    }

    // MARK: Round one

    /// Nonces are drawn and wait in memory, then the row is committed, then the commitment is shown.
    private func offer(_ shown: GroupSigningReview, _ context: CommitContext<Self>) throws -> PreparedCommit<
        Result
    > {
        let id = shown.request.id
        let nonces = context.session.device.nonces
        let (commitment, box) = try context.withShare(of: shown.group) {
            (host: borrowing HostKey, share: borrowing SigningShare, record) in
            let account = try shown.request.account(in: record)
            let pair = try NoncePair.draw(
                share, for: account, suffix: NonceSuffix(requestID: id.bytes, others: []))
            let commitment = try GroupCommitment(pair.commitment, shown, host)
            return (commitment, SealedNonces.seal(pair.exportSecret(), for: id, context.session))
        }
        // What waits without a row was never shown: an act before this one ended between the two.
        try nonces.wipe(id, of: context.session.vault.id)
        try nonces.keep(box, for: id, of: context.session.vault.id)
        let row = GroupOffer(
            request: id, group: shown.group.transcript, payload: shown.request.bytes,
            commitment: commitment.bytes, time: context.now)
        return PreparedCommit(
            Result(answer: .commitment(commitment.bytes), signed: nil), [.addGroupOffer(row)],
            events: [event(.groupOffered, shown, context, [])], borrowing: Self.borrowed(shown))
    }

    // MARK: Round two

    /// With the nonces that waited. They are taken as late as they can be: a word that is not typed, or a
    /// history that cannot be read, must not cost the request.
    private func share(
        _ shown: GroupSigningReview, _ entries: [GroupNonces], _ others: [GroupShare],
        _ context: CommitContext<Self>
    ) throws -> PreparedCommit<Result> {
        let pair = UsedOnce()
        var prepared = try spend(
            shown, entries, others, pair, [.removeGroupOffer(request: shown.request.id)], context)
        prepared.usingUp = { pair.fill(from: try takenNonces(shown, entries, context)) }
        return prepared
    }

    /// The nonces that waited, compared with the commitment that was shown. They wait no longer.
    private func takenNonces(
        _ shown: GroupSigningReview, _ entries: [GroupNonces], _ context: CommitContext<Self>
    ) throws -> UsedOnce {
        let (id, vault, keeper) = (shown.request.id, context.session.vault.id, context.session.device.nonces)
        return try context.withShare(of: shown.group) {
            (_: borrowing HostKey, share: borrowing SigningShare, record) in
            let account = try shown.request.account(in: record)
            guard let box = try keeper.take(id, of: vault) else { throw GroupSigningRefusal.noncesGone }
            guard let secret = SealedNonces.open(box, for: id, context.session) else {
                throw GroupSigningRefusal.noncesBroken
            }
            let pair = try Self.restored(secret, share.member, account)
            guard let entry = entries.first(where: { $0.index == shown.group.member }),
                (entry.hiding, entry.binding) == (pair.commitment.hiding, pair.commitment.binding)
            else { throw GroupSigningRefusal.noncesBroken }
            return UsedOnce(pair)
        }
    }

    private static func restored(
        _ secret: borrowing SecretBytes, _ member: Identifier, _ account: GroupAccount
    ) throws -> NoncePair {
        do throws(ThresholdError) {
            return try NoncePair(restoring: secret.copy(), member: member, account: account)
        } catch {
            throw GroupSigningRefusal.noncesBroken
        }
    }

    /// Nothing of the nonces is kept. Their suffix has the commitments of all others, so that a random source
    /// which repeats itself after a rollback gives the same nonces for the same package only, where they give
    /// the same share.
    private func shareAtOnce(
        _ shown: GroupSigningReview, _ others: [GroupNonces], _ context: CommitContext<Self>
    )
        throws -> PreparedCommit<Result>
    {
        let id = shown.request.id
        let known = others.map { NonceCommitment($0) }
        let (entry, pair) = try context.withShare(of: shown.group) {
            (host: borrowing HostKey, share: borrowing SigningShare, record) in
            let account = try shown.request.account(in: record)
            let pair = try NoncePair.draw(
                share, for: account, suffix: NonceSuffix(requestID: id.bytes, others: known))
            return (try GroupCommitment(pair.commitment, shown, host).nonces, UsedOnce(pair))
        }
        return try spend(shown, (others + [entry]).sorted { $0.index < $1.index }, [], pair, [], context)
    }

    /// The commit that marks the request as spent for these entries, together with the history, the budgets
    /// and the log. The share is computed afterwards and has its own commit.
    private func spend(
        _ shown: GroupSigningReview, _ entries: [GroupNonces], _ others: [GroupShare], _ pair: UsedOnce,
        _ changes: [TrustChange],
        _ context: CommitContext<Self>
    ) throws -> PreparedCommit<Result> {
        let chain = context.view.chain
        let accounts = [(reviewed: shown.transaction, signer: Optional(shown.request.account))]
        let hash = GroupPackage.hash(request: shown.request.id, entries)
        let spent = SpentRequest(
            group: shown.group.transcript, request: shown.request.bytes, packageHash: hash, share: [],
            time: context.now)
        let rows =
            try chain.historyRows(of: accounts, isConfirmed: context.isConfirmed)
            + chain.budgetRows(of: accounts, rules: context.standing?.rules) + [spent.row(shown.request.id)]
        var changes = changes
        let isTaken = !changes.isEmpty
        if let key = shown.transaction.key { changes.append(.markUsed(key.publicKey, time: context.now)) }
        let package = LogEvent.Fact("package_hash", hash.hex)
        var prepared = PreparedCommit<Result>(
            changes, events: [LogEvent(.groupSpent, LogEvent.facts(of: shown) + [package])],
            borrowing: Self.borrowed(shown),
            history: HistoryWrite(rows)
        ) {
            let own = try signed(shown, entries, pair, context)
            let finished = others.isEmpty ? nil : try Self.finished(shown, own, others)
            let events =
                [event(.groupShared, shown, context, [package])] + finishedEvent(finished, shown, context)
            try store(own, in: spent, of: shown.request.id, events, context.session.store)
            return Result(answer: .share(own.bytes), signed: finished)
        }
        prepared.explained = { Self.refusal(of: $0, taken: isTaken) }
        return prepared
    }

    /// What the failure of the commit that spends the request means: the request is over where the nonces
    /// were taken from where they waited, and where the commit is on the disk although the vault's file is
    /// not. A store that is broken says so itself.
    static func refusal(of error: StoreError, taken: Bool) -> any Error {
        let isOnDisk = if case .vaultFileUnwritten = error { true } else { false }
        guard taken || isOnDisk, !error.isBeyondRepair else { return error }
        return GroupSigningRefusal.notMade(error.sentence)
    }

    /// The account on a network that only a metadata proof describes: a second network of one key needs the
    /// person's word, as for a key of a seed.
    private static func borrowed(_ shown: GroupSigningReview) -> [TrustChange] {
        guard shown.transaction.isNetworkOnlyProved, let specs = shown.transaction.specs,
            let key = shown.transaction.key
        else { return [] }
        return [.allowKey(key.publicKey, specs.genesisHash)]
    }

    /// Message b9, from nonces that end here.
    private func signed(
        _ shown: GroupSigningReview, _ entries: [GroupNonces], _ used: UsedOnce,
        _ context: CommitContext<Self>
    ) throws -> GroupShare {
        let request = shown.request
        let message = try SigningMessage.bytes(shown.transaction, scheme: request.scheme)
        return try context.withShare(of: shown.group) {
            (host: borrowing HostKey, share: borrowing SigningShare, record) in
            let package = try SigningPackage(try request.account(in: record), message, entries) { index in
                shown.signers.first { $0.index == index }?.shownName ?? String(index)
            }
            guard let own = entries.first(where: { $0.index == shown.group.member }), let pair = used.take()
            else {
                throw GroupSigningRefusal.selfCheck
            }
            let value: [UInt8]
            do throws(ThresholdError) { value = try package.sign(share, nonces: pair) } catch {
                throw GroupSigningRefusal.selfCheck
            }
            func answer(_ signature: [UInt8]) -> GroupShare {
                GroupShare(
                    scheme: request.scheme, request: request.id, nonces: own,
                    packageHash: GroupPackage.hash(request: request.id, entries),
                    share: value, signature: signature)
            }
            return answer(try host.sign(answer([UInt8](repeating: 0, count: 64)).signedBytes))
        }
    }

    /// Puts the share into the row that marks the request as spent. The row must be as this act wrote it.
    /// - Throws: ``GroupSigningRefusal/storedUnshown(_:)`` where only the vault's file could not be written
    ///   after the store's commit; ``GroupSigningRefusal/notStored(_:)`` where the row has no share, so that
    ///   the request is over; else ``GroupSigningRefusal/maybeStored(_:)``: a disk that does not confirm a
    ///   commit may have it.
    private func store(
        _ share: GroupShare, in spent: SpentRequest, of id: Hash32, _ events: [LogEvent],
        _ store: UnlockedStore
    ) throws(GroupSigningRefusal) {
        let withoutShare = spent.row(id)
        func storedValue() throws -> [UInt8]? {
            try store.history(try store.trust())?.values(of: [withoutShare.key])[withoutShare.key]
        }
        do {
            let trust = try store.trust()
            guard try storedValue() == withoutShare.value else { throw CeremonyError.changedSinceShown }
            let full = SpentRequest(
                group: spent.group, request: spent.request, packageHash: spent.packageHash,
                share: share.bytes, time: spent.time)
            try store.change(since: trust, [], events: events, writing: HistoryWrite([full.row(id)]))
        } catch {
            if case .vaultFileUnwritten(let code)? = error as? StoreError {
                throw .storedUnshown(Sentence.systemError(code))
            }
            let reason = (error as? any DiagnosticError)?.sentence ?? "unknown error"
            throw Self.refusal(reason, stored: try? storedValue(), withoutShare: withoutShare.value)
        }
    }

    /// The refusal after a failed second commit.
    /// - Parameter stored: the row after the failure; nil if it is unknown.
    static func refusal(_ reason: String, stored: [UInt8]?, withoutShare: [UInt8]) -> GroupSigningRefusal {
        stored == withoutShare ? .notStored(reason) : .maybeStored(reason)
    }

    // MARK: The signature

    private func finish(
        _ shown: GroupSigningReview, _ own: GroupShare, _ others: [GroupShare], _ context: CommitContext<Self>
    ) throws -> PreparedCommit<Result> {
        let finished = try Self.finished(shown, own, others)
        return PreparedCommit(
            Result(answer: .share(own.bytes), signed: finished),
            events: finishedEvent(finished, shown, context)
        )
    }

    /// The signature of all shares, verified as everyone verifies it.
    private static func finished(_ shown: GroupSigningReview, _ own: GroupShare, _ others: [GroupShare])
        throws -> SignedTransaction
    {
        let record = try shown.group.recordMessage().checked()
        let account = try shown.request.account(in: record)
        let message = try SigningMessage.bytes(shown.transaction, scheme: shown.request.scheme)
        let all = (others + [own]).sorted { $0.nonces.index < $1.nonces.index }
        let package = try SigningPackage(account, message, all.map(\.nonces)) { index in
            shown.signers.first { $0.index == index }?.shownName ?? String(index)
        }
        let values = Dictionary(
            all.map { (Identifier($0.nonces.index), $0.share) }, uniquingKeysWith: { first, _ in first })
        guard let signature = try? package.aggregate(values),
            let key = PublicKey(scheme: shown.request.scheme, bytes: account.publicKey),
            Signature.verify(signature, message: message, key: key)
        else { throw GroupSigningRefusal.selfCheck }
        return SignedTransaction(reviewed: shown.transaction, signature: signature, key: key)
    }

    // MARK: The log

    private func finishedEvent(
        _ finished: SignedTransaction?, _ shown: GroupSigningReview, _ context: CommitContext<Self>
    ) -> [LogEvent] {
        guard let finished else { return [] }
        return [
            LogEvent(
                .groupSigned,
                LogEvent.facts(of: shown) + [LogEvent.Fact("signature", Hex.encode(finished.signature))],
                payload: shown.transaction.payload, metadataHash: shown.transaction.metadataHash)
        ]
    }

    private func event(
        _ kind: LogEvent.Kind, _ shown: GroupSigningReview, _ context: CommitContext<Self>,
        _ more: [LogEvent.Fact]
    ) -> LogEvent {
        let summary = ReviewSummary(shown.transaction)
        var facts =
            LogEvent.facts(of: shown) + more + LogEvent.summary(of: shown.transaction)
            + LogEvent.facts(ofWarnings: summary)
        if context.consent == .person, let word = summary.word {
            facts.append(LogEvent.Fact("word", word.text))
        }
        if let provenance = shown.transaction.provenance { facts += LogEvent.facts(of: provenance) }
        facts += LogEvent.facts(ofProvedNetwork: shown.transaction)
        if context.isConfirmed { facts += LogEvent.facts(ofVouching: shown.transaction) }
        if let standing = context.standing, let rule = standing.rules.first {
            facts.append(LogEvent.Fact("approved_by", "policy rule \(rule)"))
            facts.append(LogEvent.Fact("policy", standing.policy.hex))
        }
        if let comment { facts.append(LogEvent.Fact("comment", comment)) }
        return LogEvent(
            kind, facts, payload: shown.transaction.payload, metadataHash: shown.transaction.metadataHash)
    }
}

/// A pair of nonces on its way from one commit to the share after it. It is taken once, and wiped with or
/// without that.
private final class UsedOnce {
    private var pair: NoncePair?

    init(_ pair: consuming NoncePair) { self.pair = consume pair }
    /// Not there yet.
    init() { pair = nil }

    func fill(from other: UsedOnce) { pair = other.take() }

    func take() -> NoncePair? { pair.take() }
}

extension LogEvent {
    /// What the log says of a request: the group, who signs, and the account.
    static func facts(of review: GroupSigningReview) -> [Fact] {
        var facts = [
            Fact("group", review.group.name), Fact("request", review.request.id.hex),
            Fact("signer", review.transaction.address),
            Fact("signers", review.signers.map(\.shownName).joined(separator: ", ")),
        ]
        if let name = review.transaction.shownNetwork { facts.append(Fact("network", name)) }
        return facts
    }
}

extension GroupCommitment {
    /// Message b7 of this machine.
    init(_ nonces: NonceCommitment, _ shown: GroupSigningReview, _ host: borrowing HostKey) throws {
        func message(_ signature: [UInt8]) -> GroupCommitment {
            GroupCommitment(
                scheme: shown.request.scheme, request: shown.request.id,
                nonces: GroupNonces(
                    index: shown.group.member, hiding: nonces.hiding, binding: nonces.binding,
                    signature: signature))
        }
        self = message(try host.sign(message([UInt8](repeating: 0, count: 64)).signedBytes))
    }
}

extension CommitContext {
    /// Lends the host key and the share of a group, which seed and record give each time, and the record.
    func withShare<R>(
        of group: HeldGroup,
        _ body: (borrowing HostKey, borrowing SigningShare, Threshold.GroupRecord) throws -> R
    ) throws -> R {
        let record = try group.recordMessage().checked()
        return try withHost(of: group.seed, index: group.hostIndex) { (host: borrowing HostKey) in
            let share: SigningShare
            do throws(ThresholdError) { share = try record.share(host: host) } catch {
                throw GroupRefusal.wrongShare
            }
            return try body(host, share, record)
        }
    }
}
