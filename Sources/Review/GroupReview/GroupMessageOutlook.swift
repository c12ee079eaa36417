import Cards
import TrustStore
import UOS

/// The warnings and refusals of names that `scan` would give for a message of a group, for a person who only
/// looks at it.
///
/// The sender chooses the names in a message, and they stand on cards beside keys. Cards alone would let a
/// borrowed name pass for a person.
public struct GroupMessageOutlook {
    public private(set) var warnings: [GroupWarning] = []
    /// Why the message is refused; nil where it is not, or where nothing here tells.
    public private(set) var refusal: (any Error)?

    /// - Parameters:
    ///   - message: that somebody looks at.
    ///   - trust: what the vault believes, or nothing where there is none.
    public init(_ message: GroupMessage, _ trust: TrustState) {
        do {
            switch message {
            case .host(let host):
                try GroupNames.check(member: host.member.name)
                // One's own card is shown to others, not scanned.
                if case .own = trust.standing(ofHost: host.member.hostKey) { return }
                warnings = try HostCardReview(host, name: nil, trust, seeds: []).warnings
            case .proposal(let proposal): warnings = try ProposalReview(proposal, trust).warnings
            case .record(let record): warnings = try Self.warnings(of: record, trust)
            case .contributions, .contribution, .confirmation, .request, .commitment, .package, .share: break
            }
        } catch GroupRefusal.active {
            // Its names were judged when it became active.
        } catch { refusal = error }
    }

    /// A record that this vault does not know may be of a seed that it will restore.
    private static func warnings(of record: UOS.GroupRecord, _ trust: TrustState) throws -> [GroupWarning] {
        if let known = try? RecordReview(record, name: nil, trust) { return known.warnings }
        let members = record.proposal.members.enumerated().map {
            MakingMember($0.offset + 1, $0.element, trust)
        }
        return try GroupWarning.ofNames(members) + GroupWarning.of(record.proposal, members, trust)
    }
}
