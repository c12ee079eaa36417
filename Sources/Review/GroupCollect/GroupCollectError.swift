import Diagnostics
import Threshold
import UOS

/// Why messages of a group cannot be put together. A sender is named as in the proposal.
public enum GroupCollectError: Error, Equatable, Sendable {
    /// No message that can be put together.
    case nothing
    /// A message that takes no part in a making or a signature, by its kind.
    case unexpected(kind: String)
    /// A message of this kind where another is needed.
    case otherKind(kind: String, needed: PayloadCode)
    /// Messages of the making of a group beside those of a signature.
    case twoPurposes
    /// Messages of two sessions, requests, records or proposals, which do not go together.
    case severalRuns
    /// Messages of this kind, signed by these members, for another session or request: sent again from an
    /// earlier one, or to the wrong place.
    case otherRun(kind: String, members: [String])
    /// The proposal b1 is missing: it names the members and their keys.
    case proposalMissing
    /// The record b5 is missing: it names the members and their keys.
    case recordMissing
    /// The record b5 of the group that a proposal reshares is missing: its contributors and their public
    /// shares stand in it.
    case oldRecordMissing
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
    /// Whoever makes a request names fewer signers than the group needs.
    case tooFewSigners(named: Int, needed: Int)
    /// Whoever proposes a reshare names fewer contributors than the old group needs for a signature.
    case tooFewContributors(named: Int, needed: Int)
    /// Whoever makes a request names a path that no request can have.
    case path
    /// Commitments or shares of these members, whom the request does not ask.
    case notAsked(members: [String])
    /// The name of a member on a card is not valid.
    case memberName(String, ContactLabel.Problem)
    /// No member of the group has this name.
    case unknownMember(String)
    /// A member is named twice among the signers, maybe by name and by number.
    case repeatedMember(String)
    /// A name with commas is one member, and each of its parts is another.
    case ambiguousMember(String)
    /// The proposal cannot become a group.
    case proposal(ThresholdError)
    /// The record is wrong, or not signed by all members: the names of members whose signatures are missing
    /// or wrong.
    case record(members: [String])
    /// A message of this kind from a member that its host key did not sign.
    case hostSignature(kind: String, members: [String])
    /// Two different messages of one member for one run, both signed: it cheats, or was restored from a
    /// backup.
    case contradiction(kind: String, member: String)
    /// Contributions that are wrong.
    case contribution(members: [String])
    /// A confirmation of something else than these contributions: that member was shown others.
    case confirmation(members: [String])
    /// Commitments that are not points of the group.
    case commitment(members: [String])
    /// Shares for another package.
    case package(members: [String])
    /// Signature shares that are wrong. The member's own signed message proves it to anyone.
    case share(members: [String])
}

extension GroupCollectError: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .nothing:
            .badInput(
                "group-nothing", "the input holds no message of a threshold group",
                hint: "name the messages of one new group or of one signature")
        case .unexpected(let kind):
            .badInput(
                "group-unexpected", "a payload of kind \(kind) cannot be collected",
                hint: "name the messages of one new group or of one signature")
        case .otherKind(let kind, let needed):
            .badInput(
                "group-other-kind", "a payload of kind \(needed.kind) is needed here, not \(kind)",
                hint: needed == .groupHost
                    ? "name the host cards of the members" : "name the record of the group")
        case .twoPurposes:
            .badInput(
                "group-mixed", "the input mixes messages for a new group with messages for a signature",
                hint: "collect one group or one request at a time")
        case .severalRuns:
            .badInput(
                "group-mixed", "the input mixes messages of different groups or requests",
                hint: "collect one group or one request at a time")
        case .otherRun(let kind, let members):
            .badInput(
                "group-mixed", "the \(kind) from \(Self.list(members)) belongs to another group or request",
                hint: "ask that member for the answer to this proposal or request")
        case .proposalMissing:
            .badInput("group-missing", "the group proposal is missing", hint: "name the group proposal too")
        case .recordMissing:
            .badInput("group-missing", "the group record is missing", hint: "name the group record too")
        case .oldRecordMissing:
            .badInput(
                "group-missing", "the record of the old group is missing",
                hint: "name the record of the group that is reshared too")
        case .requestMissing:
            .badInput("group-missing", "the group request is missing", hint: "name the group request too")
        case .otherGroup:
            .refused(
                "group-request", "the request is for another group than the record's",
                hint: "name the record of the request's group")
        case .otherAccount:
            .refused(
                "group-request", "the payload in the request is for another account than the one at its path",
                hint: "name the path of the payload's account")
        case .content:
            .refused(
                "group-request", "the payload in the request cannot be read", hint: "make the request again")
        case .signers:
            .refused(
                "group-request", "the signers of the request do not fit the group",
                hint: "make the request again")
        case .tooFewSigners(let named, let needed):
            .usage(
                "group-signers-few",
                "the group needs \(needed) signers, and \(named == 0 ? "none" : "\(named)") "
                    + "\(named < 2 ? "is" : "are") named",
                hint: "name at least \(needed) members with --signers, separated by commas")
        case .tooFewContributors(let named, let needed):
            .usage(
                "group-contributors-few",
                "the group needs \(needed) contributors, and \(named == 0 ? "none" : "\(named)") "
                    + "\(named < 2 ? "is" : "are") named",
                hint: "name at least \(needed) members with --contributors, separated by commas")
        case .path:
            .usage(
                "group-path",
                "the path in a group's request has soft junctions (/) only and at most "
                    + "\(GroupFormat.maximumPath) bytes of printable text, and is empty for ed25519",
                hint: "name the path of the payload's account")
        case .notAsked(let members):
            .refused(
                "group-member", "the request does not ask \(Self.list(members))",
                hint: "name the answers of the signers that the request asks")
        case .unknownMember(let name):
            .refused(
                "group-request", "no member of the group is called \(Self.name(name))",
                hint: "heliograph inspect shows the names of a record")
        case .memberName(let name, let problem):
            .refused(
                "group-member-name", "\(Self.name(name)) cannot be the name of a member: \(problem.words)",
                hint: "ask that member for a card with another name")
        case .repeatedMember(let name):
            .usage(
                "group-signers-repeated", "the signers name \(Self.name(name)) twice",
                hint: "name each signer once, by name or number")
        case .ambiguousMember(let name):
            .usage(
                "group-signers-ambiguous",
                "\(Self.name(name)) among the signers can mean one member or several",
                hint: "name the signers by their numbers in the record")
        case .proposal(.oldHostKey(let member)):
            .refused(
                "group-old-key",
                "member \(member) has a host key of the old group, whose seed gives the old share for ever",
                hint: "ask that member for a card of a new seed")
        case .proposal(.oldGroup):
            .refused(
                "group-old-record", "the record of the old group does not fit the proposal that reshares it",
                hint: "ask whoever made the proposal for both again")
        case .proposal:
            .refused("group-invalid", "the group proposal is invalid", hint: "ask for the message again")
        case .record(let members) where members.isEmpty:
            .refused("group-invalid", "the group record is invalid", hint: "ask for the message again")
        case .record(let members):
            .refused(
                "group-invalid", "the group record is not signed by \(Self.list(members))",
                hint: "ask for the message again")
        case .hostSignature(let kind, let members):
            .refused(
                "group-member", "the signature of the \(kind) from \(Self.list(members)) is invalid",
                hint: "ask that member for the message again")
        case .contradiction(let kind, let member):
            .refused(
                "group-member", "\(Self.name(member)) signed two different messages of kind \(kind)",
                hint: "start again, and find out why the member signed twice")
        case .contribution(let members):
            .refused(
                "group-member", "the contribution from \(Self.list(members)) is invalid",
                hint: "ask that member for the message again")
        case .confirmation(let members):
            .refused(
                "group-member", "\(Self.list(members)) confirmed other contributions than these",
                hint: "ask that member for the message again")
        case .commitment(let members):
            .refused(
                "group-member", "the nonce commitments from \(Self.list(members)) are invalid",
                hint: "ask that member for the message again")
        // A machine answers one package, and shows the same share for ever.
        case .package(let members):
            .refused(
                "group-member", "the share from \(Self.list(members)) was made for another package",
                hint: "keep the message as a proof, and start again with a new request")
        case .share(let members):
            .refused(
                "group-member", "the signature share from \(Self.list(members)) is invalid",
                hint: "keep the message as a proof, and start again with a new request")
        }
    }

    private static func name(_ name: String) -> String { name.inQuotationMarks }

    private static func list(_ names: [String]) -> String { names.map(name).joined(separator: ", ") }

    public static var examples: [GroupCollectError] {
        [
            .nothing, .unexpected(kind: "group_host"),
            .otherKind(kind: "group_record", needed: .groupHost), .twoPurposes, .severalRuns,
            .otherRun(kind: "group_contribution", members: ["Bo"]), .proposalMissing, .recordMissing,
            .requestMissing,
            .otherGroup, .otherAccount, .content, .signers, .tooFewSigners(named: 1, needed: 2),
            .tooFewContributors(named: 1, needed: 2), .path,
            .notAsked(members: ["Bo"]), .unknownMember("Eve"),
            .memberName("cleo\", \"dora", .character("\"")),
            .repeatedMember("Bo"), .ambiguousMember("Ana,Bo"),
            .oldRecordMissing, .proposal(.badHostKey), .proposal(.oldHostKey(2)), .proposal(.oldGroup),
            .record(members: []),
            .record(members: ["Ana"]),
            .hostSignature(kind: "group_share", members: ["Ana", "Bo"]),
            .contradiction(kind: "group_contribution", member: "Ana"),
            .contribution(members: ["Ana"]), .confirmation(members: ["Ana"]), .commitment(members: ["Ana"]),
            .package(members: ["Ana"]),
            .share(members: ["Ana"]),
        ]
    }
}
