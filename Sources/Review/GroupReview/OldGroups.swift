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
