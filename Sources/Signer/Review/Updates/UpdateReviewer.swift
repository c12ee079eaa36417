import Cards
import SubstratePrimitives
import TrustStore

/// An update whose signature fits, that the verifier rules allow, and whose consequences stand on its cards. Only a review makes one.
public struct VerifiedUpdate: Sendable {
    public let update: UnverifiedUpdate
    public let cards: CardSet
    let plan: UpdatePlan

    /// Accepts the update: everything in one transaction of the store, under a new seal.
    ///
    /// Trust may have changed since the cards were made. The signature is checked again and the plan is made again from the state as it is
    /// now; if it is not the plan that was shown, nothing happens and ``StoreError/changedSinceShown`` is thrown.
    public func apply(to store: UnlockedStore) throws {
        try store.change { (state: TrustState) throws in
            let now = try UpdateReviewer.review(update, state: state)
            guard now.plan == plan else { throw StoreError.changedSinceShown }
            return (now.plan.changes, now.plan.events)
        }
    }
}

/// Reads an update against what the store trusts. Nothing is changed here.
public enum UpdateReviewer {
    public static func review(_ update: UnverifiedUpdate, state: TrustState) throws(UpdateRefusal) -> VerifiedUpdate {
        if let signature = update.signature, !signature.isValid(over: update.signedBytes) { throw .wrongSignature(signature.key) }
        let plan = try UpdatePlan(update, state: state)
        let cards = CardSet(update, warnings: plan.warnings)
        do throws(CardGap) {
            try update.requireStated(by: cards)
        } catch {
            throw .notOnCards(error)
        }
        return VerifiedUpdate(update: update, cards: cards, plan: plan)
    }
}
