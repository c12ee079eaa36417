import Hashing
import SCALE
import SubstratePrimitives
import TrustStore
import UOS

/// The record of an old group that this vault keeps for a reshare, beside the groups that it is a member of:
/// a sealed setting. A new member checks the contributions with it, and it says for ever whether the key that
/// came from there was dealt.
public enum OldGroupRecord {
    private static let prefix = "old_group_record."

    /// The change that keeps it. Its signatures were checked.
    public static func keeping(_ record: UOS.GroupRecord) -> TrustChange {
        .putSetting(prefix + record.transcript.hex, record.bytes)
    }

    /// nil where none is kept.
    /// - Throws: `PayloadError`, ``GroupRefusal/otherProposal``
    static func kept(_ transcript: Hash32, _ trust: TrustState) throws -> UOS.GroupRecord? {
        guard let bytes = trust.settings[prefix + transcript.hex] else { return nil }
        guard case .group(.record(let record)) = try Payload(bytes).content, record.transcript == transcript
        else { throw GroupRefusal.otherProposal }
        return record
    }
}

/// That the key of a group was shared out anew, and its new record is complete: a sealed setting that nothing
/// removes. The old share is then of no use to its owner, and of use to a thief as long as it exists.
public struct SupersededGroup: Sendable, Equatable {
    private static let prefix = "superseded_group."

    /// What the members of the new group signed.
    public let transcript: Hash32
    /// The session of the new group.
    public let session: Hash32

    /// By the group of this record.
    public init(by record: UOS.GroupRecord) {
        (transcript, session) = (record.transcript, record.proposal.session)
    }

    init?(_ old: Hash32, _ trust: TrustState) {
        guard let value = trust.settings[Self.prefix + old.hex] else { return nil }
        var reader = SCALEReader(value)
        guard let transcript = try? reader.hash32(), let session = try? reader.hash32(),
            (try? reader.finish()) != nil
        else { return nil }
        (self.transcript, self.session) = (transcript, session)
    }

    /// The change that keeps it of the group with this transcript.
    public func marking(_ old: Hash32) -> TrustChange {
        .putSetting(Self.prefix + old.hex, transcript.bytes + session.bytes)
    }
}

/// What a machine that leaves checked of a reshare: a sealed setting with the transcript that follows from its
/// contributions.
///
/// The record of the new group has only its members' signatures, and whoever made the proposal may own all of
/// them. The contributions have the old members' signatures and their old public shares, so only who checked
/// these knows that the record ends a reshare, and not merely a proposal.
public enum CheckedReshare {
    private static let prefix = "checked_reshare."

    /// The change that keeps the transcript of a session.
    public static func keeping(_ transcript: Hash32, of session: Hash32) -> TrustChange {
        .putSetting(prefix + session.hex, transcript.bytes)
    }

    /// Whether the contributions of a session were checked here.
    public static func isKept(of session: Hash32, _ trust: TrustState) -> Bool {
        transcript(of: session, trust) != nil
    }

    /// nil where no contributions were checked.
    static func transcript(of session: Hash32, _ trust: TrustState) -> Hash32? {
        trust.settings[prefix + session.hex].flatMap { Hash32($0) }
    }
}

/// A proposal for which this vault gave its share of an old group on: a sealed setting that nothing removes.
/// With enough contributions its members have the key, whether or not the reshare ever ends.
public enum GivenShare {
    private static let prefix = "given_share."

    /// The change that keeps it.
    public static func keeping(_ proposal: GroupProposal) -> TrustChange {
        .putSetting(prefix + proposal.session.hex, proposal.bytes)
    }

    /// Those of the same old group beside this proposal, by session.
    static func before(_ proposal: GroupProposal, _ trust: TrustState) throws -> [GroupProposal] {
        guard let old = proposal.oldTranscript else { return [] }
        let given = try trust.settings.filter { $0.name.utf8Starts(with: prefix) }.map {
            guard case .group(.proposal(let proposal)) = try Payload($0.value).content else {
                throw GroupRefusal.otherProposal
            }
            return proposal
        }
        return given.filter { $0.oldTranscript == old && $0.session != proposal.session }.sorted {
            $0.session.bytes.lexicographicallyPrecedes($1.session.bytes)
        }
    }
}

extension TrustState {
    /// What took the place of a group; nil for one that goes on.
    public func superseded(_ transcript: Hash32) -> SupersededGroup? { SupersededGroup(transcript, self) }
}

extension GroupProposal {
    /// A whole key existed.
    public var isDealt: Bool {
        switch origin {
        case .new, .reshared: false
        case .dealt: true
        }
    }
}
