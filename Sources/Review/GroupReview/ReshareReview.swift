import Cards
import GroupCollect
import Hashing
import SubstratePrimitives
import Threshold
import TrustStore
import UOS

/// The group whose key a proposal shares out anew, as this vault knows it.
///
/// The proposal names it by the hash that all its members signed, so any copy of its record may come from
/// anywhere. Whether it is the group that a person means, nobody can see in the messages: a member of it takes
/// the record under his own seal, and everybody else compares the address at the end with an old member.
public struct OldGroupReview: Sendable, Equatable {
    /// What its members signed.
    public let transcript: Hash32
    /// nil where this vault has no copy yet.
    public let record: UOS.GroupRecord?
    /// nil where this machine is no member of it.
    public let held: HeldGroup?
    /// Those who contribute, with their numbers in the old group; empty without the record.
    public let contributors: [MakingMember]
    /// Whether this machine is to contribute.
    public let contributes: Bool
    /// The other proposals for which this vault gave its share on.
    public let given: [GroupProposal]

    /// nil for a proposal that reshares nothing.
    init?(_ proposal: GroupProposal, _ trust: TrustState) throws {
        guard case .reshared(let transcript, let indices) = proposal.origin else { return nil }
        self.transcript = transcript
        let held = trust.group(transcript)
        let record = try held?.recordMessage() ?? OldGroupRecord.kept(transcript, trust)
        self.held = held
        self.record = record
        contributors = (record?.proposal.members ?? []).enumerated().filter {
            indices.contains($0.offset + 1)
        }.map { MakingMember($0.offset + 1, $0.element, trust) }
        contributes = held.map { indices.contains($0.member) } ?? false
        given = try GivenShare.before(proposal, trust)
    }

    /// What this vault calls it; nil where this machine is no member of it.
    public var name: String? { held?.name }
}

extension TrustState {
    /// Whether a whole key existed, by the record of the proposal's group, and those of the groups that its
    /// key came from. A record has the hash of the one before it, so the chain ends. nil where a record of it is
    /// not here, as after a second reshare or a restore: then nobody can say here that no whole key existed.
    public func isDealt(_ proposal: GroupProposal) -> Bool? {
        var next = proposal
        while let transcript = next.oldTranscript {
            let known =
                (try? group(transcript)?.recordMessage()) ?? (try? OldGroupRecord.kept(transcript, self))
            guard let known else { return nil }
            next = known.proposal
        }
        return next.isDealt
    }

    /// The open making that shares out the key of this record's group, which this vault is no member of; nil
    /// where there is none. The record is kept, and not activated.
    ///
    /// A proposal that the record does not fit was answered before the record was here. It must not keep the
    /// record from another proposal, so the first that fits is taken.
    public func openReshare(of record: UOS.GroupRecord) throws -> (
        making: GroupMaking, proposal: GroupProposal
    )? {
        guard group(record.transcript) == nil else { return nil }
        let waiting = try openMakings().filter { $0.proposal.oldTranscript == record.transcript }
        return waiting.first { (try? KeyGeneration(of: $0.proposal, old: record)) != nil } ?? waiting.first
    }

    /// Whether this vault is an old member that gets no share in the making of this session.
    public func leaves(_ session: Hash32) throws -> Bool {
        guard let making = groupMaking(session) else { return false }
        let proposal = try making.proposalMessage()
        return proposal.oldTranscript != nil && !isMember(making, of: proposal)
    }

    /// Whether the machine of a making is a member of its group. Only an old member who leaves is none.
    public func isMember(_ making: GroupMaking, of proposal: GroupProposal) -> Bool {
        proposal.members.contains {
            standing(ofHost: $0.hostKey) == .own(seed: making.seed, index: making.hostIndex)
        }
    }
}

extension GroupWarning {
    /// What the origin of a key leaves behind, beyond what its own proposal says.
    static func inherited(_ proposal: GroupProposal, _ trust: TrustState) -> [GroupWarning] {
        guard !proposal.isDealt else { return [] }
        return switch trust.isDealt(proposal) {
        case true?: [.dealt]
        case false?: []
        case nil: [.originUnknown]
        }
    }

    /// What a reshare changes about the old group, and what this vault gave on before.
    static func of(_ old: OldGroupReview?, _ proposal: GroupProposal, _ members: [MakingMember])
        -> [GroupWarning]
    {
        guard let old else { return [] }
        var warnings: [GroupWarning] = []
        if let needed = old.record?.proposal.threshold, proposal.threshold < needed {
            warnings.append(.thresholdLowered(old: needed, new: proposal.threshold))
        }
        if old.contributes, !old.given.isEmpty {
            let keys = old.given.flatMap(\.members).map(\.hostKey)
            let again = members.filter { keys.contains($0.hostKey) }.map { ExactText($0.shownName) }
            warnings.append(.shareGiven(proposals: old.given.count, again: again))
        }
        return warnings
    }
}

/// The record of an old group, before this vault keeps it for the reshare that it takes part in.
public struct OldRecordReview: Sendable, Equatable {
    public let record: UOS.GroupRecord
    /// In the order of the old group.
    public let members: [MakingMember]
    /// The reshare that needs it.
    public let making: GroupMaking
    /// Whether this vault has the record already.
    public let isHeld: Bool

    /// - Throws: ``GroupRefusal/unknownRecord`` for a record that no open making here waits for;
    ///   `GroupCollectError.record(members:)`, `GroupCollectError.proposal(_:)`
    public init(_ record: UOS.GroupRecord, _ trust: TrustState) throws {
        guard let (making, proposal) = try trust.openReshare(of: record) else {
            throw GroupRefusal.unknownRecord
        }
        _ = try KeyGeneration(of: proposal, old: record)
        self.record = record
        self.making = making
        members = record.proposal.members.enumerated().map { MakingMember($0.offset + 1, $0.element, trust) }
        isHeld = try OldGroupRecord.kept(record.transcript, trust) != nil
    }
}
