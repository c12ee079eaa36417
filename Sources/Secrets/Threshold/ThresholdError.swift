/// Why a threshold group cannot be made or used. Indices are those of the proposal: members 1…16, the dealer 0.
public enum ThresholdError: Error, Equatable, Sendable {
    /// Not 2 to 16 members, or a threshold that is not between 2 and their number.
    case size(threshold: Int, members: Int)
    /// A host key that is no point of the group, or is the identity.
    case badHostKey
    /// Two members of the proposal with one host key: one machine would have two votes.
    case repeatedHostKey(Int, Int)
    /// This machine's host key is not that of the member.
    case notTheMember(Int)
    /// The group key of the proposal is not that of the dealt account.
    case notTheDealtKey
    /// Contributions of other members than those of the proposal, or several of one; the indices that are missing, foreign or repeated, ascending.
    case contributors([Int])
    /// Contributions that are wrong, ascending by index. Where host signatures are wrong, only those are named: the others prove nothing.
    case contributions([ContributionFault])
    /// The sum of the contributions has a coefficient or a public share that is the identity, or one that is no point.
    case badGroupKey
    /// A record with another number of values than its proposal asks for, or with an invalid point or scalar.
    case badRecord
    /// Members whose signature of the record is wrong.
    case certificate([Int])
    /// The share does not fit the member's public share: the record or the host key is of another group.
    case wrongShare
    /// Too few signers, a signer twice, or one who is no member.
    case signers
    /// A commitment that is no point of prime order; the signer's index, 0 for an identifier above 255.
    case badCommitment(Int)
    /// The package holds other commitments for this signer than the nonces give.
    case otherNonces
    /// The sum of the commitments is the identity: somebody chose them so.
    case identityCommitment
    /// Signature shares that are wrong, by signer, ascending.
    case signatureShares([Identifier])
    /// A hard junction, or any path of an ed25519 group.
    case path
    /// Something that was just computed does not verify. A hardware fault or a bug.
    case selfCheck
}

/// What is wrong with one contribution to a key generation.
public struct ContributionFault: Sendable, Hashable {
    /// Which check failed.
    public enum Reason: Sendable, Hashable, CaseIterable {
        /// The host signature over the message.
        case hostSignature
        /// Another number of commitments than the threshold, or of encrypted shares than members: one coefficient more raises the threshold
        /// unnoticed.
        case count
        /// A commitment or ephemeral key that is no point of prime order.
        case point
        /// A scalar that is not below the group order.
        case scalar
        /// The proof of possession: the sender does not know what he committed to, or copied it.
        case proof
        /// A dealer's contribution that is not for the account of the proposal.
        case dealtKey
        /// The share for this member does not fit the commitments. A claim of this member, no proof to others: nobody else can decrypt it.
        case share
    }

    public let index: Int
    public let reason: Reason

    public init(index: Int, reason: Reason) {
        self.index = index
        self.reason = reason
    }
}
