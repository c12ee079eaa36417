import Cards
import GroupCollect
import Keys
import Review
import SubstratePrimitives
import Threshold
import TrustStore
import UOS

/// Reviews of a group in the making, as summaries: the members with their words, then what a person should
/// look at twice.
extension ReviewSummary {
    /// The summary of a host card.
    public init(_ review: HostCardReview) {
        self.init()
        sentences = [
            Sentence([
                .words(
                    review.isHeld ? "shows the host key of your contact " : "names a machine for groups: "),
                .name(ExactText(review.name)),
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

    /// The summary of a proposal.
    public init(_ review: ProposalReview) {
        self.init()
        let proposal = review.proposal
        sentences = [Self.group(proposal, Self.verb(review), held: review.held != nil)]
        add(proposal, review.members, review.dealer)
        add(review.old)
        needsAllFacts = review.word != nil
        warnings = review.warnings.map(\.card)
        word = review.typedWord
    }

    /// The summary of a bundle of contributions.
    public init(_ review: ContributionsReview) {
        self.init()
        let proposal = review.proposal.proposal
        sentences = [
            Self.group(
                proposal,
                review.isLeaving
                    ? "checks the contributions to a group of " : "confirms the contributions to a group of ",
                held: review.making.confirmation != nil
            )
        ]
        add(proposal, review.proposal.members, review.proposal.dealer)
        add(review.proposal.old)
        warnings = review.warnings.map(\.card)
    }

    /// The summary of a record. It has no address, because addresses are shown only after the group is
    /// active.
    public init(_ review: RecordReview) {
        self.init()
        let verb: ExactText =
            switch review.origin {
            case .making: "activates the group "
            case .restored: "restores the group "
            case .held: "shows the active group "
            case .handedOn: "ends this machine's part in the group "
            }
        let proposal = review.record.proposal
        sentences = [
            Sentence([
                .words(verb), .name(ExactText(review.name)),
                .words(": \(proposal.threshold) of \(proposal.members.count) sign, all have confirmed"),
            ])
        ]
        add(proposal, review.members, nil)
        needsAllFacts = review.word != nil
        warnings = review.warnings.map(\.card)
        word = review.typedWord
    }

    /// The summary of dealing a key.
    public init(_ review: DealReview) {
        self.init()
        sentences = [
            Sentence([
                .words("deals the key of "), .account(ExactText(review.address)),
                .words(" to a group of \(review.draft.threshold) of \(review.draft.members.count)"),
            ])
        ]
        add(review.draft, review.members, nil)
        warnings = review.warnings.map(\.card)
    }

    /// The summary of the record of an old group, which a new member keeps.
    public init(_ review: OldRecordReview) {
        self.init()
        let proposal = review.record.proposal
        sentences = [
            Sentence(
                "keeps the record of the group whose key is reshared: "
                    + "\(proposal.threshold) of \(proposal.members.count) sign")
        ]
        facts += review.members.map { Fact(name: "old \($0.index)", value: $0.line) }
        warnings = [GroupWarning.reshared.card]
    }

    /// What an answer to a proposal does. A vault that is no member of a reshared group has an old one.
    private static func verb(_ review: ProposalReview) -> String {
        guard let old = review.old else { return "takes part in a new group of " }
        return switch (old.contributes, review.isMember) {
        case (true, true): "gives on this machine's old share, and takes part in a group of "
        case (true, false): "gives on this machine's old share, to a group of "
        case (false, true): "takes part in a group that gets the key of an older one: "
        case (false, false): "notes that a key goes to a group of "
        }
    }

    private mutating func add(_ old: OldGroupReview?) {
        guard let old else { return }
        facts.append(Fact(name: "old group", value: Self.text(of: old)))
        facts.append(Fact(name: "old hash", value: GroupWords.text(of: old.transcript)))
        facts += old.contributors.map { Fact(name: "old \($0.index)", value: "contributes: \($0.line)") }
        guard old.contributes else { return }
        // A contribution that is out gives the key to these machines, too, whatever came of their reshare.
        facts += old.given.map { given in
            let names = given.members.map(\.name.inQuotationMarks).joined(separator: ", ")
            return Fact(name: "given to", value: "\(given.threshold) of \(given.members.count): \(names)")
        }
    }

    /// `"savings", 2 of 3, 5F…`: what the key is for, and how many sign for it until now.
    private static func text(of old: OldGroupReview) -> String {
        guard let record = old.record else { return "unknown here: scan its record next" }
        let size = "\(record.proposal.threshold) of \(record.proposal.members.count)"
        guard let held = old.held else { return "not one of this vault's, \(size)" }
        let address = PublicKey(scheme: record.scheme, bytes: record.groupKey)?.address(prefix: 42)
        return "\(held.name.inQuotationMarks), \(size)"
            + (address.map { ", \($0)\(held.isCompared ? "" : ", which was not compared here")" } ?? "")
    }

    private static let comparedRank = 2

    private static func group(_ proposal: GroupProposal, _ verb: String, held: Bool) -> Sentence {
        let size = "\(proposal.threshold) of \(proposal.members.count), for \(proposal.scheme.name) accounts"
        let label: [Sentence.Part] =
            proposal.label.utf8.isEmpty ? [] : [.words(", labelled "), .quoted(ExactText(proposal.label))]
        return Sentence(
            [.words("\(verb)\(size)")] + label
                + (held ? [.words("; this vault did so before, and shows the same answer")] : []))
    }

    private mutating func add(_ proposal: GroupProposal, _ members: [MakingMember], _ dealer: MakingMember?) {
        facts += members.map { Fact(name: "member \($0.index)", value: $0.line) }
        if let dealer { facts.append(Fact(name: "dealer", value: dealer.line)) }
    }
}

extension CardSet {
    /// The cards of a message of a group, and what this vault says of it.
    public init(_ message: GroupMessage, warnings: [GroupWarning]) {
        self.init()
        group = message.cards
        warning = warnings.map(\.card)
        self = numbered()
    }
}

/// A key of this vault before it is dealt to the members of a group.
public struct DealReview: Sendable, Equatable {
    /// The key whose account becomes the group's.
    public let key: KeyRecord
    /// The address that must be typed, with the prefix that the person used.
    public let address: String
    /// In the order of the cards.
    public let members: [MakingMember]
    public let warnings: [GroupWarning]
    /// The proposal but for its salt and its dealer, which only the act knows.
    public let draft: GroupProposal

    /// - Throws: `LookupError`, ``GroupRefusal/cannotDeal(_:)``, `GroupCollectError`,
    ///   `PayloadError.group(_:_:)`
    public init(address: String, threshold: Int, label: String, cards: [GroupHost], _ trust: TrustState)
        throws
    {
        let key = try trust.key(address: address)
        // A dealer has a host key, which a seed gives, whatever gives the key that is dealt.
        guard key.group == nil, GroupScheme(key.publicKey.scheme) != nil,
            key.seed != nil || !trust.seedRoots.isEmpty
        else {
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
        warnings = try GroupWarning.of(draft, members, trust) + [.dealt]
    }

    /// What is typed before the address; nil where each key was compared before.
    public var word: String? { members.contains { $0.standing == .unknown } ? HostCardReview.word : nil }

    public static func == (one: DealReview, other: DealReview) -> Bool {
        one.key == other.key && one.address.utf8Equals(other.address) && one.members == other.members
            && one.warnings == other.warnings
            && one.draft == other.draft
    }
}
