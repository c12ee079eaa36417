import Accounts
import Cards
import GroupReview
import Hashing
import Review
import SubstratePrimitives
import TerminalIO
import TrustStore
import TrustUpdates
import UOS

extension ReviewDocument.Item {
    /// An item without a network and a signer.
    private init(_ cards: CardSet, _ reviewed: ReviewSummary) {
        (network, signer, signing_bytes) = (Nullable(nil), Nullable(nil), Nullable(nil))
        (self.cards, self.reviewed) = (cards, reviewed)
    }

    package init(_ reviewed: ReviewedTransaction) {
        self.init(reviewed.cards, ReviewSummary(reviewed))
        network = Nullable(
            reviewed.specs.map {
                ReviewDocument.Network(
                    name: Nullable($0.name), genesis_hash: $0.genesisHash.hex,
                    spec_version: Nullable(reviewed.specVersion),
                    mark: Nullable(reviewed.provedNetwork?.mark?.rawValue))
            })
        signer = Nullable(
            ReviewDocument.Signer(
                address: Nullable(reviewed.underived == nil ? reviewed.address : nil),
                public_key: Nullable(
                    reviewed.underived == nil
                        ? Hex.encode(
                            (reviewed.key?.publicKey ?? reviewed.unstored?.publicKey)?.bytes
                                ?? reviewed.signer.bytes) : nil),
                seed: Nullable(reviewed.key?.seed ?? reviewed.underived?.seed),
                imported: reviewed.key?.isImported == true ? true : nil,
                path: Nullable(reviewed.key?.path ?? reviewed.underived?.path ?? reviewed.unstored?.path),
                has_password: reviewed.key?.hasPassword ?? reviewed.unstored?.hasPassword ?? false,
                known: reviewed.key != nil || reviewed.underived != nil))
        signing_bytes = Nullable(Hex.encode(reviewed.signingBytes))
        refusal = reviewed.refusal.flatMap { $0.isOfForm ? $0.diagnostic : nil }
    }

    /// A message of a group of which nothing is made, with what a vault that believes this would say of it.
    package init(_ message: GroupMessage, _ trust: TrustState) {
        let outlook = GroupMessageOutlook(message, trust)
        var summary = ReviewSummary(message)
        summary.warnings = outlook.warnings.map(\.card)
        self.init(message, summary, outlook.warnings)
        refusal = outlook.refusal.map(Wording.diagnostic)
    }

    package init(_ reviewed: ReviewedTransaction, askedBy message: GroupMessage) {
        self.init(reviewed)
        cards.group = message.cards
        cards = cards.numbered()
        self.reviewed.add(groupOf: message)
    }

    package init(_ group: DerivationReview.Group, _ purpose: DerivationReview.Purpose) {
        self.init(group.cards, ReviewSummary(group, purpose))
        signer = Nullable(
            ReviewDocument.Signer(
                address: Nullable(group.root?.address(prefix: 42)),
                public_key: Nullable(group.root.map { Hex.encode($0.bytes) }),
                seed: Nullable(group.seed),
                path: Nullable(group.seed == nil ? nil : ""), has_password: false, known: group.seed != nil))
    }

    package init(attesting cards: CardSet) {
        self.init(cards.numbered(), ReviewSummary(attesting: cards))
    }

    /// - Parameter cards: of the update, and once it is verified the warnings.
    package init(_ update: UnverifiedUpdate, cards: CardSet) {
        self.init(cards.numbered(), ReviewSummary(update, cards: cards))
    }

    /// What a group is asked to sign: the transaction as for a key, above it what the message says and what
    /// this vault knows of the group.
    init(_ review: GroupSigningReview) {
        self.init(review.transaction)
        cards.group = review.message.cards
        cards.warning = review.warnings + cards.warning
        cards = cards.numbered()
        reviewed.add(review)
    }

    /// A message of a group, with what this vault says of it.
    init(_ message: GroupMessage, _ summary: ReviewSummary, _ warnings: [GroupWarning]) {
        self.init(CardSet(message, warnings: warnings), summary)
    }
}
