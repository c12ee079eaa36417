import Accounts
import Cards
import SubstratePrimitives
import TrustStore

/// An update with a valid signature that the verifier rules allow; its cards show the consequences. Only a
/// review makes one.
public struct VerifiedUpdate: Sendable {
    public let update: UnverifiedUpdate
    public let cards: CardSet
    let plan: UpdatePlan

    /// What accepting it changes, and the lines that the log gets.
    package var changes: [TrustChange] { plan.changes }
    package var events: [LogEvent] { plan.events }

    /// Whether accepting the other has the same consequences.
    package func hasPlan(of other: VerifiedUpdate) -> Bool { plan == other.plan }
}

/// Compares an update with what the store trusts. Changes nothing.
public enum UpdateReviewer {
    public static func review(_ update: UnverifiedUpdate, state: TrustState) throws(UpdateRefusal)
        -> VerifiedUpdate
    {
        if let signature = update.signature, !signature.isValid(over: update.signedBytes) {
            throw .wrongSignature(signature.key)
        }
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
