import Cards
import Review
import SubstratePrimitives
import UOS

extension ReviewSummary {
    /// The summary of a group's message that asks for no signature on a chain.
    public init(_ message: GroupMessage) {
        self.init()
        sentences = [Sentence(Self.words(message))]
    }

    private static func words(_ message: GroupMessage) -> String {
        switch message {
        case .host: "shows the host key of a member"
        case .proposal(let proposal) where proposal.oldTranscript != nil:
            """
            proposes to share out the key of a group anew, to \(proposal.threshold) of \
            \(proposal.members.count)
            """
        case .proposal(let proposal): "proposes a group of \(proposal.threshold) of \(proposal.members.count)"
        case .contribution(let contribution):
            "is the contribution of member \(contribution.index) to a new group"
        case .contributions(let bundle):
            """
            is \
            \(bundle.contributions.count == 1 ? "the contribution" : "the \(bundle.contributions.count) contributions") to a new group
            """
        case .confirmation(let confirmation):
            "is the confirmation of member \(confirmation.index) for a new group"
        case .record(let record):
            "is the record of a group of \(record.proposal.threshold) of \(record.proposal.members.count)"
        case .request(let request): "asks \(request.signers.count) members of a group to sign"
        case .commitment(let commitment): "is round one of member \(commitment.nonces.index) for a signature"
        case .package(let package):
            """
            is the package of \
            \(package.entries.count == 1 ? "1 commitment" : "\(package.entries.count) commitments") for a \
            signature
            """
        case .share(let share): "is round two of member \(share.nonces.index) for a signature"
        }
    }

    /// Adds to the summary of a transaction that a group is asked to sign it.
    public mutating func add(groupOf message: GroupMessage) {
        facts.insert(Fact(name: "group", value: Self.words(message)), at: 0)
    }
}

extension ReviewSummary {
    /// Adds the facts of the group's own record: who signs, and how many must. Nothing of it comes from the
    /// message.
    public mutating func add(_ review: GroupSigningReview) {
        let round =
            switch review.step {
            case .offer, .offerAgain: "round one: no share yet"
            case .share, .shareAtOnce, .shareAgain: "round two: your share"
            case .finish: "all shares are here"
            }
        facts.insert(
            contentsOf: [
                Fact(
                    name: "group",
                    value: "\"\(review.group.name)\", \(review.threshold) of \(review.members) sign, \(round)"
                ),
                Fact(
                    name: "signers",
                    value: review.signers.map {
                        $0.shownName.inQuotationMarks
                            + ($0.index == review.group.member ? " (this machine)" : "")
                    }.joined(separator: ", ")),
                Fact(name: "request", value: GroupWords.text(of: review.request.id)),
            ] + (review.request.path.utf8.isEmpty ? [] : [Fact(name: "path", value: review.request.path)]),
            at: 0)
    }
}

extension GroupSigningReview {
    /// What stands on every screen of this group.
    public var warnings: [Card] { isDealt ? [GroupWarning.dealt.card] : [] }
}
