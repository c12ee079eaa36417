import Hashing
import Keys

/// The stored facts of a group: not secret alone, but together with a member's seed they give that member's
/// share. They are the fields of message b5 without the signatures.
public struct GroupRecord: Sendable {
    public let generation: KeyGeneration
    public let key: GroupKey
    /// T32 of all contributions, whole and ascending.
    public let contributionsHash: [UInt8]
    /// E of the contributors, ascending.
    public let ephemerals: [[UInt8]]
    /// For each member in order: the sum of the shares encrypted to it, 32 bytes.
    public let encryptedSums: [[UInt8]]

    /// A record that was read.
    /// - Throws: ``ThresholdError/badRecord``, ``ThresholdError/badGroupKey``
    public init(
        _ generation: KeyGeneration, contributionsHash: [UInt8], commitments: [[UInt8]],
        ephemerals: [[UInt8]], encryptedSums: [[UInt8]]
    ) throws(ThresholdError) {
        guard contributionsHash.count == 32, commitments.count == generation.size.threshold,
            ephemerals.count == generation.contributors.count, encryptedSums.count == generation.size.members,
            ephemerals.allSatisfy(Ristretto255.isValid),
            encryptedSums.allSatisfy({ Scalar(bytes: $0) != nil })
        else { throw .badRecord }
        switch generation.origin {
        case .new: break
        case .dealt(_, let publicKey): guard commitments[0] == publicKey else { throw .badRecord }
        case .reshared(let reshare):
            // Without the old group it is a finished record, whose members checked this before they signed.
            if let old = reshare.old, commitments[0] != old.key.commitments[0] { throw .badRecord }
        }
        self.generation = generation
        key = try GroupKey(
            scheme: generation.scheme, commitments: commitments, members: generation.size.members)
        self.contributionsHash = contributionsHash
        self.ephemerals = ephemerals
        self.encryptedSums = encryptedSums
    }

    /// The record of checked contributions, ascending.
    init(_ generation: KeyGeneration, contributions: [SignedContribution]) throws(ThresholdError) {
        var commitments: [[UInt8]] = []
        for k in 0..<generation.size.threshold {
            guard let sum = generation.group.sum(contributions.map(\.contribution.commitments[k])) else {
                throw .badGroupKey
            }
            commitments.append(sum)
        }
        let sums = (0..<generation.size.members).map { member in
            contributions.reduce(Scalar.zero) { $0 + Scalar(bytes: $1.contribution.encryptedShares[member])! }
                .bytes
        }
        try self.init(
            generation,
            contributionsHash: GroupHash.short(
                "contributions", contributions.flatMap { $0.message.bytes + $0.message.signature }),
            commitments: commitments, ephemerals: contributions.map(\.contribution.ephemeral),
            encryptedSums: sums)
    }

    /// T32(`transcript`, …), which every member signs in message b4. It covers the proposal, all
    /// contributions and the result.
    public var transcript: [UInt8] {
        let result = (key.commitments + ephemerals + encryptedSums).flatMap(\.self)
        return GroupHash.short("transcript", generation.proposal + contributionsHash + result)
    }

    /// Checks the signatures of all members. Without all of them no group is active: members who were shown
    /// different contributions sign different transcripts.
    /// - Parameter confirmations: the message b4 that this record expects of each member, in order.
    /// - Throws: ``ThresholdError/recordSignatures(_:)`` with the members whose signature is wrong or
    ///   missing.
    public func check(_ confirmations: [SignedMessage]) throws(ThresholdError) {
        let wrong = generation.members.enumerated().filter { position, key in
            position >= confirmations.count
                || !key.verify(confirmations[position].signature, message: confirmations[position].bytes)
        }
        guard wrong.isEmpty else { throw .recordSignatures(wrong.map { $0.offset + 1 }) }
        guard confirmations.count == generation.size.members else { throw .badRecord }
    }

    /// The member's share, x_j = encsum_j - Σ pad_ij, checked against the public share. It is computed each
    /// time and kept nowhere.
    /// - Throws: ``ThresholdError/wrongShare`` where the host key is not a member's, or the record is not the
    ///   one it belongs to.
    public func share(host: borrowing HostKey) throws(ThresholdError) -> SigningShare {
        guard let index = generation.index(of: host.publicKey) else { throw .wrongShare }
        let share = SecretBytes(count: SecretScalar.width)
        let isComplete = share.withUnsafeMutableBytes { memory in
            let share = memory.bindMemory(to: UInt8.self).baseAddress!
            share.update(from: encryptedSums[index - 1], count: SecretScalar.width)
            return host.withScalar { h in
                withSecretScratch(SecretScalar.width) { pad in
                    for (contributor, ephemeral) in zip(generation.contributors, ephemerals) {
                        guard
                            HostKey.pad(
                                scalar: h, point: ephemeral, session: generation.sessionID, from: contributor,
                                to: index,
                                ephemeral: ephemeral, host: host.publicKey.bytes, into: pad)
                        else { return false }
                        SecretScalar.subtract(share, share, pad)
                    }
                    return true
                }
            }
        }
        guard isComplete else { throw .wrongShare }
        return try SigningShare(Identifier(index), share, of: key.account)
    }
}

extension OldGroup {
    /// - Parameter record: one whose signatures were checked.
    public init(_ record: GroupRecord) {
        transcript = record.transcript
        members = record.generation.members
        key = record.key
    }
}
