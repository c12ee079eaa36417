import Review

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
        }
    }

    /// Never rounded up: more than a day is at least one.
    private static func days(_ seconds: UInt64) -> String {
        let days = seconds / 86_400
        return days == 1 ? "1 day" : "\(days) days"
    }
}
