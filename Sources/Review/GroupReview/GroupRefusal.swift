import Accounts
import Diagnostics
import GroupCollect
import SubstratePrimitives
import Threshold
import UOS

/// Why this vault does not take part in a group, or not in this way. Members are named as the proposal names
/// them, or as this vault does where their key is a host contact.
public enum GroupRefusal: Error, Equatable, Sendable {
    /// A contribution that is wrong.
    public struct Fault: Equatable, Sendable {
        /// The number of the member in the proposal; 0 for a dealer.
        public let member: Int
        public let name: String
        public let reason: ContributionFault.Reason
        /// Whether the number is one of the old group, whose key is shared out anew.
        public let isOfOldGroup: Bool

        public init(
            member: Int, name: String, reason: ContributionFault.Reason, isOfOldGroup: Bool = false
        ) {
            self.member = member
            self.name = name
            self.reason = reason
            self.isOfOldGroup = isOfOldGroup
        }

        public static func == (one: Fault, other: Fault) -> Bool {
            one.member == other.member && one.name.utf8Equals(other.name) && one.reason == other.reason
                && one.isOfOldGroup == other.isOfOldGroup
        }
    }

    /// No host key of this vault is among the members.
    case notAMember
    /// Several members are this vault; their names.
    case severalOwn([String])
    /// The card of this vault.
    case ownCard(seed: String)
    /// The vault has as many host contacts as it holds.
    case contactsFull
    /// Another host contact or group has this name, or one that may be taken for it.
    case nameTaken(String, by: String)
    case noSuchHostContact(String)
    case noSuchGroup(String)
    /// A bundle of a session whose proposal was not scanned here.
    case unknownSession
    /// A message that does not fit the proposal of its session.
    case otherProposal
    /// Contributions that are wrong, ascending by member. Where host signatures are wrong, only those are
    /// named: the others prove nothing.
    case contributions([Fault])
    /// The contributions cancel each other.
    case badGroupKey
    /// The bundle holds a contribution that this machine's key signed, and that is not the one it made.
    case ownContributionDiffers
    /// Another bundle of this session was confirmed here.
    case otherBundle
    /// A session that this vault took part in and then left.
    case left
    /// A record of a session that this vault does not know.
    case unknownRecord
    /// A record of a session whose bundle this vault did not confirm.
    case notConfirmed
    /// The record of the group that is reshared is not here.
    case oldRecordMissing
    /// A new share for a seed that gives a share of the old group.
    case oldSeed(String)
    /// A bundle of a reshare in which this vault gets no share.
    case leaving
    /// The record of a reshare whose contributions this vault did not check.
    case notChecked
    /// The key of the group was shared out anew.
    case superseded(String)
    /// The group is active already, under this name.
    case active(String)
    /// Another group of this vault has the account already; its address. The hint only shows the key: what a
    /// message made somebody read must not lead to its removal.
    case accountHeld(String)
    /// No host key of this seed is among the members.
    case notOfSeed(String)
    /// The share that the record holds for this vault does not match the record.
    case wrongShare
    /// A seed is to be removed that is a member of groups; their names. Without it their shares here are
    /// gone.
    case seedOfGroups(String, groups: [String])
    /// The name of a member on a card or in a proposal is not valid.
    case memberName(String, ContactLabel.Problem)
    /// The key cannot be dealt: its scheme has no threshold signatures, or no seed gives it.
    case cannotDeal(String)
    /// A path below the group's key that no request can name.
    case pathOfNoRequest

    /// Host contacts of one vault.
    static let maximumContacts = 256

    public static func == (one: GroupRefusal, other: GroupRefusal) -> Bool {
        one.diagnostic == other.diagnostic
    }
}

extension GroupRefusal: DiagnosticError {
    public var diagnostic: Diagnostic {
        switch self {
        case .notAMember:
            .refused(
                "group-not-a-member", "no host key of this vault is a member of this group",
                hint: "show your card to whoever makes the proposal: heliograph group card SEED --name NAME")
        case .severalOwn(let names):
            .refused(
                "group-two-keys-of-one-vault",
                "several members of this group are this vault, so one machine "
                    + "would have several votes: \(Self.list(names))",
                hint: "ask for a proposal with one card of each machine")
        case .ownCard(let seed):
            .refused(
                "group-own-card", "this is the host card of this vault, of seed \(seed)",
                hint: "scan the cards of the other members")
        case .contactsFull:
            .refused(
                "group-contacts-full",
                "a vault holds at most \(Self.maximumContacts) host contacts",
                hint: "heliograph group contacts remove NAME")
        case .nameTaken(let name, let other):
            .refused(
                "group-name-taken", "the name \(Self.name(name)) can be mistaken for \(Self.name(other))",
                hint: "choose another name with --name")
        case .noSuchHostContact(let name):
            .refused(
                "group-unknown-contact", "no host contact is named \(Self.name(name))",
                hint: "heliograph group contacts")
        case .noSuchGroup(let name):
            .refused("group-unknown", "no group is named \(Self.name(name))", hint: "heliograph group list")
        case .unknownSession:
            .refused(
                "group-unknown-session",
                "the proposal of these contributions was not scanned with this vault",
                hint: "scan the proposal first")
        case .otherProposal:
            .badInput(
                "group-other-proposal", "the message does not fit the proposal of its group",
                hint: "ask for the message again")
        case .contributions(let faults):
            .badInput(
                "group-bad-contribution", faults.map(Self.words).joined(separator: "; "),
                hint: "ask that member for the contribution again")
        case .badGroupKey:
            .badInput(
                "group-bad-contribution", "the contributions cancel each other: together they give no key",
                hint: "start again with a new proposal")
        case .ownContributionDiffers:
            .refused(
                "group-own-contribution",
                "the bundle holds a contribution of this machine that this vault "
                    + "did not make: an older copy of this vault answered too",
                hint: "start again with a new proposal, and use only one copy of this vault")
        case .otherBundle:
            .refused(
                "group-other-bundle",
                "this vault confirmed other contributions for this "
                    + "group: its members were shown different ones",
                hint: "compare with the other members what each of them "
                    + "was shown, and start again with a new proposal")
        case .left:
            .refused(
                "group-left",
                "this vault took part in the making of this group before, and does not answer it again",
                hint: "start again with a new proposal")
        case .unknownRecord:
            .refused(
                "group-unknown-session", "this vault took no part in the making of this group",
                hint: "if a seed of this vault was a member before: heliograph group restore SEED RECORD")
        case .notConfirmed:
            .refused(
                "group-not-confirmed", "this vault did not confirm the contributions of this group",
                hint: "if a seed of this vault was a member before: heliograph group restore SEED RECORD")
        case .oldRecordMissing:
            .refused(
                "group-old-record-missing",
                "the record of the group whose key is reshared is not in this vault",
                hint: "scan that record: an old member shows it with heliograph group record")
        case .oldSeed(let seed):
            .refused(
                "group-old-seed",
                "seed \(seed) gives a share of the old group for ever: a new share needs a new seed",
                hint: "heliograph seed new NAME, then heliograph group card NAME --name NAME")
        case .leaving:
            .refused(
                "group-leaving", "this vault gets no share of the new group, so it confirms nothing",
                hint: "scan the record of the new group, when all its members have confirmed")
        case .notChecked:
            .refused(
                "group-not-checked",
                "this vault did not check the contributions to the new group: its record proves no reshare",
                hint: "scan the bundle of all contributions first")
        case .superseded(let name):
            .refused(
                "group-superseded",
                "the key of the group \(Self.name(name)) was shared out anew: its account belongs to the new "
                    + "group", hint: "heliograph group list")
        case .active(let name):
            .refused(
                "group-active", "this group is active already, as \(Self.name(name))",
                hint: "heliograph group list")
        case .accountHeld(let address):
            .refused(
                "group-account-held",
                "another group of this vault already has the account of this group, \(address)",
                hint: "heliograph key show \(address)")
        case .notOfSeed(let seed):
            .refused(
                "group-not-a-member", "no host key of seed \(seed) is a member of this group",
                hint: "heliograph seed list")
        case .wrongShare:
            .refused(
                "group-wrong-share", "this vault's share in the group record is wrong",
                hint: "ask another member for the record")
        case .seedOfGroups(let seed, let groups):
            .refused(
                "group-needs-seed",
                "seed \(seed) gives this machine's share of "
                    + "\(groups.count == 1 ? "the group" : "the groups") \(Self.list(groups))",
                hint: "heliograph group remove \(groups.first.map(Hints.quoted) ?? "")")
        case .memberName(let name, let problem):
            .refused(
                "group-member-name", GroupCollectError.memberName(name, problem).diagnostic.message,
                hint: "ask that member for a card with another name: heliograph group card SEED --name NAME")
        case .cannotDeal(let address):
            .refused(
                "group-cannot-deal",
                "the key of \(address) cannot be dealt: only sr25519 and ed25519 keys outside a group can, "
                    + "in a vault with a seed",
                hint: "heliograph key list")
        case .pathOfNoRequest:
            .usage(
                "group-path", GroupCollectError.path.diagnostic.message,
                hint: "an account below another path could never sign; choose one such as /polkadot")
        }
    }

    private static func words(_ fault: Fault) -> String {
        let sender =
            fault.member == 0
            ? "the dealer \(name(fault.name))"
            : "\(name(fault.name)) (\(fault.isOfOldGroup ? "old " : "")member \(fault.member))"
        return switch fault.reason {
        case .hostSignature: "the contribution of \(sender) is not signed with that host key"
        case .count: "the contribution of \(sender) has the wrong number of values for the group"
        case .point: "the contribution of \(sender) has an invalid point"
        case .scalar: "the contribution of \(sender) has an invalid number"
        case .proof: "the contribution of \(sender) does not prove that its sender knows what it commits to"
        case .dealtKey: "the contribution of \(sender) is for another account than the proposal's"
        case .oldShare: "the contribution of \(sender) is not for its share of the old group"
        case .share: "the share from \(sender) is wrong: this machine claims it, and nobody else can check it"
        }
    }

    private static func name(_ name: String) -> String { name.inQuotationMarks }

    private static func list(_ names: [String]) -> String { names.map(name).joined(separator: ", ") }

    public static var examples: [GroupRefusal] {
        let faults = ContributionFault.Reason.allCases.enumerated().map {
            Fault(member: $0.offset, name: "Ana", reason: $0.element)
        }
        return [
            .notAMember, .severalOwn(["Ana", "Bo"]), .ownCard(seed: "main"), .contactsFull,
            .nameTaken("Ana", by: "Аna"),
            .noSuchHostContact("Eve"), .noSuchGroup("office"), .unknownSession, .otherProposal, .badGroupKey,
            .ownContributionDiffers, .oldRecordMissing, .oldSeed("main"), .leaving, .notChecked,
            .superseded("office"),
            .otherBundle, .left, .unknownRecord, .notConfirmed, .active("office"),
            .accountHeld("5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"), .notOfSeed("main"), .wrongShare,
            .seedOfGroups("main", groups: ["office"]),
            .memberName("cleo\", \"dora", .character("\"")),
            .cannotDeal("5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"), .pathOfNoRequest,
        ] + faults.map { .contributions([$0]) }
    }
}
