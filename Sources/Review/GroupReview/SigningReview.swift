import Cards
import GroupCollect
import Hashing
import Keys
import Review
import SubstratePrimitives
import Threshold
import TrustStore
import UOS

/// What this machine would do for a request, decided by what it has done before.
///
/// It contains everything that a share depends on: two equal steps have the same signers, commitments and
/// bytes.
public enum GroupSigningStep: Sendable, Equatable {
    /// Round one: nonces are drawn, and their commitment is shown.
    case offer
    /// Round one was done: the same commitment, message b7, is shown again. Its nonces are unused, so that is
    /// safe.
    case offerAgain(GroupCommitment)
    /// Round two with the nonces that wait; the entries of all signers, ascending. `others` are the shares of
    /// all others, where they are here: then the signature is finished.
    case share([GroupNonces], others: [GroupShare])
    /// Round two of the last signer: nonces are drawn, used and wiped at once; the entries of the others,
    /// ascending.
    case shareAtOnce([GroupNonces])
    /// Round two was done for exactly this: the same share is shown again.
    case shareAgain(GroupShare)
    /// Round two was done, and the shares of all others are here: the signature is finished without a key.
    case finish(own: GroupShare, others: [GroupShare])
}

/// A request of a group as this machine is asked about it: the transaction with all its cards, read with this
/// vault's own metadata, and what the group adds to it. Group, threshold, members and keys come from the
/// vault's own record, nothing from a message: whoever chooses the signers after the commitments controls the
/// signature.
public struct GroupSigningReview: Sendable {
    /// What asks for it.
    public let message: GroupMessage
    public let group: HeldGroup
    public let request: GroupRequest
    public let threshold: Int
    /// Who signs, as this vault knows them, ascending.
    public let signers: [MakingMember]
    /// How many members the group has.
    public let members: Int
    /// The group was made by dealing a whole key.
    public let isDealt: Bool
    public let transaction: ReviewedTransaction
    public let step: GroupSigningStep
    /// What other open requests of the group may still sign, and so have of the budgets.
    let reserved: [ReviewedTransaction]

    /// Whether a person who has seen one of them has seen the other.
    package func shows(the other: GroupSigningReview) -> Bool {
        group == other.group && request == other.request && signers == other.signers && step == other.step
            && transaction.shows(the: other.transaction)
    }
}

/// What a message about a signature brings. Cases of one shape, so that one review serves all of them.
public struct GroupSigningMessage: Sendable, Equatable {
    /// The message itself.
    let whole: GroupMessage
    /// The request, if the message carries it.
    public let request: GroupRequest?
    /// rid
    public let id: Hash32
    /// The scheme in the message's prelude. In a package nobody signs the prelude.
    let scheme: SignatureScheme
    let entries: [GroupNonces]
    let shares: [GroupShare]
    /// Whether it asks for round two, or brings it.
    let isPackage: Bool

    /// nil for messages that ask this machine for nothing.
    public init?(_ message: GroupMessage) {
        switch message {
        case .request(let request):
            self.init(
                message, request: request, id: request.id, scheme: request.scheme, entries: [], shares: [],
                isPackage: false)
        case .package(let package):
            self.init(
                message, request: package.request, id: package.requestID, scheme: package.scheme,
                entries: package.entries, shares: [], isPackage: true)
        case .share(let share):
            self.init(
                message, request: nil, id: share.request, scheme: share.scheme, entries: [share.nonces],
                shares: [share], isPackage: true)
        case .host, .proposal, .contribution, .contributions, .confirmation, .record, .commitment: return nil
        }
    }

    private init(
        _ whole: GroupMessage, request: GroupRequest?, id: Hash32, scheme: SignatureScheme,
        entries: [GroupNonces],
        shares: [GroupShare], isPackage: Bool
    ) {
        (self.whole, self.request, self.id, self.scheme, self.entries, self.shares, self.isPackage) = (
            whole, request, id, scheme, entries, shares, isPackage
        )
    }
}

extension ChainData {
    /// Reads a message about a signature.
    /// - `isLive`: whether the nonces of an offer are still there.
    /// - Throws: ``GroupSigningRefusal``, ``ReviewError``
    public func review(
        _ message: GroupSigningMessage,
        additions: TransactionReview.Additions = TransactionReview.Additions(),
        isLive: (Hash32) throws -> Bool
    ) throws -> GroupSigningReview {
        let spent = try spentRequest(message.id)
        let offer = state.groupOffer(message.id)
        guard let request = try message.request ?? Self.request(spent?.request ?? offer?.payload) else {
            throw GroupSigningRefusal.unknownRequest
        }
        // A package without its request says by this byte alone which group's it is.
        guard message.scheme == request.scheme else { throw GroupSigningRefusal.otherScheme }
        let group = try group(of: request)
        let recordMessage = try group.recordMessage()
        let record = try recordMessage.checked()
        try requireSigners(of: request, in: group, recordMessage.proposal)
        let account = try account(of: request, group, record)
        let names = recordMessage.proposal.members.enumerated().map {
            MakingMember($0.offset + 1, $0.element, state)
        }
        let signers = names.filter { request.signers.contains($0.index) }
        let live = try state.groupOffers.filter {
            try $0.group == group.transcript && $0.request != message.id && isLive($0.request)
        }
        let review = TransactionReview(self, additions: additions, signing: .member(of: group.transcript))
        let reserved = try transactions(of: live, additions)
        let all = try review.review(request.payload, reserving: reserved)
        guard all.count == 1, let transaction = all.first else {
            throw GroupSigningRefusal.otherAccount(group: group.name)
        }
        let run = Run(
            group: group, request: request, account: account, record: record, signers: signers,
            message: try SigningMessage.bytes(transaction, scheme: request.scheme))
        let step: GroupSigningStep =
            if let spent {
                try run.stepAfter(spent, message)
            } else if let offer {
                try run.stepAfter(offer, message, isLive: isLive(offer.request))
            } else {
                try run.firstStep(message, open: live.count)
            }
        return GroupSigningReview(
            message: message.whole, group: group, request: request,
            threshold: recordMessage.proposal.threshold, signers: signers,
            members: names.count,
            isDealt: state.isDealt(recordMessage.proposal) == true,
            transaction: Self.warned(transaction, step),
            step: step,
            reserved: reserved)
    }

    /// The rules that approve it; nil where it needs a person.
    public func standingApproval(of review: GroupSigningReview) throws -> StandingApproval? {
        try standingApproval(of: [review.transaction], reserving: review.reserved)
    }

    /// Why ``standingApproval(of:)`` gives none; nil where it gives one.
    public func personNeeded(for review: GroupSigningReview) throws -> PersonNeeded? {
        try personNeeded(for: [review.transaction], reserving: review.reserved)
    }

    private func group(of request: GroupRequest) throws -> HeldGroup {
        guard let key = PublicKey(scheme: request.scheme, bytes: request.groupKey),
            let transcript = state.key(key)?.group,
            state.key(key)?.path.utf8.isEmpty == true, let group = state.group(transcript)
        else { throw GroupSigningRefusal.unknownGroup }
        return group
    }

    private func requireSigners(of request: GroupRequest, in group: HeldGroup, _ proposal: GroupProposal)
        throws(GroupSigningRefusal)
    {
        guard request.signers.indices.allSatisfy({ $0 <= proposal.members.count }),
            request.signers.count >= proposal.threshold
        else {
            throw .signers(group: group.name)
        }
        guard request.signers.contains(group.member) else { throw .notASigner(group: group.name) }
    }

    private func account(
        of request: GroupRequest, _ group: HeldGroup, _ record: Threshold.GroupRecord
    ) throws(GroupSigningRefusal) -> GroupAccount {
        let account: GroupAccount
        do throws(GroupCollectError) { account = try request.account(in: record) } catch {
            throw .otherAccount(group: group.name)
        }
        guard let key = PublicKey(scheme: request.scheme, bytes: account.publicKey),
            state.key(key)?.group == group.transcript
        else {
            throw .accountNotDerived(group: group.name, path: request.path)
        }
        return account
    }

    /// Two rounds take minutes to days, and a transaction with a short life is dead before its last share.
    private static func warned(_ transaction: ReviewedTransaction, _ step: GroupSigningStep)
        -> ReviewedTransaction
    {
        switch step {
        case .shareAgain, .finish: transaction
        case .offer, .offerAgain, .share, .shareAtOnce:
            transaction.isShortLived ? transaction.warning(of: .shortEraForGroup) : transaction
        }
    }
}

extension ReviewedTransaction {
    /// Blocks; a shorter era hardly outlives the collecting of shares.
    static let shortestGroupEra: UInt32 = 1024

    fileprivate var isShortLived: Bool {
        guard case .mortal(let era)? = decoded?.facts.era else { return false }
        return era.period < Self.shortestGroupEra
    }
}

/// One request and who signs it, while its next step is decided.
private struct Run {
    let group: HeldGroup
    let request: GroupRequest
    let account: GroupAccount
    let record: Threshold.GroupRecord
    let signers: [MakingMember]
    /// What everybody signs.
    let message: [UInt8]

    private var others: [MakingMember] { signers.filter { $0.index != group.member } }

    private func name(_ index: Int) -> String {
        signers.first { $0.index == index }?.shownName ?? String(index)
    }

    /// Nothing was done for this request yet.
    func firstStep(_ message: GroupSigningMessage, open: Int) throws -> GroupSigningStep {
        let entries = try checked(message)
        // A commitment of this machine that no row knows is from before a backup was restored. Its nonces, if
        // anybody has them, are not here.
        guard !entries.contains(where: { $0.index == group.member }) else {
            throw GroupSigningRefusal.noncesGone
        }
        let missing = others.filter { other in !entries.contains { $0.index == other.index } }
        guard message.isPackage, missing.isEmpty else {
            guard open < GroupOffer.maximumOpen else {
                throw GroupSigningRefusal.tooManyOpen(group: group.name)
            }
            return .offer
        }
        // No share can exist for this package, because it does not have this machine's commitment.
        guard message.shares.isEmpty else { throw GroupSigningRefusal.noncesGone }
        return .shareAtOnce(entries)
    }

    /// Round one was done.
    func stepAfter(_ offer: GroupOffer, _ message: GroupSigningMessage, isLive: Bool) throws
        -> GroupSigningStep
    {
        guard case .group(.commitment(let own)) = try Payload(offer.commitment).content else {
            throw GroupSigningRefusal.noncesBroken
        }
        guard isLive else { throw GroupSigningRefusal.noncesGone }
        guard message.isPackage else { return .offerAgain(own) }
        var entries = try checked(message)
        if let entry = entries.first(where: { $0.index == group.member }) {
            guard (entry.hiding, entry.binding) == (own.nonces.hiding, own.nonces.binding) else {
                throw GroupSigningRefusal.ownEntryDiffers
            }
        } else {
            entries.append(own.nonces)
        }
        let missing = others.filter { other in !entries.contains { $0.index == other.index } }
        guard missing.isEmpty else { throw GroupSigningRefusal.commitmentsMissing(missing.map(\.shownName)) }
        entries.sort { $0.index < $1.index }
        let package = try package(entries)
        return .share(
            entries,
            others: try checked(message.shares, for: GroupPackage.hash(request: request.id, entries), package)
        )
    }

    /// Round two was done, or the request was dropped.
    func stepAfter(_ spent: SpentRequest, _ message: GroupSigningMessage) throws -> GroupSigningStep {
        guard let hash = spent.packageHash else { throw GroupSigningRefusal.dropped }
        // Its nonces are gone, and the share that was made of them may have been read from somewhere: there
        // is no second one, not even for this package.
        guard !spent.share.isEmpty, case .group(.share(let own)) = try Payload(spent.share).content else {
            throw GroupSigningRefusal.ended
        }
        guard message.isPackage else { throw GroupSigningRefusal.spent }
        if message.shares.isEmpty {
            var entries = try checked(message)
            if !entries.contains(where: { $0.index == group.member }) { entries.append(own.nonces) }
            entries.sort { $0.index < $1.index }
            guard GroupPackage.hash(request: request.id, entries) == hash else {
                throw GroupSigningRefusal.spent
            }
            return .shareAgain(own)
        }
        let entries = (try checked(message) + [own.nonces]).sorted { $0.index < $1.index }
        try requireAllShares(message.shares + [own])
        let package = try package(entries)
        return .finish(own: own, others: try checked(message.shares, for: hash, package))
    }

    /// The commitments of a message, ascending. Each must be a signer's, signed with the member's host key,
    /// and a point of the group. An invalid point is refused before the question: after a yes, the last
    /// signer could not use the request again, and the history would have a signature that was never made.
    private func checked(_ message: GroupSigningMessage) throws -> [GroupNonces] {
        let strangers = message.entries.filter { !request.signers.contains($0.index) }
        guard strangers.isEmpty else { throw GroupSigningRefusal.signers(group: group.name) }
        let wrong = message.entries.filter { entry in
            let commitment = GroupCommitment(scheme: request.scheme, request: message.id, nonces: entry)
            return !record.generation.members[entry.index - 1].verify(
                entry.signature, message: commitment.signedBytes)
                || !NonceCommitment(entry).isValid(for: account)
        }
        guard wrong.isEmpty else { throw GroupSigningRefusal.entry(wrong.map { name($0.index) }) }
        return message.entries.sorted { $0.index < $1.index }
    }

    private func package(_ entries: [GroupNonces]) throws -> SigningPackage {
        try SigningPackage(account, message, entries) { name($0) }
    }

    private func requireAllShares(_ shares: [GroupShare]) throws(GroupSigningRefusal) {
        let missing = signers.filter { signer in !shares.contains { $0.nonces.index == signer.index } }
        guard missing.isEmpty else { throw .sharesMissing(missing.map(\.shownName)) }
    }

    /// The shares of the others: signed by them, for exactly these commitments, and valid. Either none, or
    /// one of each other signer.
    private func checked(_ shares: [GroupShare], for hash: Hash32, _ package: SigningPackage) throws
        -> [GroupShare]
    {
        guard !shares.isEmpty else { return [] }
        let missing = others.filter { other in !shares.contains { $0.nonces.index == other.index } }
        guard missing.isEmpty else { throw GroupSigningRefusal.sharesMissing(missing.map(\.shownName)) }
        for share in shares {
            let name = name(share.nonces.index)
            guard share.nonces.index != group.member,
                record.generation.members[share.nonces.index - 1].verify(
                    share.signature, message: share.signedBytes)
            else { throw GroupSigningRefusal.shareSignature(name) }
            guard share.packageHash == hash else { throw GroupSigningRefusal.otherPackage(name) }
            guard package.isValid(share.share, of: Identifier(share.nonces.index)) else {
                throw GroupSigningRefusal.share(name)
            }
        }
        return shares
    }
}

extension SigningPackage {
    /// The package of these entries.
    /// - Parameter name: of a member, for the refusal.
    /// - Throws: ``GroupSigningRefusal/entry(_:)``
    public init(_ account: GroupAccount, _ message: [UInt8], _ entries: [GroupNonces], name: (Int) -> String)
        throws(GroupSigningRefusal)
    {
        do throws(ThresholdError) {
            try self.init(
                account, message: message, commitments: entries.map { NonceCommitment($0) })
        } catch {
            guard case .badCommitment(let index) = error else { throw .entry(entries.map { name($0.index) }) }
            throw .entry([name(index)])
        }
    }
}

extension TrustState {
    /// The open request with this id in hex, with these eight words, or with this first word where no other
    /// has it.
    /// - Throws: ``GroupSigningRefusal/noSuchOffer(_:)``
    public func groupOffer(named name: String) throws(GroupSigningRefusal) -> GroupOffer {
        let found = groupOffers.filter { offer in
            let words = GroupWords.words(of: offer.request.bytes)
            return offer.request.hex.utf8Equals(name) || words.joined(separator: " ").utf8Equals(name)
                || words[0].utf8Equals(name)
        }
        guard found.count == 1 else { throw .noSuchOffer(name) }
        return found[0]
    }
}

extension GroupRequest {
    /// A request around an ordinary payload for an account of a group of this vault.
    /// - Parameters:
    ///   - signers: members, separated by commas: each by its name in this vault, its name in the proposal,
    ///     or its number.
    ///   - path: the account's path; nil for the path that the vault has for the account.
    /// - Throws: ``GroupSigningRefusal``, `GroupCollectError`, `GroupFailure`
    public init(asking payload: Payload, signers: String, path: String?, in state: TrustState) throws {
        guard let account = payload.askedAccount, let scheme = payload.prelude.scheme,
            let key = PublicKey(scheme: scheme, bytes: account),
            let record = state.key(key), let transcript = record.group, let group = state.group(transcript)
        else { throw GroupSigningRefusal.unknownGroup }
        let recordMessage = try group.recordMessage()
        // A host contact's own name stands on this vault's screens, so it may stand here, too.
        let members = recordMessage.proposal.members.enumerated().map {
            MakingMember($0.offset + 1, $0.element, state)
        }
        self = try GroupRequest.make(
            payload, record: recordMessage, signers: signers,
            called: members.map { (here: $0.shownName, proposed: $0.proposedName) },
            path: path ?? record.path)
    }
}

extension Payload {
    /// The public key that a payload of a request asks; nil for other payloads.
    var askedAccount: [UInt8]? {
        switch signable {
        case .transaction(let transaction): transaction.signer.publicKey
        case .message(let message): message.signer.publicKey
        case .bulk, nil: nil
        }
    }
}

extension SignerReference {
    fileprivate var publicKey: [UInt8]? {
        switch self {
        case .key(let key): key.bytes
        case .ethereum, .derived: nil
        }
    }
}
