import Diagnostics

extension ThresholdError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        case size = "group-size"
        case hostKey = "bad-host-key"
        case repeatedHostKey = "repeated-host-key"
        case notTheMember = "not-this-member"
        case dealtKey = "dealt-key"
        case contributors = "contributors"
        case contribution = "bad-contribution"
        case groupKey = "bad-group-key"
        case record = "bad-group-record"
        case certificate = "group-certificate"
        case share = "wrong-share"
        case signers = "group-signers"
        case commitment = "bad-commitment"
        case otherNonces = "other-nonces"
        case signatureShare = "bad-signature-share"
        case path = "group-path"
        case selfCheck = "self-check"
    }

    public var code: Code {
        switch self {
        case .size: .size
        case .badHostKey: .hostKey
        case .repeatedHostKey: .repeatedHostKey
        case .notTheMember: .notTheMember
        case .notTheDealtKey: .dealtKey
        case .contributors: .contributors
        case .contributions: .contribution
        case .badGroupKey: .groupKey
        case .badRecord: .record
        case .certificate: .certificate
        case .wrongShare: .share
        case .signers: .signers
        case .badCommitment, .identityCommitment: .commitment
        case .otherNonces: .otherNonces
        case .signatureShares: .signatureShare
        case .path: .path
        case .selfCheck: .selfCheck
        }
    }

    public var sentence: String {
        switch self {
        case .size(let threshold, let members):
            "a group has 2 to 16 members and a threshold from 2 to their number, not \(threshold) of \(members)"
        case .badHostKey: "the host key is invalid"
        case .repeatedHostKey(let one, let other): "members \(one) and \(other) have the same host key"
        case .notTheMember(let index): "the host key of this vault is not that of \(Self.name(index))"
        case .notTheDealtKey: "the account of the proposal is not the key to be dealt"
        case .contributors(let indices): "contributions are missing, repeated or foreign: \(Self.names(indices))"
        case .contributions(let faults):
            "invalid contributions: " + faults.map { "\(Self.name($0.index)) (\($0.reason.words))" }.joined(separator: ", ")
        case .badGroupKey: "the contributions give an invalid group key"
        case .badRecord: "the group record is malformed"
        case .certificate(let indices): "the group record has invalid signatures: \(Self.names(indices))"
        case .wrongShare: "the host key of this vault gives no share of this group"
        case .signers: "the signers are not the members that the request needs"
        case .badCommitment(let index): "the nonce commitment of \(Self.name(index)) is invalid"
        case .identityCommitment: "the nonce commitments cancel each other"
        case .otherNonces: "the package has another nonce commitment than this vault made"
        case .signatureShares(let members): "invalid signature shares: \(Self.names(members.map { $0.index ?? 0 }))"
        case .path: "a group account is derived with soft junctions (/) only, and with none for ed25519"
        case .selfCheck: "the new share or signature is invalid and was discarded: hardware fault or bug"
        }
    }

    private static func name(_ index: Int) -> String { index == 0 ? "the dealer" : "member \(index)" }
    private static func names(_ indices: [Int]) -> String { indices.map(name).joined(separator: ", ") }

    public static var examples: [ThresholdError] {
        [
            .size(threshold: 1, members: 3), .badHostKey, .repeatedHostKey(1, 3), .notTheMember(2), .notTheDealtKey, .contributors([2, 3]),
            .contributions(ContributionFault.Reason.allCases.enumerated().map { ContributionFault(index: $0.offset, reason: $0.element) }),
            .badGroupKey, .badRecord, .certificate([1, 2]), .wrongShare, .signers, .badCommitment(2), .identityCommitment, .otherNonces,
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
        case .share: "its share for this member does not match its commitments"
        }
    }
}
