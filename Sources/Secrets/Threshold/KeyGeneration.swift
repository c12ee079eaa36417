import Hashing
import Keys
import SubstratePrimitives

/// One member's contribution to a group's key: the fields of message b2 without its frame. Nothing in it is
/// secret.
public struct Contribution: Sendable, Hashable {
    /// The contributor, 1…16; 0 for a dealer.
    public let index: Int
    /// E, a point of ristretto255 for both schemes; 32 bytes.
    public let ephemeral: [UInt8]
    /// C_0…C_{t-1}, 32 bytes each.
    public let commitments: [[UInt8]]
    /// K' ‖ scalar, 64 bytes.
    public let proof: [UInt8]
    /// One for each member in order, 32 bytes each.
    public let encryptedShares: [[UInt8]]

    /// Takes anything: ``KeyGeneration`` checks it, and says whose it is.
    public init(
        index: Int, ephemeral: [UInt8], commitments: [[UInt8]], proof: [UInt8], encryptedShares: [[UInt8]]
    ) {
        self.index = index
        self.ephemeral = ephemeral
        self.commitments = commitments
        self.proof = proof
        self.encryptedShares = encryptedShares
    }
}

/// Bytes with the host signature over them; one behind the other, they are a whole message.
public struct SignedMessage: Sendable, Hashable {
    /// All bytes of the payload before the signature.
    public let bytes: [UInt8]
    /// 64 bytes.
    public let signature: [UInt8]

    public init(bytes: [UInt8], signature: [UInt8]) {
        self.bytes = bytes
        self.signature = signature
    }
}

/// A contribution as it came: its fields, and the message b2 that they were read from.
public struct SignedContribution: Sendable, Hashable {
    public let contribution: Contribution
    public let message: SignedMessage

    public init(_ contribution: Contribution, message: SignedMessage) {
        self.contribution = contribution
        self.message = message
    }
}

/// One making of a group: the facts that everybody knows once the proposal is accepted.
///
/// SimplPedPop with shares encrypted to host keys. Each member contributes a polynomial; the group's
/// polynomial is their sum, which nobody knows.
public struct KeyGeneration: Sendable {
    /// Where the key comes from.
    public enum Origin: Sendable, Hashable {
        /// All members draw it together.
        case new
        /// A dealer divides an existing key. He saw every share, and the old key signs alone for ever.
        case dealt(dealer: HostPublicKey, publicKey: [UInt8])
        /// Members of an existing group share its key out anew. The account stays, and so do the old shares:
        /// enough of them sign until they are destroyed.
        case reshared(Reshare)
    }

    public let scheme: GroupScheme
    public let size: GroupSize
    /// The host key of member i is the element i - 1.
    public let members: [HostPublicKey]
    public let origin: Origin
    /// Message b1 whole.
    public let proposal: [UInt8]
    /// sid = T32(`session`, proposal). Every secret of the run depends on it, so nothing can be replayed into
    /// another run.
    public let sessionID: [UInt8]

    /// Takes the whole message b1 as `proposal`, and the values that it states.
    /// - Throws: ``ThresholdError/size(threshold:members:)``, ``ThresholdError/repeatedHostKey(_:_:)``;
    ///   ``ThresholdError/notTheDealtKey`` where the dealt key is not a point of prime order;
    ///   ``ThresholdError/oldGroup`` where the old group has another scheme, and
    ///   ``ThresholdError/oldHostKey(_:)`` where a member keeps a host key of it.
    public init(
        proposal: [UInt8], scheme: GroupScheme, threshold: Int, members: [HostPublicKey],
        origin: Origin = .new
    ) throws(ThresholdError) {
        size = try GroupSize(threshold: threshold, members: members.count)
        for (index, key) in members.enumerated() {
            if let first = members[..<index].firstIndex(of: key) {
                throw .repeatedHostKey(first + 1, index + 1)
            }
        }
        switch origin {
        case .new: break
        case .dealt(_, let publicKey):
            guard scheme.suite.group.isValid(publicKey) else { throw .notTheDealtKey }
        case .reshared(let reshare): try reshare.check(scheme: scheme, members: members)
        }
        self.proposal = proposal
        self.scheme = scheme
        self.members = members
        self.origin = origin
        sessionID = GroupHash.short("session", proposal)
    }

    /// Whose contributions are needed, ascending: the members, the dealer as 0, or members of the old group
    /// by their numbers there.
    public var contributors: [Int] {
        switch origin {
        case .new: Array(1...size.members)
        case .dealt: [0]
        case .reshared(let reshare): reshare.contributors
        }
    }

    /// The host key that signs the contribution of this number; nil for a number that contributes nothing, and
    /// where the old group of a reshare is unknown.
    public func contributorKey(_ index: Int) -> HostPublicKey? {
        switch origin {
        case .new: (1...size.members).contains(index) ? members[index - 1] : nil
        case .dealt(let dealer, _): index == 0 ? dealer : nil
        case .reshared(let reshare): reshare.contributorKey(index)
        }
    }

    /// The index of the member with this host key, 1…16.
    public func index(of key: HostPublicKey) -> Int? { members.firstIndex(of: key).map { $0 + 1 } }

    var group: any PrimeOrderGroup.Type { scheme.suite.group }

    // MARK: Checks that need no secret

    /// Checks everything that all can check: who sent, host signatures, numbers, points, scalars and proofs
    /// of possession. The coordinator calls it, and ``accept(_:as:host:)`` does.
    ///
    /// The host signatures of all contributions are checked first. Otherwise whoever carries the messages
    /// could make a member look guilty.
    /// - Returns: the record of the group, without its signatures.
    /// - Throws: ``ThresholdError/contributors(_:)``, ``ThresholdError/contributions(_:)``,
    ///   ``ThresholdError/badGroupKey``; ``ThresholdError/oldGroup`` where the old group of a reshare is not
    ///   known
    public func combine(_ received: [SignedContribution]) throws(ThresholdError) -> GroupRecord {
        if case .reshared(let reshare) = origin, reshare.old == nil { throw .oldGroup }
        let sorted = try sort(received)
        try requireNoFault(sorted) { one in
            let hostKey = contributorKey(one.contribution.index)!
            let isSigned = hostKey.verify(one.message.signature, message: one.message.bytes)
            return isSigned ? nil : .hostSignature
        }
        try requireNoFault(sorted) { fault(in: $0.contribution) }
        return try GroupRecord(self, contributions: sorted)
    }

    private func sort(_ received: [SignedContribution]) throws(ThresholdError) -> [SignedContribution] {
        let sorted = received.sorted { $0.contribution.index < $1.contribution.index }
        let indices = sorted.map(\.contribution.index)
        guard indices == contributors else {
            let repeated = zip(indices, indices.dropFirst()).filter { $0 == $1 }.map(\.0)
            throw .contributors(Set(indices).symmetricDifference(contributors).union(repeated).sorted())
        }
        return sorted
    }

    private func requireNoFault(
        _ sorted: [SignedContribution], _ reason: (SignedContribution) -> ContributionFault.Reason?
    ) throws(ThresholdError) {
        let faults = sorted.compactMap { one in
            reason(one).map { ContributionFault(index: one.contribution.index, reason: $0) }
        }
        guard faults.isEmpty else { throw .contributions(faults) }
    }

    private func fault(in contribution: Contribution) -> ContributionFault.Reason? {
        guard contribution.commitments.count == size.threshold,
            contribution.encryptedShares.count == size.members,
            contribution.proof.count == 64
        else { return .count }
        guard Ristretto255.isValid(contribution.ephemeral),
            contribution.commitments.allSatisfy({ group.isValid($0) })
        else {
            return .point
        }
        guard contribution.encryptedShares.allSatisfy({ Scalar(bytes: $0) != nil }) else { return .scalar }
        switch origin {
        case .new: break
        case .dealt(_, let publicKey):
            guard contribution.commitments[0] == publicKey else { return .dealtKey }
        case .reshared(let reshare):
            guard contribution.commitments[0] == reshare.expected(of: contribution.index) else {
                return .oldShare
            }
        }
        return proofFault(contribution)
    }

    /// (k + c·a_0)·B = K' + c·C_0.
    private func proofFault(_ contribution: Contribution) -> ContributionFault.Reason? {
        let nonce = Array(contribution.proof[..<32])
        guard group.isValid(nonce) else { return .point }
        guard let response = Scalar(bytes: Array(contribution.proof[32...])) else { return .scalar }
        let challenge = proofChallenge(
            index: contribution.index, commitments: contribution.commitments, nonce: nonce)
        guard let left = group.base(response),
            let product = group.times(challenge, contribution.commitments[0]),
            let right = group.add(nonce, product), left == right
        else { return .proof }
        return nil
    }

    /// Ts(`pop`, SS ‖ sid ‖ u8(i) ‖ C_0 ‖ … ‖ C_{t-1} ‖ K'): bound to run, index and all commitments, so that
    /// a proof fits nothing else.
    func proofChallenge(index: Int, commitments: [[UInt8]], nonce: [UInt8]) -> Scalar {
        Scalar(
            reducing: GroupHash.wide(
                "pop", [scheme.rawValue] + sessionID + [UInt8(index)] + commitments.joined() + nonce))
    }
}
