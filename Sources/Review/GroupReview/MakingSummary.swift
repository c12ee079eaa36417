import Cards
import Review
import SubstratePrimitives
import UOS

/// Reviews of a group in the making, as summaries: the members with their words, then what a person should
/// look at twice.
extension ReviewSummary {
    /// Of a host card.
    public init(_ review: HostCardReview) {
        self.init()
        sentences = [
            Sentence([
                .words(
                    review.isHeld ? "shows the host key of your contact " : "names a machine for groups: "),
                .name(review.name),
            ])
        ]
        if !review.card.name.utf8Equals(review.name) {
            facts.append(Fact(name: "calls", value: "itself \"\(review.card.name)\""))
        }
        if let before = review.before, !review.isHeld {
            facts.append(Fact(name: "was", value: "\"\(before)\" until now"))
        }
        facts.append(Fact(name: "words", value: review.words))
        warnings = review.warnings.map(\.card)
        word = review.isHeld ? nil : TypedWord(HostCardReview.word, Self.comparedRank)
    }

    /// Of a proposal.
    public init(_ review: ProposalReview) {
        self.init()
        let proposal = review.proposal
        sentences = [Self.group(proposal, "takes part in a new group of ", held: review.held != nil)]
        add(proposal, review.members, review.dealer)
        needsAllFacts = review.word != nil
        warnings = review.warnings.map(\.card)
        word = review.word.map { TypedWord($0, Self.comparedRank) }
    }

    /// Of a bundle.
    public init(_ review: ContributionsReview) {
        self.init()
        let proposal = review.proposal.proposal
        sentences = [
            Self.group(
                proposal, "confirms the contributions to a group of ", held: review.making.confirmation != nil
            )
        ]
        add(proposal, review.proposal.members, review.proposal.dealer)
        warnings = MakingWarning.ofSize(proposal).map(\.card)
    }

    /// Of a record. It names no address: one is shown after the group is active.
    public init(_ review: RecordReview) {
        self.init()
        let verb =
            switch review.origin {
            case .making: "activates the group "
            case .restored: "restores the group "
            case .held: "shows the active group "
            }
        let proposal = review.record.proposal
        sentences = [
            Sentence([
                .words(verb), .name(review.name),
                .words(": \(proposal.threshold) of \(proposal.members.count) sign, all have confirmed"),
            ])
        ]
        add(proposal, review.members, nil)
        needsAllFacts = review.word != nil
        warnings = review.warnings.map(\.card)
        word = review.word.map { TypedWord($0, Self.comparedRank) }
    }

    /// Of a key that is dealt.
    public init(_ review: DealReview) {
        self.init()
        sentences = [
            Sentence([
                .words("deals the key of "), .account(review.address),
                .words(" to a group of \(review.draft.threshold) of \(review.draft.members.count)"),
            ])
        ]
        add(review.draft, review.members, nil)
        warnings = review.warnings.map(\.card)
    }

    private static let comparedRank = 2

    private static func group(_ proposal: GroupProposal, _ verb: String, held: Bool) -> Sentence {
        let size = "\(proposal.threshold) of \(proposal.members.count), for \(proposal.scheme.name) accounts"
        let label: [Sentence.Part] =
            proposal.label.utf8.isEmpty ? [] : [.words(", labelled "), .quoted(proposal.label)]
        return Sentence(
            [.words(verb + size)] + label
                + (held ? [.words("; this vault did so before, and shows the same answer")] : []))
    }

    private mutating func add(_ proposal: GroupProposal, _ members: [MakingMember], _ dealer: MakingMember?) {
        facts += members.map { Fact(name: "member \($0.index)", value: $0.line) }
        if let dealer { facts.append(Fact(name: "dealer", value: dealer.line)) }
    }
}

extension CardSet {
    /// The cards of a message of a group, and what this vault says of it.
    public init(_ message: GroupMessage, warnings: [MakingWarning]) {
        self.init()
        group = message.cards
        warning = warnings.map(\.card)
        self = numbered()
    }
}
