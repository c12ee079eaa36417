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
    }

    /// What this vault calls it; nil where this machine is no member of it.
    public var name: String? { held?.name }
}

extension TrustState {
    /// Whether a whole key existed, as far as the records here say: that of the proposal's group, and those of
    /// the groups that its key came from. A record has the hash of the one before it, so the chain ends.
    public func isDealt(_ proposal: GroupProposal) -> Bool {
        var next = proposal
        while let transcript = next.oldTranscript {
            let known =
                (try? group(transcript)?.recordMessage()) ?? (try? OldGroupRecord.kept(transcript, self))
            guard let known else { return false }
            next = known.proposal
        }
        return next.isDealt
    }

    /// The open making that shares out the key of another group, which this vault is no member of; nil where
    /// there is none. Its record is kept, and not activated.
    public func openReshare(of transcript: Hash32) throws -> (making: GroupMaking, proposal: GroupProposal)? {
        guard group(transcript) == nil else { return nil }
        return try openMakings().first { $0.proposal.oldTranscript == transcript }
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
        !proposal.isDealt && trust.isDealt(proposal) ? [.dealt] : []
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
        guard let (making, proposal) = try trust.openReshare(of: record.transcript) else {
            throw GroupRefusal.unknownRecord
        }
        _ = try KeyGeneration(of: proposal, old: record)
        self.record = record
        self.making = making
        members = record.proposal.members.enumerated().map { MakingMember($0.offset + 1, $0.element, trust) }
        isHeld = try OldGroupRecord.kept(record.transcript, trust) != nil
    }
}
