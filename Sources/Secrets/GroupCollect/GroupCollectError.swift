import Diagnostics
import Threshold
import UOS

/// Why messages of a group cannot be put together. Whose message is wrong is named by the proposal's name for that member.
public enum GroupCollectError: Error, Equatable, Sendable {
    /// No message that can be put together.
    case nothing
    /// A message that takes no part in a making or a signature, by its kind.
    case unexpected(kind: String)
    /// Messages of the making of a group beside those of a signature.
    case twoPurposes
    /// Messages of two sessions, requests, records or proposals, which do not go together.
    case severalRuns
    /// Messages of this kind, signed by these members, for another session or request: sent again from an earlier one, or to the wrong place.
    case otherRun(kind: String, members: [String])
    /// The proposal b1 is missing: it names the members and their keys.
    case proposalMissing
    /// The record b5 is missing: it names the members and their keys.
    case recordMissing
    /// The request b6 is missing, alone or in a package.
    case requestMissing
    /// The request is for another group than the record's.
    case otherGroup
    /// The payload in the request is not for the account of its path.
    case otherAccount
    /// The payload in the request has no bytes to sign.
    case content
    /// The request names a member that the group does not have, or fewer signers than it needs.
    case signers
    /// Commitments or shares of these members, whom the request does not ask.
    case notAsked(members: [String])
    /// No member of the group has this name.
    case unknownMember(String)
    /// The proposal cannot become a group.
    case proposal(ThresholdError)
    /// The record is wrong, or not signed by all members; the names of those whose signatures are missing or wrong.
    case record(members: [String])
    /// A message of this kind from a member that its host key did not sign.
    case hostSignature(kind: String, members: [String])
    /// Two different messages of one member for one run, both signed: it cheats, or was restored from a backup.
    case contradiction(kind: String, member: String)
    /// Contributions that are wrong.
    case contribution(members: [String])
    /// A confirmation of something else than these contributions: that member was shown others.
    case confirmation(members: [String])
    /// Commitments that are no points of the group.
    case commitment(members: [String])
    /// Shares for another package.
    case package(members: [String])
    /// Signature shares that are wrong. The member's own signed message proves it to anyone.
    case share(members: [String])
}

extension GroupCollectError: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        /// Nothing to put together.
        case nothing = "group-nothing"
        /// A message that does not belong here.
        case unexpected = "group-unexpected"
        /// Messages that do not go together.
        case mixed = "group-mixed"
        /// A message that is needed is missing.
        case missing = "group-missing"
        /// The request does not fit the group.
        case request = "group-request"
        /// The proposal or the record is wrong.
        case group = "group-invalid"
        /// A member's message is wrong.
        case member = "group-member"
    }

    /// The stable word of this error, one of ``Code``.
    public var code: Code {
        switch self {
        case .nothing: .nothing
        case .unexpected: .unexpected
        case .twoPurposes, .severalRuns, .otherRun: .mixed
        case .proposalMissing, .recordMissing, .requestMissing: .missing
        case .otherGroup, .otherAccount, .content, .signers, .unknownMember: .request
        case .proposal, .record: .group
        case .notAsked, .hostSignature, .contradiction, .contribution, .confirmation, .commitment, .package, .share: .member
        }
    }

    public var sentence: String {
        switch self {
        case .nothing: "the input holds no message of a threshold group"
        case .unexpected(let kind): "a payload of kind \(kind) cannot be collected"
        case .twoPurposes: "the input mixes messages for a new group with messages for a signature"
        case .severalRuns: "the input mixes messages of different groups or requests"
        case .otherRun(let kind, let members): "the \(kind) from \(Self.list(members)) belongs to another group or request"
        case .proposalMissing: "the group proposal is missing"
        case .recordMissing: "the group record is missing"
        case .requestMissing: "the group request is missing"
        case .otherGroup: "the request is for another group than the record's"
        case .otherAccount: "the payload in the request is for another account than the one at its path"
        case .content: "the payload in the request cannot be read"
        case .signers: "the signers of the request do not fit the group"
        case .notAsked(let members): "the request does not ask \(Self.list(members))"
        case .unknownMember(let name): "no member of the group is called \(Self.name(name))"
        case .proposal: "the group proposal is invalid"
        case .record(let members) where members.isEmpty: "the group record is invalid"
        case .record(let members): "the group record is not signed by \(Self.list(members))"
        case .hostSignature(let kind, let members): "the signature of the \(kind) from \(Self.list(members)) is invalid"
        case .contradiction(let kind, let member): "\(Self.name(member)) signed two different messages of kind \(kind)"
        case .contribution(let members): "the contribution from \(Self.list(members)) is invalid"
        case .confirmation(let members): "\(Self.list(members)) confirmed other contributions than these"
        case .commitment(let members): "the nonce commitments from \(Self.list(members)) are invalid"
        case .package(let members): "the share from \(Self.list(members)) was made for another package"
        case .share(let members): "the signature share from \(Self.list(members)) is invalid"
        }
    }

    private static func name(_ name: String) -> String { GroupMember.quoted(name) }
    private static func list(_ names: [String]) -> String { names.map(name).joined(separator: ", ") }

    public static var examples: [GroupCollectError] {
        [
            .nothing, .unexpected(kind: "group_host"), .twoPurposes, .severalRuns,
            .otherRun(kind: "group_contribution", members: ["Bo"]), .proposalMissing, .recordMissing, .requestMissing,
            .otherGroup, .otherAccount, .content, .signers, .notAsked(members: ["Bo"]), .unknownMember("Eve"), .proposal(.badHostKey),
            .record(members: []),
            .record(members: ["Ana"]),
            .hostSignature(kind: "group_share", members: ["Ana", "Bo"]), .contradiction(kind: "group_contribution", member: "Ana"),
            .contribution(members: ["Ana"]), .confirmation(members: ["Ana"]), .commitment(members: ["Ana"]), .package(members: ["Ana"]),
            .share(members: ["Ana"]),
        ]
    }
}
