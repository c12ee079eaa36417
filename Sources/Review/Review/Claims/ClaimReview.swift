import StateProof
import SubstratePrimitives
import UOS

/// The claims beside a transaction as a person reads them, and what contradicts them.
///
/// It is a value of its own, made after the review: a ``ReviewedTransaction``, its summary, its signed bytes,
/// the policy and the log never see a claim. Whoever makes the payload chooses the claims as well, so
/// they prove nothing. But claims that contradict the cards or this device's clock are a warning in the same
/// block. No claim removes a warning of the review.
public struct ClaimReview: Sendable, Equatable {
    /// How the claims contradict the cards, the device or each other.
    public enum Warning: Sendable, Equatable {
        /// The balance does not cover the chain's own token among the amounts, the tips, the fee and the
        /// existential deposit.
        case notCovered
        /// The account has less than the existential deposit afterwards.
        case removesAccount
        /// More leaves the account than the amounts, the tips and the fee.
        case takesMore
        /// Less leaves it, although the cards show amounts.
        case takesLess
        /// The claims were made more than a day before this device's time, in seconds.
        case old(UInt64)
        /// They were made more than a day after it.
        case fromFuture(UInt64)
        /// Their newest block or their time is before the block whose state is proven beside them.
        case differsFromState

        /// The stable word in JSON.
        public var code: String {
            switch self {
            case .notCovered: "claims_not_covered"
            case .removesAccount: "claims_remove_account"
            case .takesMore: "claims_take_more"
            case .takesLess: "claims_take_less"
            case .old: "claims_old"
            case .fromFuture: "claims_from_future"
            case .differsFromState: "claims_differ_from_state"
            }
        }
    }

    /// How far a claimed time may be from this device's, in seconds: a day, because nobody sets the clock of
    /// a machine without a network.
    static let clockTolerance: UInt64 = 86_400

    public let claims: ClaimedFacts
    /// How many decimals the network's own token has.
    public let decimals: UInt8
    /// The unit of the network's specs, as the cards show it.
    public let unit: String
    public let warnings: [Warning]

    /// - `time`: this device's time, in seconds since 1970.
    /// - Returns: nil for a message, because only transactions have claims.
    public init?(_ claims: ClaimedFacts, beside reviewed: ReviewedTransaction, time: UInt64) {
        guard let specs = reviewed.specs else { return nil }
        self.init(
            claims, ReviewSummary(reviewed), decimals: specs.decimals, unit: specs.unit, time: time,
            proven: reviewed.state?.proven.chain)
    }

    init(
        _ claims: ClaimedFacts, _ summary: ReviewSummary, decimals: UInt8, unit: String, time: UInt64,
        proven: ProvenChain? = nil
    ) {
        self.claims = claims
        (self.decimals, self.unit) = (decimals, unit)
        // What leaves the account as the cards say it, and the fee, which only the chain knows.
        let shown = summary.ownTokenTotal
        let leaving = Self.sum([shown, claims.fee ?? 0])
        let needed = Self.sum([leaving, claims.existentialDeposit ?? 0])
        var warnings: [Warning] = []
        // The largest number means a sum that no balance covers.
        if let balance = claims.balance, needed > balance || needed == .max { warnings.append(.notCovered) }
        if let after = claims.balanceAfter, after < claims.existentialDeposit ?? 0 {
            warnings.append(.removesAccount)
        }
        if let before = claims.balance, let after = claims.balanceAfter {
            if before > after, before - after > leaving { warnings.append(.takesMore) }
            // Without an amount on the cards an account may gain, as by a payout.
            if shown > 0, after >= before || before - after < leaving { warnings.append(.takesLess) }
        }
        if let claimed = claims.time {
            if time > claimed, time - claimed > Self.clockTolerance { warnings.append(.old(time - claimed)) }
            if claimed > time, claimed - time > Self.clockTolerance {
                warnings.append(.fromFuture(claimed - time))
            }
        }
        // Proven facts only show that the claims are older; nothing is computed with them.
        if let proven,
            claims.block.map({ $0 < UInt64(proven.header.number) }) ?? false
                || claims.time.map({ $0 < proven.time / 1_000 }) ?? false
        {
            warnings.append(.differsFromState)
        }
        self.warnings = warnings
    }

    public static func == (one: ClaimReview, other: ClaimReview) -> Bool {
        one.claims == other.claims && one.decimals == other.decimals && one.unit.utf8Equals(other.unit)
            && one.warnings == other.warnings
    }

    /// Sums beyond the largest number become the largest number.
    static func sum(_ numbers: [UInt128]) -> UInt128 { numbers.reduce(0) { $0.addingSaturating($1) } }
}

extension ReviewSummary {
    /// Amounts and tips in the chain's own token; the largest number for everything beyond it.
    var ownTokenTotal: UInt128 {
        let tips = limits.compactMap { limit -> Total? in
            switch limit {
            case .tip(let total, _): total
            case .feeAsset, .validity: nil
            }
        }
        return ClaimReview.sum((totals + tips).filter { $0.asset == nil }.map(\.raw.clamped))
    }
}
