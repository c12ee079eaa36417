import GroupCollect
import Hashing
import Keys
import Review
import SubstratePrimitives
import Threshold
import TrustStore
import UOS

/// Signs as a member of a group: round one, round two, or the end of a signature, whichever a message asks for.
///
/// A secret share falls out of two shares that were made with one pair of nonces. So the nonces of a request are drawn once; they wait in memory, not in the
/// vault's folder; they leave it before a share is made of them; and the commit that spends the request stands before the share exists for a caller. It is
/// conditional on everything that was shown, the open offer among it: of two programs that race, one gets nothing.
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
        _ message: GroupMessage, additions: TransactionReview.Additions = TransactionReview.Additions(), comment: String? = nil
    ) {
        guard let asked = GroupSigningMessage(message) else { return nil }
        self.message = message
        self.asked = asked
        self.additions = additions
        self.comment = comment
    }

    public var automation: Automation { .policyOrDevelopmentVault }

    /// - Throws: `GroupSigningRefusal`, `ReviewError`, ``KeyRefusal/addressNotCompared(_:)``
    public func preview(_ view: VaultView) throws -> GroupSigningReview {
        let review = try view.chain.review(asked, additions: additions, isLive: view.isLive)
        try view.trust.requireCompared(review.group)
        return review
    }

    public func isSame(_ one: GroupSigningReview, _ other: GroupSigningReview) -> Bool { one.shows(the: other) }

    /// - Throws: `ReviewError`, the reason why the transaction is shown only.
    public func requireAllowed(_ shown: GroupSigningReview) throws { if let refusal = shown.transaction.refusal { throw refusal } }

    public func standingApproval(of shown: GroupSigningReview, _ view: VaultView) throws -> StandingApproval? {
        try view.chain.standingApproval(of: shown)
    }

    public func personNeeded(for shown: GroupSigningReview, _ view: VaultView) throws -> PersonNeeded? {
        try view.chain.personNeeded(for: shown)
    }

    public func refusalEvent(_ reason: LogReason, _ shown: GroupSigningReview?) -> LogEvent? { .refusal(of: message, reason: reason) }

    public func perform(_ shown: GroupSigningReview, at bench: Workbench<Self>) throws -> Work<Result> {
        switch shown.step {
        case .offer: try offer(shown, bench)
        // Both were stored before they were shown for the first time.
        case .offerAgain(let own): Work(Result(answer: .commitment(own.bytes), signed: nil), events: [])
        case .shareAgain(let own): Work(Result(answer: .share(own.bytes), signed: nil), events: [])
        case .share(let entries, let others): try share(shown, entries, others, bench)
        case .shareAtOnce(let others): try shareAtOnce(shown, others, bench)
        case .finish(let own, let others): try finish(shown, own, others, bench)
        }
    }

    // MARK: Round one

    /// Nonces are drawn and wait in memory, then the row is committed, then the commitment is shown.
    private func offer(_ shown: GroupSigningReview, _ bench: Workbench<Self>) throws -> Work<Result> {
        let id = shown.request.id
        let nonces = bench.session.device.nonces
        let (commitment, box) = try bench.withShare(of: shown.group) { (host: borrowing HostKey, share: borrowing SigningShare, record) in
            let account = try shown.request.account(in: record)
            let pair = try NoncePair.draw(share, for: account, suffix: NonceSuffix(requestID: id.bytes, others: []))
            let commitment = try GroupCommitment(pair.commitment, shown, host)
            return (commitment, SealedNonces.seal(pair.exportSecret(), for: id, bench.session))
        }
        // What waits without a row was never shown: an act before this one ended between the two.
        try nonces.wipe(id, of: bench.session.vault.id)
        try nonces.keep(box, for: id, of: bench.session.vault.id)
        let row = GroupOffer(
            request: id, group: shown.group.transcript, payload: shown.request.bytes, commitment: commitment.bytes, time: bench.now)
        return Work(
            Result(answer: .commitment(commitment.bytes), signed: nil), [.addGroupOffer(row)],
            events: [event(.groupOffered, shown, bench, [])])
    }

    // MARK: Round two

    private func share(
        _ shown: GroupSigningReview, _ entries: [GroupNonces], _ others: [GroupShare], _ bench: Workbench<Self>
    ) throws -> Work<Result> {
        let (id, vault, keeper) = (shown.request.id, bench.session.vault.id, bench.session.device.nonces)
        let (own, box) = try bench.withShare(of: shown.group) { (host: borrowing HostKey, share: borrowing SigningShare, record) in
            let account = try shown.request.account(in: record)
            // Before the share, not after its commit: a program that ends between the two would leave nonces whose share is out to whoever
            // puts an older copy of the vault's folder back.
            guard let box = try keeper.take(id, of: vault) else { throw GroupSigningRefusal.noncesGone }
            guard let secret = SealedNonces.open(box, for: id, bench.session) else { throw GroupSigningRefusal.noncesBroken }
            let pair = try Self.restored(secret, share.member, account)
            guard let entry = entries.first(where: { $0.index == shown.group.member }),
                (entry.hiding, entry.binding) == (pair.commitment.hiding, pair.commitment.binding)
            else { throw GroupSigningRefusal.noncesBroken }
            return (try signed(shown, entries, account, share, pair, entry, host), box)
        }
        return try spent(shown, own, others, [.removeGroupOffer(request: id)], bench) { try? keeper.keep(box, for: id, of: vault) }
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

    /// Nothing of the nonces is kept. Their suffix has the commitments of all others, so that a random source which repeats itself after a rollback gives
    /// the same nonces for the same package only, where they give the same share.
    private func shareAtOnce(_ shown: GroupSigningReview, _ others: [GroupNonces], _ bench: Workbench<Self>) throws -> Work<Result> {
        let id = shown.request.id
        let known = others.map { NonceCommitment(member: Identifier($0.index), hiding: $0.hiding, binding: $0.binding) }
        let own = try bench.withShare(of: shown.group) { (host: borrowing HostKey, share: borrowing SigningShare, record) in
            let account = try shown.request.account(in: record)
            let pair = try NoncePair.draw(share, for: account, suffix: NonceSuffix(requestID: id.bytes, others: known))
            let entry = try GroupCommitment(pair.commitment, shown, host).nonces
            return try signed(shown, (others + [entry]).sorted { $0.index < $1.index }, account, share, pair, entry, host)
        }
        return try spent(shown, own, [], [], bench)
    }

    private func signed(
        _ shown: GroupSigningReview, _ entries: [GroupNonces], _ account: GroupAccount, _ share: borrowing SigningShare,
        _ pair: consuming NoncePair, _ own: GroupNonces, _ host: borrowing HostKey
    ) throws -> GroupShare {
        let request = shown.request
        let message = try SigningMessage.bytes(shown.transaction, scheme: request.scheme)
        let package = try SigningPackage(account, message, entries) { index in
            shown.signers.first { $0.index == index }?.shownName ?? String(index)
        }
        let value: [UInt8]
        do throws(ThresholdError) {
            value = try package.sign(share, nonces: pair)
        } catch {
            guard case .otherNonces = error else { throw GroupSigningRefusal.selfCheck }
            throw GroupSigningRefusal.noncesBroken
        }
        func answer(_ signature: [UInt8]) -> GroupShare {
            GroupShare(
                scheme: request.scheme, request: request.id, nonces: own, packageHash: GroupPackage.hash(request: request.id, entries),
                share: value, signature: signature)
        }
        return answer(try host.sign(answer([UInt8](repeating: 0, count: 64)).signedBytes))
    }

    /// The one commit that spends the request: with it come the history, the budgets and the log.
    /// - Parameter undo: puts the nonces back after a commit that did not happen. The share stayed in this program, so they are unused.
    private func spent(
        _ shown: GroupSigningReview, _ own: GroupShare, _ others: [GroupShare], _ changes: [TrustChange], _ bench: Workbench<Self>,
        undo: @escaping () -> Void = {}
    ) throws -> Work<Result> {
        let id = shown.request.id
        let chain = bench.view.chain
        let accounts = [(reviewed: shown.transaction, signer: Optional(shown.request.account))]
        let row = SpentRequest(
            group: shown.group.transcript, request: shown.request.bytes, packageHash: own.packageHash, share: own.bytes, time: bench.now)
        let rows = try chain.historyRows(of: accounts) + chain.budgetRows(of: accounts, rules: bench.standing?.rules) + [row.row(id)]
        let finished = others.isEmpty ? nil : try Self.finished(shown, own, others)
        var changes = changes
        if let key = shown.transaction.key { changes.append(.markUsed(key.publicKey, time: bench.now)) }
        return Work(
            Result(answer: .share(own.bytes), signed: finished), changes,
            events: [event(.groupShared, shown, bench, [LogEvent.Fact("package_hash", own.packageHash.hex)])]
                + finishedEvent(finished, shown, bench),
            history: HistoryWrite(rows), undo: undo)
    }

    // MARK: The signature

    private func finish(
        _ shown: GroupSigningReview, _ own: GroupShare, _ others: [GroupShare], _ bench: Workbench<Self>
    ) throws -> Work<Result> {
        let finished = try Self.finished(shown, own, others)
        return Work(Result(answer: .share(own.bytes), signed: finished), events: finishedEvent(finished, shown, bench))
    }

    /// The signature of all shares, verified as everyone verifies it.
    private static func finished(_ shown: GroupSigningReview, _ own: GroupShare, _ others: [GroupShare]) throws -> SignedTransaction {
        let record = try shown.group.recordMessage().checked()
        let account = try shown.request.account(in: record)
        let message = try SigningMessage.bytes(shown.transaction, scheme: shown.request.scheme)
        let all = (others + [own]).sorted { $0.nonces.index < $1.nonces.index }
        let package = try SigningPackage(account, message, all.map(\.nonces)) { index in
            shown.signers.first { $0.index == index }?.shownName ?? String(index)
        }
        let values = Dictionary(all.map { (Identifier($0.nonces.index), $0.share) }, uniquingKeysWith: { first, _ in first })
        guard let signature = try? package.aggregate(values), let key = PublicKey(scheme: shown.request.scheme, bytes: account.publicKey),
            Signature.verify(signature, message: message, key: key)
        else { throw GroupSigningRefusal.selfCheck }
        return SignedTransaction(reviewed: shown.transaction, signature: signature, key: key)
    }

    // MARK: The log

    private func finishedEvent(_ finished: SignedTransaction?, _ shown: GroupSigningReview, _ bench: Workbench<Self>) -> [LogEvent] {
        guard let finished else { return [] }
        return [
            LogEvent(
                .groupSigned, LogEvent.facts(of: shown) + [LogEvent.Fact("signature", Hex.encode(finished.signature))],
                payload: shown.transaction.payload, metadataHash: shown.transaction.metadataHash)
        ]
    }

    private func event(
        _ kind: LogEvent.Kind, _ shown: GroupSigningReview, _ bench: Workbench<Self>, _ more: [LogEvent.Fact]
    ) -> LogEvent {
        let summary = ReviewSummary(shown.transaction)
        var facts = LogEvent.facts(of: shown) + more + LogEvent.summary(of: shown.transaction) + LogEvent.facts(ofWarnings: summary)
        if bench.consent == .person, let word = summary.word { facts.append(LogEvent.Fact("word", word.text)) }
        if let ground = shown.transaction.ground { facts += LogEvent.facts(of: ground) }
        if let standing = bench.standing, let rule = standing.rules.first {
            facts.append(LogEvent.Fact("approved_by", "policy rule \(rule)"))
            facts.append(LogEvent.Fact("policy", standing.policy.hex))
        }
        if let comment { facts.append(LogEvent.Fact("comment", comment)) }
        return LogEvent(kind, facts, payload: shown.transaction.payload, metadataHash: shown.transaction.metadataHash)
    }
}

extension LogEvent {
    /// What the log says of a request: the group, who signs, and the account.
    static func facts(of review: GroupSigningReview) -> [Fact] {
        var facts = [
            Fact("group", review.group.name), Fact("request", review.request.id.hex), Fact("signer", review.transaction.address),
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
                    index: shown.group.member, hiding: nonces.hiding, binding: nonces.binding, signature: signature))
        }
        self = message(try host.sign(message([UInt8](repeating: 0, count: 64)).signedBytes))
    }
}

extension Workbench {
    /// Lends the host key and the share of a group, which seed and record give each time, and the record.
    func withShare<R>(
        of group: HeldGroup, _ body: (borrowing HostKey, borrowing SigningShare, Threshold.GroupRecord) throws -> R
    ) throws -> R {
        let record = try group.recordMessage().checked()
        return try withHost(of: group.seed, index: group.hostIndex) { (host: borrowing HostKey) in
            let share: SigningShare
            do throws(ThresholdError) { share = try record.share(host: host) } catch { throw GroupRefusal.wrongShare }
            return try body(host, share, record)
        }
    }
}
