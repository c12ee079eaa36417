import Diagnostics
import SubstratePrimitives
import Threshold
import UOS

/// Why this vault does not take part in a group, or not in this way. Members are named as the proposal names them, or as this vault does where their key is
/// a host contact.
public enum GroupRefusal: Error, Equatable, Sendable {
    /// A contribution that is wrong.
    public struct Fault: Equatable, Sendable {
        /// In the proposal; 0 for a dealer.
        public let member: Int
        public let name: String
        public let reason: ContributionFault.Reason

        public init(member: Int, name: String, reason: ContributionFault.Reason) {
            self.member = member
            self.name = name
            self.reason = reason
        }

        public static func == (one: Fault, other: Fault) -> Bool {
            one.member == other.member && one.name.utf8Equals(other.name) && one.reason == other.reason
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
    /// Contributions that are wrong, ascending by member. Where host signatures are wrong, only those are named: the others prove nothing.
    case contributions([Fault])
    /// The contributions cancel each other.
    case badGroupKey
    /// The bundle holds a contribution that this machine's key signed, and that is not the one it made.
    case ownContributionDiffers
    /// Another bundle of this session was confirmed here.
    case otherBundle
    /// A record of a session that this vault knows nothing of.
    case unknownRecord
    /// A record of a session whose bundle this vault did not confirm.
    case notConfirmed
    /// The group is active already, under this name.
    case active(String)
    /// The account of the group is a key of this vault, which signs alone; its address.
    case accountHeld(String)
    /// No host key of this seed is among the members.
    case notOfSeed(String)
    /// The host key gives no share that fits the record.
    case wrongShare
    /// A seed is to be removed that is a member of groups; their names. Without it their shares here are gone.
    case seedOfGroups(String, groups: [String])
    /// What a card or a proposal calls a member is no name.
    case memberName(String, ContactLabel.Problem)
    /// The key cannot be dealt: its scheme has no threshold signatures, or no seed gives it.
    case cannotDeal(String)

    /// Names the members in what the mathematics refuses.
    static func naming<Result>(in proposal: ProposalReview, _ body: () throws(ThresholdError) -> Result) throws(GroupRefusal) -> Result {
        do throws(ThresholdError) {
            return try body()
        } catch {
            throw GroupRefusal(error, in: proposal)
        }
    }

    /// What the mathematics refuses, with the members' names.
    public init(_ error: ThresholdError, in proposal: ProposalReview) {
        self =
            switch error {
            case .contributions(let faults):
                .contributions(
                    faults.map { fault in
                        let member = fault.index == 0 ? proposal.dealer : proposal.members.first { $0.index == fault.index }
                        return Fault(member: fault.index, name: member?.shownName ?? "", reason: fault.reason)
                    })
            case .badGroupKey, .badRecord: .badGroupKey
            case .notTheMember: .notAMember
            case .wrongShare: .wrongShare
            case .size, .badHostKey, .repeatedHostKey, .notTheDealtKey, .contributors, .certificate, .signers, .badCommitment, .otherNonces,
                .identityCommitment, .signatureShares, .path, .selfCheck:
                .otherProposal
            }
    }

    public static func == (one: GroupRefusal, other: GroupRefusal) -> Bool {
        one.code == other.code && one.sentence.utf8Equals(other.sentence)
    }
}

extension GroupRefusal: DiagnosticError {
    public enum Code: String, CaseIterable, Sendable {
        /// This machine is no member.
        case notAMember = "group-not-a-member"
        /// One machine would have several votes.
        case severalOwn = "group-two-keys-of-one-vault"
        /// A card of this vault.
        case ownCard = "group-own-card"
        /// Too many host contacts.
        case contactsFull = "group-contacts-full"
        /// A name that is taken.
        case nameTaken = "group-name-taken"
        /// No such host contact.
        case unknownContact = "group-unknown-contact"
        /// No such group.
        case unknownGroup = "group-unknown"
        /// A message whose group this vault does not know.
        case unknownSession = "group-unknown-session"
        /// A message that does not fit its session.
        case otherProposal = "group-other-proposal"
        /// A member's contribution is wrong.
        case contribution = "group-bad-contribution"
        /// This machine answered twice, or was restored from a backup.
        case ownContribution = "group-own-contribution"
        /// A second bundle or record for one session.
        case otherBundle = "group-other-bundle"
        /// A record before its bundle.
        case notConfirmed = "group-not-confirmed"
        /// The group is active already.
        case active = "group-active"
        /// The account is another key of this vault.
        case accountHeld = "group-account-held"
        /// The share does not fit.
        case wrongShare = "group-wrong-share"
        /// A seed that a group needs.
        case seedOfGroups = "group-needs-seed"
        /// A member's name that is no name.
        case memberName = "group-member-name"
        /// A key that cannot be dealt.
        case cannotDeal = "group-cannot-deal"
    }

    /// The stable word of this error, one of ``Code``.
    public var code: Code {
        switch self {
        case .notAMember, .notOfSeed: .notAMember
        case .severalOwn: .severalOwn
        case .ownCard: .ownCard
        case .contactsFull: .contactsFull
        case .nameTaken: .nameTaken
        case .noSuchHostContact: .unknownContact
        case .noSuchGroup: .unknownGroup
        case .unknownSession, .unknownRecord: .unknownSession
        case .otherProposal: .otherProposal
        case .contributions, .badGroupKey: .contribution
        case .ownContributionDiffers: .ownContribution
        case .otherBundle: .otherBundle
        case .notConfirmed: .notConfirmed
        case .active: .active
        case .accountHeld: .accountHeld
        case .wrongShare: .wrongShare
        case .seedOfGroups: .seedOfGroups
        case .memberName: .memberName
        case .cannotDeal: .cannotDeal
        }
    }

    public var sentence: String {
        switch self {
        case .notAMember: "no host key of this vault is a member of this group"
        case .severalOwn(let names):
            "several members of this group are this vault, which would be one machine with several votes: \(Self.list(names))"
        case .ownCard(let seed): "this is the host card of this vault, of seed \(seed)"
        case .contactsFull: "a vault holds at most \(HostCardReview.maximumContacts) host contacts"
        case .nameTaken(let name, let other): "the name \(Self.name(name)) can be mistaken for \(Self.name(other))"
        case .noSuchHostContact(let name): "no host contact is named \(Self.name(name))"
        case .noSuchGroup(let name): "no group is named \(Self.name(name))"
        case .unknownSession: "the proposal of these contributions was not scanned with this vault"
        case .otherProposal: "the message does not fit the proposal of its group"
        case .contributions(let faults): faults.map(Self.words).joined(separator: "; ")
        case .badGroupKey: "the contributions cancel each other: together they give no key"
        case .ownContributionDiffers:
            "the bundle holds another contribution of this machine than the one that this vault made: an older copy of this vault answered too"
        case .otherBundle: "this vault confirmed other contributions for this group: its members were shown different ones"
        case .unknownRecord: "this vault took no part in the making of this group"
        case .notConfirmed: "this vault did not confirm the contributions of this group"
        case .active(let name): "this group is active already, as \(Self.name(name))"
        case .accountHeld(let address): "this vault already holds a key for the account of this group, \(address)"
        case .notOfSeed(let seed): "no host key of seed \(seed) is a member of this group"
        case .wrongShare: "the host key of this vault gives no share that fits this group"
        case .seedOfGroups(let seed, let groups):
            "seed \(seed) gives this machine's share of \(groups.count == 1 ? "the group" : "the groups") \(Self.list(groups))"
        case .memberName(let name, let problem): "\(Self.name(name)) cannot be the name of a member: \(problem.words)"
        case .cannotDeal(let address): "the key of \(address) cannot be dealt: only sr25519 and ed25519 keys of a seed can"
        }
    }

    private static func words(_ fault: Fault) -> String {
        let sender = fault.member == 0 ? "the dealer \(name(fault.name))" : "\(name(fault.name)) (member \(fault.member))"
        return switch fault.reason {
        case .hostSignature: "the contribution of \(sender) is not signed with that host key"
        case .count: "the contribution of \(sender) has another number of values than the group needs"
        case .point: "the contribution of \(sender) has an invalid point"
        case .scalar: "the contribution of \(sender) has an invalid number"
        case .proof: "the contribution of \(sender) does not prove that its sender knows what it commits to"
        case .dealtKey: "the contribution of \(sender) is for another account than the proposal's"
        case .share: "the share from \(sender) is wrong: this machine claims it, and nobody else can check it"
        }
    }

    private static func name(_ name: String) -> String { GroupMember.quoted(name) }
    private static func list(_ names: [String]) -> String { names.map(name).joined(separator: ", ") }

    public static var examples: [GroupRefusal] {
        let faults = ContributionFault.Reason.allCases.enumerated().map { Fault(member: $0.offset, name: "Ana", reason: $0.element) }
        return [
            .notAMember, .severalOwn(["Ana", "Bo"]), .ownCard(seed: "main"), .contactsFull, .nameTaken("Ana", by: "Аna"),
            .noSuchHostContact("Eve"), .noSuchGroup("office"), .unknownSession, .otherProposal, .badGroupKey, .ownContributionDiffers,
            .otherBundle, .unknownRecord, .notConfirmed, .active("office"),
            .accountHeld("5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"), .notOfSeed("main"), .wrongShare,
            .seedOfGroups("main", groups: ["office"]),
            .memberName("cleo\", \"dora", .character("\"")),
            .cannotDeal("5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"),
        ] + faults.map { .contributions([$0]) }
    }
}
