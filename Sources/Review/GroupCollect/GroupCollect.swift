import Extrinsics
import Keys
import Metadata
import SCALE
import SubstratePrimitives
import Threshold
import UOS

/// The coordinator's work: puts the messages of members together, on any machine and without a key.
///
/// b1 and all b2 make b3; b1, b3 (or the b2) and all b4 make b5; b5, b6 and b7 make b8; b5, b6 and all b9
/// make the signature. A reshare also needs the b5 of the old group, beside its b1. Messages come in any
/// order, and any of them may come twice. A coordinator can stop a run, and sees everything but the shares;
/// it cannot change what is signed, because every member checks what it is shown. What is checked here finds
/// out early whose message is wrong: nothing is repaired and nobody is passed over.
public enum GroupCollect {
    /// Puts the messages together.
    /// - Throws: ``GroupCollectError``
    public static func collect(_ messages: [GroupMessage]) throws(GroupCollectError) -> GroupProgress {
        let sorted = try SortedMessages(messages)
        if sorted.isSigning {
            guard !sorted.isMaking else { throw .twoPurposes }
            return try signing(sorted)
        }
        guard sorted.isMaking else { throw .nothing }
        return try making(sorted)
    }

    // MARK: A new group

    private static func making(_ messages: SortedMessages) throws(GroupCollectError) -> GroupProgress {
        guard let proposal = messages.proposal else { throw .proposalMissing }
        let old = try messages.oldRecord(of: proposal)
        let generation = try KeyGeneration(of: proposal, old: old)
        // Contributors to a reshare have the names and numbers of the old group.
        let contributors = old?.proposal ?? proposal
        let contributions = try contributions(messages, proposal, generation, named: contributors)
        let here = contributions.map(\.index)
        guard here == proposal.contributors else {
            return GroupProgress(
                .contributions, of: contributors, needed: proposal.contributors, here: here, output: .nothing)
        }
        let record: Threshold.GroupRecord
        let bundle: GroupContributions
        do {
            record = try generation.combine(contributions.map { try $0.signed(in: proposal) })
            bundle = try GroupContributions(contributions, to: proposal)
        } catch ThresholdError.contributions(let faults) {
            throw .contribution(members: faults.map { contributors.name(of: $0.index) })
        } catch {
            // Sizes and numbers were checked, so only the sum is left to be wrong.
            throw .contribution(members: proposal.contributors.map { contributors.name(of: $0) })
        }
        let confirmations = try confirmations(messages, proposal, generation, record)
        let all = Array(1...proposal.members.count)
        if confirmations.isEmpty {
            return GroupProgress(
                .contributions, of: contributors, needed: proposal.contributors, here: here,
                output: .message(.contributions(bundle)))
        }
        guard confirmations.count == all.count else {
            return GroupProgress(
                .confirmations, of: proposal, needed: all, here: confirmations.map(\.index), output: .nothing)
        }
        guard let hash = Hash32(record.contributionsHash),
            let recordMessage = try? UOS.GroupRecord(
                proposal: proposal, contributionsHash: hash, commitments: record.key.commitments,
                ephemerals: record.ephemerals,
                shares: record.encryptedSums, signatures: confirmations.map(\.signature))
        else { throw .record(members: []) }
        // What goes out is read once more as every member will read it.
        _ = try recordMessage.checked()
        return GroupProgress(
            .confirmations, of: proposal, needed: all, here: all, output: .message(.record(recordMessage)))
    }

    /// The contributions that are here, each once, in ascending order. Host signatures are checked first:
    /// without a valid one, a contribution may have been changed on its way, and its member must not be
    /// blamed.
    private static func contributions(
        _ messages: SortedMessages, _ proposal: GroupProposal, _ generation: KeyGeneration,
        named contributors: GroupProposal
    ) throws(GroupCollectError) -> [GroupContribution] {
        let all = messages.contributions
        func isSigned(_ one: GroupContribution) -> Bool {
            guard let key = generation.contributorKey(one.index) else { return false }
            return key.verify(one.signature, message: one.signedBytes)
        }
        let strangers = all.filter { $0.session != proposal.session || $0.scheme != proposal.scheme }
        try refuse(strangers, .groupContribution, contributors, index: \.index, isSigned: isSigned)
        let wrong = all.filter { !isSigned($0) }
        guard wrong.isEmpty else {
            throw .hostSignature(
                kind: PayloadCode.groupContribution.kind, members: names(wrong.map(\.index), contributors))
        }
        let misshapen = all.filter { (try? $0.parts(in: proposal)) == nil }
        guard misshapen.isEmpty else {
            throw .contribution(members: names(misshapen.map(\.index), contributors))
        }
        return try once(all, contributors, kind: .groupContribution, index: \.index) {
            $0.signedBytes == $1.signedBytes
        }
    }

    private static func confirmations(
        _ messages: SortedMessages, _ proposal: GroupProposal, _ generation: KeyGeneration,
        _ record: Threshold.GroupRecord
    ) throws(GroupCollectError) -> [GroupConfirmation] {
        let all = messages.confirmations
        func isSigned(_ one: GroupConfirmation) -> Bool {
            generation.members.indices.contains(one.index - 1)
                && generation.members[one.index - 1].verify(one.signature, message: one.signedBytes)
        }
        let strangers = all.filter { $0.session != proposal.session || $0.scheme != proposal.scheme }
        try refuse(strangers, .groupConfirmation, proposal, index: \.index, isSigned: isSigned)
        let wrong = all.filter { !isSigned($0) }
        guard wrong.isEmpty else {
            throw .hostSignature(
                kind: PayloadCode.groupConfirmation.kind, members: names(wrong.map(\.index), proposal))
        }
        // The member signed another transcript or key, so it was shown another bundle.
        let other = all.filter {
            $0.transcript.bytes != record.transcript || $0.groupKey != record.key.commitments[0]
        }
        guard other.isEmpty else { throw .confirmation(members: names(other.map(\.index), proposal)) }
        return try once(all, proposal, kind: .groupConfirmation, index: \.index) {
            $0.signedBytes == $1.signedBytes
        }
    }

    // MARK: A signature

    private static func signing(_ messages: SortedMessages) throws(GroupCollectError) -> GroupProgress {
        guard let recordMessage = messages.records.first else { throw .recordMissing }
        let proposal = recordMessage.proposal
        let record = try recordMessage.checked()
        // Check each record by itself, and then compare it with the first. A broken record beside a good one
        // is reported in either order.
        for other in messages.records.dropFirst() {
            _ = try other.checked()
            guard other.transcript == recordMessage.transcript else { throw .severalRuns }
        }
        guard let request = messages.request else { throw .requestMissing }
        let account = try request.account(in: record)
        guard request.signers.indices.allSatisfy({ $0 <= proposal.members.count }),
            request.signers.count >= proposal.threshold
        else {
            throw .signers
        }
        let message = try request.signedMessage()
        let commitments = try commitments(messages, request, account, proposal, record)
        let signers = request.signers.indices
        let shares = try shares(messages, proposal, record)
        // A package that misses only one signer's commitment is complete for that signer, who answers it at
        // once with a share. Any other incomplete package is useless. So is one with a commitment that
        // already has a share: its nonces are spent, and there is no second share.
        let isForLast = commitments.count == signers.count - 1 && shares.isEmpty
        guard commitments.count == signers.count || isForLast else {
            let (stage, here): (GroupProgress.Stage, [Int]) =
                shares.isEmpty
                ? (.commitments, commitments.map(\.nonces.index)) : (.shares, shares.map(\.nonces.index))
            return GroupProgress(stage, of: proposal, needed: signers, here: here, output: .nothing)
        }
        guard
            let package = try? GroupPackage(
                scheme: request.scheme, requestID: request.id, entries: commitments.map(\.nonces),
                request: request)
        else { throw .signers }
        guard !isForLast else {
            return GroupProgress(
                .commitments, of: proposal, needed: signers, here: commitments.map(\.nonces.index),
                output: .message(.package(package)))
        }
        let signing: SigningPackage
        do {
            signing = try SigningPackage(
                account, message: message, commitments: commitments.map { NonceCommitment($0.nonces) })
        } catch {
            // Each is a point, so only their sum is left to be wrong.
            throw .commitment(members: signers.map { proposal.name(of: $0) })
        }
        if shares.isEmpty {
            return GroupProgress(
                .commitments, of: proposal, needed: signers, here: signers,
                output: .message(.package(package)))
        }
        // A share for other commitments does not belong to this package, and its nonces are spent.
        let other = shares.filter { $0.packageHash != package.hash }
        guard other.isEmpty else { throw .package(members: names(other.map(\.nonces.index), proposal)) }
        let wrong = shares.filter { !signing.isValid($0.share, of: Identifier($0.nonces.index)) }
        guard wrong.isEmpty else { throw .share(members: names(wrong.map(\.nonces.index), proposal)) }
        guard shares.count == signers.count else {
            return GroupProgress(
                .shares, of: proposal, needed: signers, here: shares.map(\.nonces.index), output: .nothing)
        }
        let values = Dictionary(uniqueKeysWithValues: shares.map { (Identifier($0.nonces.index), $0.share) })
        guard let signature = try? signing.aggregate(values) else {
            throw .share(members: signers.map { proposal.name(of: $0) })
        }
        return GroupProgress(
            .shares, of: proposal, needed: signers, here: signers,
            output: .signature(request.answer(signature)))
    }

    /// The commitments of b7, of the entries of b8 and of b9, each once, ascending.
    private static func commitments(
        _ messages: SortedMessages, _ request: GroupRequest, _ account: GroupAccount,
        _ proposal: GroupProposal, _ record: Threshold.GroupRecord
    ) throws(GroupCollectError) -> [GroupCommitment] {
        let all = messages.commitments
        let id = request.id
        func isSigned(_ one: GroupCommitment) -> Bool {
            record.generation.members.indices.contains(one.nonces.index - 1)
                && record.generation.members[one.nonces.index - 1].verify(
                    one.nonces.signature, message: one.signedBytes)
        }
        let strangers = all.filter { $0.request != id || $0.scheme != request.scheme }
        try refuse(strangers, .groupCommitment, proposal, index: \.nonces.index, isSigned: isSigned)
        let notAsked = all.map(\.nonces.index).filter { !request.signers.contains($0) }
        guard notAsked.isEmpty else { throw .notAsked(members: names(notAsked, proposal)) }
        let wrong = all.filter { !isSigned($0) }
        guard wrong.isEmpty else {
            throw .hostSignature(
                kind: PayloadCode.groupCommitment.kind, members: names(wrong.map(\.nonces.index), proposal))
        }
        // Also of a package for the last signer, which is put together without the mathematics.
        let noPoints = all.filter { !NonceCommitment($0.nonces).isValid(for: account) }
        guard noPoints.isEmpty else {
            throw .commitment(members: names(noPoints.map(\.nonces.index), proposal))
        }
        return try once(all, proposal, kind: .groupCommitment, index: \.nonces.index) {
            $0.signedBytes == $1.signedBytes
        }
    }

    /// Those that are here, each once, ascending. Their commitments were checked, so each is of a signer.
    private static func shares(
        _ messages: SortedMessages, _ proposal: GroupProposal, _ record: Threshold.GroupRecord
    ) throws(GroupCollectError) -> [GroupShare] {
        let all = messages.shares
        let wrong = all.filter {
            !record.generation.members[$0.nonces.index - 1].verify($0.signature, message: $0.signedBytes)
        }
        guard wrong.isEmpty else {
            throw .hostSignature(
                kind: PayloadCode.groupShare.kind, members: names(wrong.map(\.nonces.index), proposal))
        }
        return try once(all, proposal, kind: .groupShare, index: \.nonces.index) {
            $0.share == $1.share && $0.packageHash == $1.packageHash
        }
    }

    // MARK: Parts

    private static func names(_ indices: [Int], _ proposal: GroupProposal) -> [String] {
        Set(indices).sorted().map { proposal.name(of: $0) }
    }

    /// Refuses messages of another session or request. A sender is named only if the message is signed with
    /// the sender's host key: then it was sent for something else before, and the coordinator knows whom to
    /// ask. Anyone can change the number in an unsigned message.
    private static func refuse<Message>(
        _ strangers: [Message], _ kind: PayloadCode, _ proposal: GroupProposal, index: (Message) -> Int,
        isSigned: (Message) -> Bool
    ) throws(GroupCollectError) {
        guard !strangers.isEmpty else { return }
        let signed = strangers.filter(isSigned)
        throw signed.isEmpty
            ? .severalRuns : .otherRun(kind: kind.kind, members: names(signed.map(index), proposal))
    }

    /// One message of each member, ascending. A message may come twice; two that say different things, both
    /// signed, prove that the member cheats or was restored from a backup. Signatures are randomised, so what
    /// they cover is compared.
    private static func once<Message>(
        _ messages: [Message], _ proposal: GroupProposal, kind: PayloadCode, index: (Message) -> Int,
        same: (Message, Message) -> Bool
    ) throws(GroupCollectError) -> [Message] {
        var found: [Int: Message] = [:]
        for message in messages {
            guard let earlier = found[index(message)] else {
                found[index(message)] = message
                continue
            }
            guard same(earlier, message) else {
                throw .contradiction(kind: kind.kind, member: proposal.name(of: index(message)))
            }
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }
}

/// The messages sorted by kind. Copies of the same proposal or request count once. Several records are kept
/// if they differ only in their signatures, because only a check of each shows which is right.
private struct SortedMessages {
    private(set) var proposal: GroupProposal?
    private(set) var contributions: [GroupContribution] = []
    private(set) var confirmations: [GroupConfirmation] = []
    private(set) var records: [UOS.GroupRecord] = []
    private(set) var request: GroupRequest?
    private(set) var commitments: [GroupCommitment] = []
    private(set) var shares: [GroupShare] = []

    init(_ messages: [GroupMessage]) throws(GroupCollectError) {
        guard !messages.isEmpty else { throw .nothing }
        for message in messages {
            switch message {
            case .host: throw .unexpected(kind: message.code.kind)
            case .proposal(let next):
                guard proposal == nil || proposal == next else { throw .severalRuns }
                proposal = next
            case .contribution(let next): contributions.append(next)
            case .contributions(let bundle): contributions += bundle.contributions
            case .confirmation(let next): confirmations.append(next)
            case .record(let next):
                if !records.contains(where: { $0.bytes == next.bytes }) { records.append(next) }
            case .request(let next): try add(next)
            case .commitment(let next): commitments.append(next)
            case .package(let package):
                commitments += package.commitments
                if let next = package.request { try add(next) }
            case .share(let next):
                commitments.append(next.commitment)
                shares.append(next)
            }
        }
    }

    private mutating func add(_ next: GroupRequest) throws(GroupCollectError) {
        guard request == nil || request == next else { throw .severalRuns }
        request = next
    }

    /// The record of the group that the proposal reshares; nil where it reshares none.
    /// - Throws: ``GroupCollectError/oldRecordMissing``, ``GroupCollectError/severalRuns`` for a record of
    ///   another group, and what a check of each copy throws
    func oldRecord(of proposal: GroupProposal) throws(GroupCollectError) -> UOS.GroupRecord? {
        guard let transcript = proposal.oldTranscript else { return nil }
        guard let first = records.first else { throw .oldRecordMissing }
        for record in records {
            guard record.transcript == transcript else { throw .severalRuns }
            _ = try record.checked()
        }
        return first
    }

    private var isReshare: Bool { proposal?.oldTranscript != nil }
    var isMaking: Bool { proposal != nil || !contributions.isEmpty || !confirmations.isEmpty }
    /// The record beside the proposal of a reshare is the old group's, and asks for no signature.
    var isSigning: Bool {
        !records.isEmpty && !isReshare || request != nil || !commitments.isEmpty || !shares.isEmpty
    }
}

extension KeyGeneration {
    /// The making that a proposal asks for.
    /// - Parameter old: the record of the group that a reshare is of. Without it a finished record is read,
    ///   and nothing is made.
    /// - Throws: ``GroupCollectError/proposal(_:)`` for a key that is not a point, and for an old group that
    ///   does not fit; ``GroupCollectError/record(members:)`` for an old record that is invalid
    public init(of proposal: GroupProposal, old: UOS.GroupRecord? = nil) throws(GroupCollectError) {
        var oldGroup: OldGroup?
        if let old { oldGroup = OldGroup(try old.checked()) }
        guard let scheme = GroupScheme(proposal.scheme) else { throw .proposal(.badHostKey) }
        do throws(ThresholdError) {
            var members: [HostPublicKey] = []
            for member in proposal.members { members.append(try HostPublicKey(member.hostKey)) }
            let origin: Origin
            switch proposal.origin {
            case .new: origin = .new
            case .dealt(let dealer, let publicKey):
                origin = .dealt(dealer: try HostPublicKey(dealer), publicKey: publicKey)
            case .reshared(let transcript, let contributors):
                origin = .reshared(
                    try Reshare(
                        transcript: transcript.bytes, contributors: contributors.indices, old: oldGroup))
            }
            self = try KeyGeneration(
                proposal: proposal.bytes, scheme: scheme, threshold: proposal.threshold, members: members,
                origin: origin)
        } catch {
            throw .proposal(error)
        }
    }
}

extension NonceCommitment {
    /// The commitment in an entry of messages b7 to b9. It is not checked here.
    public init(_ nonces: GroupNonces) {
        self.init(member: Identifier(nonces.index), hiding: nonces.hiding, binding: nonces.binding)
    }
}

extension GroupContribution {
    /// The contribution with the bytes that its signature covers: taken from exactly these.
    public func signed(in proposal: GroupProposal) throws(GroupFailure) -> SignedContribution {
        let parts = try parts(in: proposal)
        return SignedContribution(
            Contribution(
                index: index, ephemeral: ephemeral, commitments: parts.commitments, proof: parts.proof,
                encryptedShares: parts.shares),
            message: SignedMessage(bytes: signedBytes, signature: signature))
    }
}

extension UOS.GroupRecord {
    /// The record after a check of its points and of every member's signature.
    /// - Throws: ``GroupCollectError/record(members:)``, ``GroupCollectError/proposal(_:)``
    public func checked() throws(GroupCollectError) -> Threshold.GroupRecord {
        let generation = try KeyGeneration(of: proposal)
        do throws(ThresholdError) {
            let record = try Threshold.GroupRecord(
                generation, contributionsHash: contributionsHash.bytes, commitments: commitments,
                ephemerals: ephemerals,
                encryptedSums: shares)
            try record.check(
                confirmations.map { SignedMessage(bytes: $0.signedBytes, signature: $0.signature) })
            return record
        } catch {
            guard case .recordSignatures(let wrong) = error else { throw .record(members: []) }
            throw .record(members: wrong.map { proposal.name(of: $0) })
        }
    }
}

extension GroupRequest {
    /// The account that the request is for, from the record alone.
    /// - Throws: ``GroupCollectError/otherGroup``; ``GroupCollectError/otherAccount`` where the payload is
    ///   not for it
    public func account(in record: Threshold.GroupRecord) throws(GroupCollectError) -> GroupAccount {
        guard record.key.publicKey == PublicKey(scheme: scheme, bytes: groupKey) else { throw .otherGroup }
        guard let path = try? DerivationPath(path), let account = try? record.key.account(at: path),
            account.publicKey == self.account
        else {
            throw .otherAccount
        }
        return account
    }

    /// What a single key would sign: the signing bytes of a transaction, hashed when they are long, or the
    /// tagged message.
    ///
    /// The signing bytes are all bytes after the length of the call. A signer does not take them from here:
    /// it decodes the payload with its own metadata.
    /// - Throws: ``GroupCollectError/content``
    public func signedMessage() throws(GroupCollectError) -> [UInt8] {
        switch payload.signable {
        case .message(let message): return message.tagged
        case .transaction(let transaction):
            var reader = SCALEReader(transaction.body)
            do {
                if transaction.hasProof { _ = try MetadataProof(from: &reader) }
                let call = try reader.byteVector()
                return Extrinsics.signedMessage(of: call + reader.rest())
            } catch {
                throw .content
            }
        case .bulk, nil: throw .content
        }
    }

    /// The signature as a signer with one key answers.
    public func answer(_ signature: [UInt8]) -> Answer {
        if case .message = payload.content { return .message(signature) }
        return .transaction(MultiSignature(scheme: scheme, bytes: signature))
    }
}
