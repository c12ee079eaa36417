import Cards
import GroupCollect
import Keys
import Review
import SubstratePrimitives
import Threshold
import TrustStore
import UOS

/// A bundle b3 before this machine confirms it, as far as it can be checked without the host key.
public struct ContributionsReview: Sendable, Equatable {
    public let bundle: GroupContributions
    public let proposal: ProposalReview
    /// The making that it is for.
    public let making: GroupMaking
    /// What the confirmation signs.
    public let transcript: Hash32
    /// A, 32 bytes. No address is made of it before the record.
    public let groupKey: [UInt8]
    /// What holds of the group whatever its members are called.
    public let warnings: [GroupWarning]
    /// Whether this vault gets no share: it checks the contributions to a reshare, and confirms nothing.
    public let isLeaving: Bool

    /// Checks each host signature, then each number, point and proof.
    /// - Throws: ``GroupRefusal/unknownSession``, ``GroupRefusal/otherProposal``,
    ///   ``GroupRefusal/otherBundle``, ``GroupRefusal/ownContributionDiffers``,
    ///   ``GroupRefusal/contributions(_:)``
    public init(_ bundle: GroupContributions, _ trust: TrustState) throws {
        guard let making = trust.groupMakings.first(where: { $0.session == bundle.session }) else {
            throw GroupRefusal.unknownSession
        }
        let proposal = try making.proposalMessage()
        do throws(GroupFailure) { try bundle.check(against: proposal) } catch {
            throw GroupRefusal.otherProposal
        }
        self.bundle = bundle
        self.making = making
        self.proposal = try ProposalReview(proposal, trust)
        isLeaving = self.proposal.old != nil && !trust.isMember(making, of: proposal)
        if let old = self.proposal.old, old.record == nil { throw GroupRefusal.oldRecordMissing }
        let generation = try KeyGeneration(of: proposal, old: self.proposal.old?.record)
        let record = try GroupRefusal.naming(in: self.proposal) { () throws(ThresholdError) in
            try generation.combine(bundle.signed(in: proposal))
        }
        guard let transcript = Hash32(record.transcript) else { throw GroupRefusal.otherProposal }
        self.transcript = transcript
        groupKey = record.key.commitments[0]
        warnings = GroupWarning.ofSize(proposal) + GroupWarning.inherited(proposal, trust)
        // Signed by this machine, and not what it keeps: an older backup of this vault answered the same
        // proposal, or still does.
        if let own = try making.contributionMessage(),
            let entry = bundle.contributions.first(where: { $0.index == own.index }),
            entry.signedBytes != own.signedBytes
        {
            throw GroupRefusal.ownContributionDiffers
        }
        if let confirmed = try making.confirmationMessage(), confirmed.transcript != transcript {
            throw GroupRefusal.otherBundle
        }
        if let checked = CheckedReshare.transcript(of: bundle.session, trust), checked != transcript {
            throw GroupRefusal.otherBundle
        }
    }
}

extension GroupContributions {
    /// The contributions of the bundle, with the bytes that each signature covers. The bundle was already
    /// checked against the proposal.
    public func signed(in proposal: GroupProposal) -> [SignedContribution] {
        contributions.compactMap { try? $0.signed(in: proposal) }
    }
}

/// A record b5 before its group becomes active here.
public struct RecordReview: Sendable, Equatable {
    /// Why this vault believes the list of members.
    public enum Origin: Sendable, Equatable {
        /// It confirmed exactly this in this making.
        case making(GroupMaking)
        /// A seed of it signed this once: the person names the seed, and has the record from any member.
        case restored(seed: String)
        /// The group is active already.
        case held
        /// It is no member: it was one of this old group, whose key is shared out anew.
        case handedOn(HeldGroup)

        public static func == (one: Origin, other: Origin) -> Bool {
            switch (one, other) {
            case (.making(let one), .making(let other)): one == other
            case (.restored(let one), .restored(let other)): one.utf8Equals(other)
            case (.held, .held): true
            case (.handedOn(let one), .handedOn(let other)): one == other
            case (.making, _), (.restored, _), (.held, _), (.handedOn, _): false
            }
        }
    }

    public let record: UOS.GroupRecord
    public let members: [MakingMember]
    public let warnings: [GroupWarning]
    public let origin: Origin
    /// This vault's name for the group.
    public let name: String
    /// The key of this vault that signs alone for the group's account, and becomes the group's: its owner
    /// dealt it. nil where the vault has none.
    public let own: KeyRecord?

    /// A record of a making that this vault took part in, or of a group that is active already.
    /// - Throws: `GroupCollectError.record(members:)`, ``GroupRefusal``
    public init(_ record: UOS.GroupRecord, name: String?, _ trust: TrustState) throws {
        // All n signatures, before anything else is said of the record.
        _ = try record.checked()
        if let held = trust.groups.first(where: { $0.transcript == record.transcript }) {
            try self.init(record, name: held.name, isNamed: true, .held, trust)
            return
        }
        guard let making = trust.groupMakings.first(where: { $0.session == record.proposal.session }) else {
            throw GroupRefusal.unknownRecord
        }
        if let transcript = record.proposal.oldTranscript, !trust.isMember(making, of: record.proposal) {
            guard let old = trust.group(transcript) else { throw GroupRefusal.unknownRecord }
            // The new members' signatures prove nothing of a reshare: whoever made the proposal may own
            // them all. What old members gave on was checked in the bundle, this vault's contribution among it, and
            // the transcript covers all of it.
            guard let checked = CheckedReshare.transcript(of: making.session, trust) else {
                throw GroupRefusal.notChecked
            }
            guard checked == record.transcript, try old.recordMessage().groupKey == record.groupKey else {
                throw GroupRefusal.otherBundle
            }
            // One reshare took the place of the group; another one does not change what.
            if let next = trust.superseded(transcript), next != SupersededGroup(by: record) {
                throw GroupRefusal.superseded(old.name)
            }
            try self.init(record, name: old.name, isNamed: true, .handedOn(old), trust)
            return
        }
        guard let confirmed = try making.confirmationMessage() else { throw GroupRefusal.notConfirmed }
        guard confirmed.transcript == record.transcript, confirmed.groupKey == record.groupKey else {
            throw GroupRefusal.otherBundle
        }
        try self.init(
            record, name: try GroupNames.ofGroup(name, label: record.proposal.label, trust),
            isNamed: name != nil, .making(making), trust)
    }

    /// A record from any member, for a seed that was a member's.
    /// - Throws: `GroupCollectError.record(members:)`, ``GroupRefusal``
    public init(restoring record: UOS.GroupRecord, seed: String, name: String?, _ trust: TrustState) throws {
        _ = try record.checked()
        if let held = trust.groups.first(where: { $0.transcript == record.transcript }) {
            throw GroupRefusal.active(held.name)
        }
        try self.init(
            record, name: try GroupNames.ofGroup(name, label: record.proposal.label, trust),
            isNamed: name != nil, .restored(seed: seed),
            trust)
    }

    /// - Parameter isNamed: whether a person chose the name.
    private init(
        _ record: UOS.GroupRecord, name: String, isNamed: Bool, _ origin: Origin, _ trust: TrustState
    ) throws {
        self.record = record
        self.name = name
        self.origin = origin
        members = record.proposal.members.enumerated().map { MakingMember($0.offset + 1, $0.element, trust) }
        // Another group has the same label, so a person could confuse the two.
        let label = record.proposal.label
        let isRenamed = origin != .held && !label.utf8.isEmpty && !isNamed && !label.utf8Equals(name)
        // Nobody compared the members of a group that comes back: a name that somebody borrowed is remarked
        // as in a proposal. Those of a making were, when this vault took part.
        let ofMembers =
            switch origin {
            case .restored: try GroupWarning.of(record.proposal, members, trust)
            case .making, .held, .handedOn:
                GroupWarning.ofSize(record.proposal) + GroupWarning.inherited(record.proposal, trust)
            }
        guard let key = PublicKey(scheme: record.scheme, bytes: record.groupKey) else {
            throw GroupCollectError.record(members: [])
        }
        publicKey = key
        let held = origin == .held ? nil : trust.key(key)
        own = held?.group == nil ? held : nil
        warnings =
            GroupWarning.ofNames(members) + ofMembers
            + (isRenamed ? [.labelTaken(label: ExactText(label), name: ExactText(name))] : [])
            + (own.map {
                [
                    .takesKey(
                        address: ExactText(key.address(prefix: 42)), seed: $0.seed.map { ExactText($0) })
                ]
            } ?? [])
        switch origin {
        // This vault confirmed it, so it is a member.
        case .making: try requireFreeAccount(trust)
        // Whether it is a member is not known before a seed is open.
        case .restored, .held, .handedOn: break
        }
    }

    /// Refuses a record whose account another group of this vault has: a key was dealt twice, or the record
    /// is of an older sharing. The group that a reshare came from gives its account to the new one.
    ///
    /// Only after the vault is known to be a member, with a share that fits: anybody can sign a record of
    /// strangers around somebody else's address. Told that the address is held, its owner would remove the
    /// key, and no group would come.
    /// - Throws: ``GroupRefusal/accountHeld(_:)``
    public func requireFreeAccount(_ trust: TrustState) throws(GroupRefusal) {
        guard let holder = trust.key(publicKey)?.group, holder != record.proposal.oldTranscript else {
            return
        }
        throw .accountHeld(publicKey.address(prefix: 42))
    }

    /// Members whose words nobody compared here, for a restored group. If this vault took part in the making,
    /// they were compared then.
    public var unknown: [MakingMember] {
        switch origin {
        case .restored: members.filter { $0.standing == .unknown }
        case .making, .held, .handedOn: []
        }
    }

    /// What is typed instead of yes where a key of this vault becomes the group's.
    public static let takingWord = "give up the key"

    var typedWord: TypedWord? {
        TypedWord.both(
            own == nil ? nil : TypedWord(Self.takingWord, 3),
            unknown.isEmpty ? nil : TypedWord(HostCardReview.word, 2))
    }

    /// What is typed instead of yes; nil where each key was compared before and no key is given up.
    public var word: String? { typedWord?.text }

    /// A: the account of the group.
    public let publicKey: PublicKey

    public static func == (one: RecordReview, other: RecordReview) -> Bool {
        one.record == other.record && one.members == other.members && one.warnings == other.warnings
            && one.origin == other.origin && one.own == other.own
            && one.name.utf8Equals(other.name)
    }
}
