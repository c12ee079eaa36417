import Ceremony
import Extrinsics
import History
import Lines
import Review
import SubstratePrimitives
import TerminalIO
import TrustStore

/// Budgets, the time by which they count, and nonces.
extension Wording {
    package static func setVaultTime(_ shown: SetVaultTime.Shown) -> String {
        let source =
            shown.isClock ? "as this device's clock shows" : "which this device's clock does not show"
        return "Set vault time to \(UTCDate.minute(shown.to)), \(source)?"
    }

    package static func vaultTime(_ moment: VaultMoment, clock: UInt64) -> [String] {
        var lines = ["vault time: \(UTCDate.minute(moment.time.seconds))", "clock: \(UTCDate.minute(clock))"]
        if let jump = moment.jump { lines.append(clockIsAhead(jump)) }
        for window in BudgetWindow.allCases {
            guard let until = moment.time.restoredUntil(window: window.seconds) else { continue }
            lines.append("restored: \(window.key.rawValue) counts as spent until \(UTCDate.minute(until))")
        }
        return lines
    }

    package static func clockIsAhead(_ jump: UInt64) -> String {
        """
        the clock is ahead at \(UTCDate.minute(jump)) and frees no budget until the date is confirmed: \
        heliograph vault time set
        """
    }

    /// Beside what is left of budgets.
    package static func reserved(_ requests: Int) -> String {
        requests == 1
            ? "1 open request of a group counts as signed: heliograph group requests"
            : "\(requests) open requests of groups count as signed: heliograph group requests"
    }

    /// An amount of a budget with its unit.
    static func amount(_ raw: UInt128, of use: BudgetUse) -> String {
        let (unit, tokens) = (use.unit, TokenAmount(planck: raw, decimals: use.unit.decimals, unit: ""))
        return Amount.plain(tokens.plain, unit: unit.symbol)
            + (use.asset.map { " of asset \(Escape.ascii($0.id.text))" } ?? "")
    }

    /// `takes 5 DOT of maximum_per_day (30 DOT), 10 DOT left`;
    /// `5 DOT does not fit maximum_per_day (30 DOT): 2 DOT left`.
    static func budget(_ use: BudgetUse) -> String {
        let name = "\(use.rule.map { "rule \($0): " } ?? "")\(use.window.key.rawValue)"
        let left = "\(amount(use.left, of: use)) left"
        switch use.spent {
        case .amount where use.amount > 0 && !use.fits:
            return
                "\(amount(use.amount, of: use)) does not fit \(name) (\(amount(use.limit, of: use))): \(left)"
        case .amount:
            let taken = use.amount == 0 ? "nothing (signed before)" : amount(use.amount, of: use)
            return "takes \(taken) of \(name) (\(amount(use.limit, of: use))), \(left)"
        case .uncountable, .unknownSinceRestore:
            return "\(name) (\(amount(use.limit, of: use))): \(spent(use))"
        }
    }

    /// `10 DOT of 30 DOT left in 24 hours; open requests reserve 5 DOT`.
    package static func balance(_ balance: BudgetBalance) -> String {
        let use = balance.use
        let reserved =
            balance.reserved == 0 ? "" : "; open requests reserve \(amount(balance.reserved, of: use))"
        let name = "\(use.rule.map { "rule \($0): " } ?? "")\(use.window.key.rawValue)"
        switch use.spent {
        case .amount:
            return
                """
                \(name): \(amount(use.left, of: use)) of \(amount(use.limit, of: use)) left in \
                \(use.window.text)\(reserved)
                """
        case .uncountable, .unknownSinceRestore:
            return "\(name): nothing of \(amount(use.limit, of: use)) left: \(spent(use))"
        }
    }

    /// `rule 1: maximum_count: 19 of 20 signatures left in an hour`.
    package static func balance(_ count: CountBalance) -> String {
        let window = count.window == .hour ? "an hour" : count.window.text
        let unknown =
            switch count.given {
            case .amount: ""
            case .uncountable, .unknownSinceRestore: ": the vault was restored, so all count as given"
            }
        let key = TransactionPolicy.Key.maximumCount.rawValue
        let reserved = count.reserved == 0 ? "" : "; open requests reserve \(count.reserved)"
        let left = "\(count.left) of \(count.limit) signatures left in \(window)\(reserved)"
        return "rule \(count.rule): \(key): \(left)\(unknown)"
    }

    /// Under the counts: what is left of them is not for the same call again.
    package static func repetitionNeedsPerson(rule: Int) -> String {
        "rule \(rule): the same call again within a day needs a person: it names no maximum_count or limit per day"
    }

    package static func forgetNonceQuestion(_ shown: ForgetNonce.Shown) -> String {
        let highest = shown.highest.map { "The highest is \($0)" } ?? "None is remembered"
        return "Forget the nonces of \(name(of: shown)) on \(name(shown.network.name))? \(highest)."
    }

    package static func nonceForgotten(_ shown: ForgetNonce.Shown) -> String {
        "nonces forgotten: \(name(of: shown)) on \(name(shown.network.name))"
    }

    private static func name(of shown: ForgetNonce.Shown) -> String {
        Escape.ascii(shown.key.publicKey.address(prefix: shown.network.base58Prefix))
    }

    private static func spent(_ use: BudgetUse) -> String {
        switch use.spent {
        case .amount(let spent): "\(amount(spent, of: use)) spent"
        case .uncountable: "more than can be counted is spent"
        case .unknownSinceRestore: "counts as spent since the vault was restored"
        }
    }
}
