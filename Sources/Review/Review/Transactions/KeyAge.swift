import Cards
import Extrinsics
import SubstratePrimitives
import TrustStore

/// What the policy says of the age of a signing key.
///
/// The online side has no part in it: ages are under the seal, and the time is this device's. A wall clock
/// that was set back is believed only down to the vault's own time, and one that lies before an age makes the
/// age unknown, which counts as too old.
extension ChainData {
    /// The same, with the warnings and the refusals of `key_age`. Without a vault nothing is old.
    func ageing(_ items: [ReviewedTransaction]) throws -> [ReviewedTransaction] {
        guard let history, let rule = try policy()?.keyAge else { return items }
        let now = max(history.now, history.moment?.time.seconds ?? 0)
        return items.map { item in
            guard let (held, times) = times(of: item) else { return item }
            func days(since time: UInt64?) -> UInt64? {
                time.flatMap { $0 <= now ? (now - $0) / UTCDate.secondsOfDay : nil }
            }
            var aged = item
            let age = days(since: held)
            if TransactionPolicy.AgeRule.isReached(rule.warnDays, by: age) {
                aged = aged.warning(Card(.warning(.keyIsOld(days: age))))
            }
            let unchecked = times.map { days(since: $0.checked ?? $0.added) }
            if let unchecked, TransactionPolicy.AgeRule.isReached(rule.checkDays, by: unchecked) {
                aged = aged.warning(Card(.warning(.wordsUnchecked(days: days(since: times?.checked)))))
            }
            if let maximum = rule.refuseDays, TransactionPolicy.AgeRule.isReached(maximum, by: age) {
                aged = aged.refusing(.policy(.keyTooOld(days: age, maximum: maximum)))
            }
            return aged
        }
    }

    /// Since when the vault has what gives the signer's key, and the times of its seed; nil where no key of
    /// this vault signs.
    private func times(of item: ReviewedTransaction) -> (held: UInt64?, seed: SeedTimes?)? {
        switch item.signatory {
        case .held(let key): (state.timeHeld(key), key.seed.map { state.times(seed: $0) })
        case .underived(let key): (state.times(seed: key.seed).added, state.times(seed: key.seed))
        case .unstored, .stranger: nil
        }
    }
}
