import GroupCollect
import GroupReview
import Hashing
import Keys
import SubstratePrimitives
import Threshold
import TrustStore
import UOS

/// Deals a key of this vault to the members of a group: makes the proposal b1 and the dealer's contribution
/// b2, whose first commitment is the key.
///
/// A whole key existed, and its seed or its secret signs alone as long as it exists. The group is marked as
/// dealt in its proposal, which every later message is bound to, so every member's screen says so for ever.
public struct DealGroup: Operation {
    /// Both messages, for the members and for whoever collects.
    public struct Dealt: Sendable {
        /// Message b1 whole.
        public let proposal: [UInt8]
        /// Message b2 whole.
        public let contribution: [UInt8]
    }

    let address: String
    let threshold: Int
    let label: String
    let cards: [GroupHost]

    /// - `address`: of the key, as `TrustState.key(address:)` reads it.
    /// - `cards`: of the members, in their order.
    public init(address: String, threshold: Int, label: String, cards: [GroupHost]) {
        self.address = address
        self.threshold = threshold
        self.label = label
        self.cards = cards
    }

    /// - Throws: `LookupError`, `GroupRefusal.cannotDeal(_:)`, `GroupRefusal.severalOwn(_:)`,
    ///   `GroupCollectError`, `PayloadError.group(_:_:)`
    public func preview(_ view: VaultView) throws -> DealReview {
        let review = try DealReview(
            address: address, threshold: threshold, label: label, cards: cards, view.trust)
        try view.requireOneVote(review.draft)
        return review
    }

    /// - Throws: `GroupRefusal.severalOwn(_:)`
    public func perform(_ shown: DealReview, in context: CommitContext<Self>) throws -> PreparedCommit<Dealt>
    {
        let phrases = context.view.seedNames.filter { context.view.trust.kind(ofSeed: $0) == .phrase }
        guard let seed = shown.key.seed ?? phrases.first else {
            throw GroupRefusal.cannotDeal(address)
        }
        // A dealer who is a member has one host key in the group.
        let own = try context.ownMember(of: shown.draft)
        let (hostSeed, hostIndex) = own.map { ($0.seed, $0.index) } ?? (seed, 0)
        let pair = try context.keyPair(shown.key, address: address)
        let (proposal, contribution) = try context.withHost(of: hostSeed, index: hostIndex) {
            (host: borrowing HostKey) in
            var random = SystemRandomNumberGenerator()
            let proposal: GroupProposal
            do throws(GroupFailure) {
                proposal = try GroupProposal(
                    scheme: shown.draft.scheme,
                    origin: .dealt(dealer: host.publicKey.bytes, publicKey: shown.key.publicKey.bytes),
                    threshold: shown.draft.threshold,
                    salt: (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) },
                    label: shown.draft.label,
                    members: shown.draft.members)
            } catch {
                throw PayloadError.group(.groupProposal, error)
            }
            let generation = try KeyGeneration(of: proposal)
            let contribution = try GroupContribution(
                try generation.deal(pair, host: host), to: proposal, by: host)
            // What goes out is checked as every member will check it.
            _ = try generation.combine([try contribution.signed(in: proposal)])
            return (proposal, contribution)
        }
        let making = GroupMaking(
            session: proposal.session, proposal: proposal.bytes, seed: hostSeed, hostIndex: hostIndex,
            contribution: contribution.bytes)
        let facts =
            [
                LogEvent.Fact("key", Hex.encode(shown.key.publicKey.bytes)),
                LogEvent.Fact("scheme", shown.key.publicKey.scheme.name),
            ] + LogEvent.origin(of: shown.key, in: context.view.trust)
        return PreparedCommit(
            Dealt(proposal: proposal.bytes, contribution: contribution.bytes), [.putGroupMaking(making)],
            events: [LogEvent(.groupDealt, facts + LogEvent.facts(of: proposal))])
    }
}
