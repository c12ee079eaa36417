import Accounts
import Cards
import GroupReview
import Hashing
import Review
import SubstratePrimitives
import TrustUpdates
import UOS

extension ReviewDocument.Item {
    package init(_ reviewed: ReviewedTransaction) {
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
                        ? Hex.encode(reviewed.key?.publicKey.bytes ?? reviewed.signer.bytes) : nil),
                seed: Nullable(reviewed.key?.seed ?? reviewed.underived?.seed),
                path: Nullable(reviewed.key?.path ?? reviewed.underived?.path),
                has_password: reviewed.key?.hasPassword ?? false,
                known: reviewed.key != nil || reviewed.underived != nil))
        signing_bytes = Nullable(Hex.encode(reviewed.signingBytes))
        cards = reviewed.cards
        self.reviewed = ReviewSummary(reviewed)
    }

    package init(_ message: GroupMessage) {
        network = Nullable(nil)
        signer = Nullable(nil)
        signing_bytes = Nullable(nil)
        cards = CardSet()
        cards.group = message.cards
        cards = cards.numbered()
        reviewed = ReviewSummary(message)
    }

    package init(_ reviewed: ReviewedTransaction, askedBy message: GroupMessage) {
        self.init(reviewed)
        cards.group = message.cards
        cards = cards.numbered()
        self.reviewed.add(groupOf: message)
    }

    package init(_ group: DerivationReview.Group, _ purpose: DerivationReview.Purpose) {
        network = Nullable(nil)
        signer = Nullable(
            ReviewDocument.Signer(
                address: Nullable(group.root?.address(prefix: 42)),
                public_key: Nullable(group.root.map { Hex.encode($0.bytes) }),
                seed: Nullable(group.seed),
                path: Nullable(group.seed == nil ? nil : ""), has_password: false, known: group.seed != nil))
        signing_bytes = Nullable(nil)
        cards = group.cards
        reviewed = ReviewSummary(group, purpose)
    }

    package init(attesting cards: CardSet) {
        network = Nullable(nil)
        signer = Nullable(nil)
        signing_bytes = Nullable(nil)
        self.cards = cards.numbered()
        reviewed = ReviewSummary(attesting: cards)
    }

    /// - Parameter cards: of the update, and once it is verified the warnings.
    package init(_ update: UnverifiedUpdate, cards: CardSet) {
        network = Nullable(nil)
        signer = Nullable(nil)
        signing_bytes = Nullable(nil)
        self.cards = cards.numbered()
        reviewed = ReviewSummary(update, cards: cards)
    }

    /// A message of a group, with what this vault says of it.
    package init(_ message: GroupMessage, _ summary: ReviewSummary, _ warnings: [MakingWarning]) {
        network = Nullable(nil)
        signer = Nullable(nil)
        signing_bytes = Nullable(nil)
        cards = CardSet(message, warnings: warnings)
        reviewed = summary
    }
}
