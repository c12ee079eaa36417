import GroupReview
import Lines
import Review
import SubstratePrimitives
import UOS

/// The block of claims below the cards. Every line of it carries the mark, so that no line reads as one of
/// the review wherever a screen breaks.
struct ClaimLines {
    let claims: ClaimReview
    let view: CardView

    var lines: [StyledLine] {
        let facts = claims.claims
        let amounts: [(String, UInt128?)] = [
            ("fee", facts.fee), ("balance", facts.balance), ("existential deposit", facts.existentialDeposit),
            ("balance after it", facts.balanceAfter),
        ]
        var values = amounts.compactMap { name, amount in amount.map { "\(name) \(self.amount($0))" } }
        if let block = facts.block { values.append("newest block \(Amount.grouped(String(block)))") }
        if let time = facts.time { values.append("time \(LogDate.text(time))") }
        if values.isEmpty { values = [ClaimWording.nothing] }
        return [StyledLine(ClaimWording.heading, .heading)] + values.map { Self.line([.init($0)]) }
            + claims.warnings.map {
                Self.line([.init("WARNING ", .warning), .init(ClaimWording.text($0), .warning)])
            }
    }

    private static func line(_ runs: [StyledLine.Run]) -> StyledLine {
        StyledLine(indent: 2, [.init(ClaimWording.mark + " ", .dim)] + runs)
    }

    private func amount(_ planck: UInt128) -> String {
        let amount = TokenAmount(planck: planck, decimals: claims.decimals, unit: claims.unit)
        switch view.amounts {
        case .plain: return Amount.plain(amount.plain, unit: amount.symbol)
        case .prefixed: return "\(amount.number) \(Amount.unit(amount.unit))"
        case .raw: return Amount.grouped(String(planck))
        }
    }
}

/// `items[].claims` of `inspect` and `scan`; programs read it, so its keys stay.
struct ClaimDocument: Encodable {
    struct Warning: Encodable {
        let code: String
        let text: String
    }

    /// In the smallest unit, as decimal digits; null for what is not claimed.
    let fee: Nullable<String>
    let balance: Nullable<String>
    let existential_deposit: Nullable<String>
    let balance_after: Nullable<String>
    let block: Nullable<UInt64>
    /// In seconds since 1970.
    let time: Nullable<UInt64>
    let warnings: [Warning]

    init(_ review: ClaimReview) {
        let claims = review.claims
        fee = Nullable(claims.fee.map { String($0) })
        balance = Nullable(claims.balance.map { String($0) })
        existential_deposit = Nullable(claims.existentialDeposit.map { String($0) })
        balance_after = Nullable(claims.balanceAfter.map { String($0) })
        block = Nullable(claims.block)
        time = Nullable(claims.time)
        warnings = review.warnings.map { Warning(code: $0.code, text: ClaimWording.text($0)) }
    }
}

/// What an online machine says beside a transaction.
enum ClaimWording {
    /// Starts each line of the block.
    static let mark = "claimed online:"
    static let heading = "Claimed online (not checked, and not signed)"
    static let nothing = "nothing"

    static func text(_ warning: ClaimReview.Warning) -> String {
        switch warning {
        case .notCovered:
            "the balance does not cover the amounts, the tip, the fee and the existential deposit"
        case .removesAccount: "less than the existential deposit is left, so the chain removes the account"
        case .takesLess: "less leaves the account than the amounts, the tip and the fee"
        case .takesMore: "more leaves the account than the amounts, the tip and the fee"
        case .old(let seconds): "the time is \(days(seconds)) before the clock of this device"
        case .fromFuture(let seconds): "the time is \(days(seconds)) after the clock of this device"
        case .differsFromState: "the newest block or the time is before the proven block"
        }
    }

    /// Never rounded up: more than a day is at least one.
    private static func days(_ seconds: UInt64) -> String {
        let days = seconds / 86_400
        return days == 1 ? "1 day" : "\(days) days"
    }
}
