import Diagnostics

/// Why a threshold group cannot be made or used. Indices are those of the proposal: members 1…16, the dealer
/// 0.
public enum ThresholdError: Error, Equatable, Sendable {
    /// Not 2 to 16 members, or a threshold that is not between 2 and their number.
    case size(threshold: Int, members: Int)
    /// A host key that is not a point of the group, or is the identity.
    case badHostKey
    /// Two members of the proposal with one host key: one machine would have two votes.
    case repeatedHostKey(Int, Int)
    /// This machine's host key is not that of the member.
    case notTheMember(Int)
    /// The group key of the proposal is not that of the dealt account.
    case notTheDealtKey
    /// The old group of a reshare is unknown, or not the one that the proposal names, or has another scheme, or
    /// needs more contributors.
    case oldGroup
    /// A member of a reshared group with a host key of the old group: the seed that stays is an old share that
    /// stays. Its number in the new group.
    case oldHostKey(Int)
    /// Contributions of other members than those of the proposal, or several of one; the indices that are
    /// missing, foreign or repeated, ascending.
    case contributors([Int])
    /// Contributions that are wrong, ascending by index. Where host signatures are wrong, only those are
    /// named: the others prove nothing.
    case contributions([ContributionFault])
    /// The sum of the contributions has a coefficient or a public share that is the identity, or one that is
    /// not a point.
    case badGroupKey
    /// A record with another number of values than its proposal asks for, or with an invalid point or scalar.
    case badRecord
    /// Members whose signature of the record is wrong.
    case recordSignatures([Int])
    /// The share does not fit the member's public share: the record or the host key is of another group.
    case wrongShare
    /// Too few signers, a signer twice, or one who is not a member.
    case signers
    /// A commitment that is not a point of prime order; the signer's index, 0 for an identifier above 255.
    case badCommitment(Int)
    /// The package's commitments for this signer do not match its nonces.
    case otherNonces
    /// The sum of the commitments is the identity, which never happens by chance: somebody chose them that
    /// way.
    case identityCommitment
    /// Signature shares that are wrong, by signer, ascending.
    case signatureShares([Identifier])
    /// A hard junction, or any path of an ed25519 group.
    case path
    /// A result that was just computed does not verify: a hardware fault or a bug.
    case selfCheck
}

/// What is wrong with one contribution to a key generation.
public struct ContributionFault: Sendable, Hashable {
    /// Which check failed.
    public enum Reason: Sendable, Hashable, CaseIterable {
        /// The host signature over the message.
        case hostSignature
        /// The number of commitments is not the threshold, or the number of encrypted shares is not the
        /// number of members. One coefficient more would raise the threshold unnoticed.
        case count
        /// A commitment or ephemeral key that is not a point of prime order.
        case point
        /// A scalar that is not below the group order.
        case scalar
        /// The proof of possession: the sender does not know what he committed to, or copied it.
        case proof
        /// A dealer's contribution that is not for the account of the proposal.
        case dealtKey
        /// A contribution to a reshare that is not for the sender's share of the old group.
        case oldShare
        /// The share for this member does not match the commitments. Nobody else can check this claim,
        /// because only this member can decrypt the share.
        case share
    }

    public let index: Int
    public let reason: Reason

    public init(index: Int, reason: Reason) {
        self.index = index
        self.reason = reason
    }
}

extension ThresholdError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .size(let threshold, let members):
            .usage(
                "group-size",
                "a group has 2 to 16 members and a threshold from 2 "
                    + "to their number, not \(threshold) of \(members)")
        case .badHostKey: .badInput("bad-host-key", "the host key is invalid")
        case .repeatedHostKey(let one, let other):
            .usage("repeated-host-key", "members \(one) and \(other) have the same host key")
        case .notTheMember(let index):
            .refused("not-this-member", "the host key of this vault is not that of \(Self.name(index))")
        case .notTheDealtKey:
            .refused("dealt-key", "the key to be dealt does not belong to the proposal's account")
        case .oldGroup:
            .refused("old-group", "the old group does not fit the proposal of the reshare")
        case .oldHostKey(let index):
            .refused("old-host-key", "\(Self.name(index)) has a host key of the old group")
        case .contributors(let indices):
            .badInput(
                "contributors", "contributions are missing, repeated or foreign: \(Self.names(indices))")
        case .contributions(let faults):
            .badInput(
                "bad-contribution",
                "invalid contributions: "
                    + faults.map { "\(Self.name($0.index)) (\($0.reason.words))" }.joined(separator: ", "))
        case .badGroupKey: .badInput("bad-group-key", "the contributions give an invalid group key")
        case .badRecord: .badInput("bad-group-record", "the group record is malformed")
        case .recordSignatures(let indices):
            .badInput(
                "group-record-signatures", "the group record has invalid signatures: \(Self.names(indices))")
        case .wrongShare: .refused("wrong-share", "this vault's share in the group record is wrong")
        case .signers: .refused("group-signers", "the signers are not the members that the request needs")
        case .badCommitment(let index):
            .badInput("bad-commitment", "the nonce commitment of \(Self.name(index)) is invalid")
        case .identityCommitment: .badInput("bad-commitment", "the nonce commitments cancel each other")
        case .otherNonces:
            .refused("other-nonces", "the package has another nonce commitment than this vault made")
        case .signatureShares(let members):
            .badInput(
                "bad-signature-share",
                "invalid signature shares: \(Self.names(members.map { $0.index ?? 0 }))")
        case .path:
            .usage(
                "group-path",
                "a group account is derived with soft junctions (/) only, and with none for ed25519")
        case .selfCheck:
            .inputOutput(
                "self-check",
                "the new share or signature is invalid and was discarded: hardware fault or bug",
                hint: "heliograph self-test")
        }
    }

    private static func name(_ index: Int) -> String { index == 0 ? "the dealer" : "member \(index)" }

    private static func names(_ indices: [Int]) -> String { indices.map(name).joined(separator: ", ") }

    public static var examples: [ThresholdError] {
        [
            .size(threshold: 1, members: 3), .badHostKey, .repeatedHostKey(1, 3), .notTheMember(2),
            .notTheDealtKey, .oldGroup, .oldHostKey(2), .contributors([2, 3]),
            .contributions(
                ContributionFault.Reason.allCases.enumerated().map {
                    ContributionFault(index: $0.offset, reason: $0.element)
                }),
            .badGroupKey, .badRecord, .recordSignatures([1, 2]), .wrongShare, .signers, .badCommitment(2),
            .identityCommitment, .otherNonces,
            .signatureShares([Identifier(1), Identifier(3)]), .path, .selfCheck,
        ]
    }
}

extension ContributionFault.Reason {
    var words: String {
        switch self {
        case .hostSignature: "invalid host signature"
        case .count: "wrong number of commitments or shares"
        case .point: "invalid point"
        case .scalar: "invalid scalar"
        case .proof: "invalid proof of possession"
        case .dealtKey: "not for the account of the proposal"
        case .oldShare: "not for its share of the old group"
        case .share: "its share for this member does not match its commitments"
        }
    }
}
