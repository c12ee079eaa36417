import GroupCollect
import SubstratePrimitives
import Threshold
import TrustStore
import UOS

/// A key of this vault before it is dealt to the members of a group.
public struct DealReview: Sendable, Equatable {
    /// The key whose account becomes the group's.
    public let key: KeyRecord
    /// As it must be typed, with the prefix of the person's own text.
    public let address: String
    /// In the order of the cards.
    public let members: [MakingMember]
    public let warnings: [MakingWarning]
    /// The proposal but for its salt and its dealer, which only the act knows.
    public let draft: GroupProposal

    /// - Throws: `LookupError`, ``GroupRefusal/cannotDeal(_:)``, `GroupCollectError`,
    ///   `PayloadError.group(_:_:)`
    public init(address: String, threshold: Int, label: String, cards: [GroupHost], _ trust: TrustState)
        throws
    {
        let key = try trust.key(address: address)
        guard key.seed != nil, GroupScheme(key.publicKey.scheme) != nil else {
            throw GroupRefusal.cannotDeal(address)
        }
        for card in cards {
            _ = try card.checkedWords()
            try GroupNames.check(member: card.member.name)
        }
        do throws(GroupFailure) {
            draft = try GroupProposal(
                scheme: key.publicKey.scheme, threshold: threshold, salt: [UInt8](repeating: 0, count: 16),
                label: label,
                members: cards.map(\.member))
        } catch {
            throw PayloadError.group(.groupProposal, error)
        }
        _ = try KeyGeneration(of: draft)
        self.key = key
        self.address = address
        members = draft.members.enumerated().map { MakingMember($0.offset + 1, $0.element, trust) }
        warnings = try MakingWarning.of(draft, members, trust) + [.dealt]
    }

    /// What is typed before the address; nil where each key was compared before.
    public var word: String? { members.contains { $0.standing == .unknown } ? HostCardReview.word : nil }

    public static func == (one: DealReview, other: DealReview) -> Bool {
        one.key == other.key && one.address.utf8Equals(other.address) && one.members == other.members
            && one.warnings == other.warnings
            && one.draft == other.draft
    }
}
