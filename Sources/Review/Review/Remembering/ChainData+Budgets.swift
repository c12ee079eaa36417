import Extrinsics
import History
import SubstratePrimitives
import TrustStore
import UOS

extension ChainData {
    /// The payloads with the amounts that they take from the policy's budgets. A payload that exceeds a
    /// budget is refused.
    ///
    /// One answer signs all transactions of a bulk, so each counts what those before it spend. The decision
    /// depends on the payload, the counters and vault time, and is made again under the seal.
    /// - Parameter reserved: transactions that may still be signed; they count as signed.
    func withinBudgets(_ items: [ReviewedTransaction], reserving reserved: [ReviewedTransaction] = []) throws
        -> [ReviewedTransaction]
    {
        // A policy that cannot be read has refused all of them.
        guard let policy = try? policy(), policy.hasBudget else { return items }
        // Entries of the log are shown without counters. Under the seal there always are some.
        guard var book = BudgetBook(history) else { return items }
        try book.reserve(reserved)
        return try items.map { item in
            guard let spending = try book.spending(of: item) else { return item }
            let found = item.taking(
                try book.uses(spending, of: policy, rule: nil), jump: history?.moment?.jump)
            let excess = try book.excess(spending, of: policy, rule: nil)
            try book.charge(spending, rule: nil)
            return excess.map { found.refusing(.policy(.budget($0))) } ?? found
        }
    }

    /// The rows of the counters after these signatures.
    /// - Parameters:
    ///   - signed: each payload with the account that signed it.
    ///   - rules: for each payload the number of the rule under `approve` that said yes, counted from 1; nil
    ///     where a person did.
    public func budgetRows(of signed: [(reviewed: ReviewedTransaction, signer: [UInt8]?)], rules: [Int]?)
        throws -> [HistoryRow]
    {
        let approve = try policy()?.approve ?? []
        guard var book = BudgetBook(history) else {
            // No store with such a policy is without counters; nothing may be signed uncounted.
            guard try rules == nil && policy()?.hasAnyBudget != true else {
                throw ReviewError.policyUnreadable
            }
            return []
        }
        for (index, item) in signed.enumerated() {
            let rule = rules.map { (limits: approve[$0[index] - 1], number: $0[index]) }
            if let rule { try book.countSignature(rule.limits) }
            guard let spending = try book.spending(of: item.reviewed, signer: item.signer) else { continue }
            try book.charge(spending, rule: rule)
        }
        return book.rows
    }

    /// What each signer has left of each budget.
    /// - Parameter open: requests of groups whose nonces wait. They may still be signed, so they count as
    ///   signed, as in a review.
    public func budgetsLeft(reserving open: [GroupOffer]) throws -> [BudgetBalance] {
        guard let policy = try policy(), var book = BudgetBook(history) else { return [] }
        var signed = book
        try book.reserve(try transactions(of: open), rules: policy.approve ?? [])
        let rules =
            [(number: Int?.none, limits: policy)]
            + (policy.approve ?? []).enumerated().map { ($0.offset + 1, $0.element) }
        var balances: [BudgetBalance] = []
        for (number, limits) in rules where limits.hasBudget {
            for key in state.keys {
                guard let account = key.ethereumAddress ?? key.publicKey.accountID,
                    limits.mayBeSigned(by: account)
                else { continue }
                for genesis in key.networks {
                    guard let specs = state.networks(genesis: genesis).first,
                        limits.networks?.contains(where: { $0.name == ExactText(specs.name) }) ?? true
                    else {
                        continue
                    }
                    for asset in [nil] + (limits.assets ?? []).map({ AssetKey?.some($0.asset) }) {
                        let counter = BudgetCounter(
                            network: genesis, asset: asset,
                            rule: number == nil ? TransactionPolicy.vaultBudget : limits.budgetIdentity,
                            signer: account)
                        for window in BudgetWindow.allCases {
                            // A network whose unit no limit names has nothing to count.
                            let isNamed =
                                asset != nil || limits.totals[window]?.maximum(specs.tokenUnit) != nil
                            guard isNamed,
                                let limit = limits.budget(of: asset, within: window, in: specs.tokenUnit)
                            else { continue }
                            let spent = try book.spent(counter, within: window)
                            let before = try signed.spent(counter, within: window)
                            balances.append(
                                BudgetBalance(
                                    network: specs, signer: key.publicKey.address(prefix: specs.base58Prefix),
                                    use: BudgetUse(
                                        rule: number, window: window, asset: asset, limit: limit.raw,
                                        spent: spent, amount: 0, unit: limit.unit),
                                    reserved: spent.beyond(before)))
                        }
                    }
                }
            }
        }
        return balances
    }

    /// How many signatures each rule under `approve` has left.
    /// - Parameter open: as in ``budgetsLeft(reserving:)``.
    public func signaturesLeft(reserving open: [GroupOffer]) throws -> [CountBalance] {
        guard let rules = try policy()?.approve, var book = BudgetBook(history) else { return [] }
        var signed = book
        try book.reserve(try transactions(of: open), rules: rules)
        return try rules.enumerated().flatMap { index, rule in
            try CountWindow.allCases.map { window in
                let given = try book.given(rule, within: window)
                return CountBalance(
                    rule: index + 1, window: window, limit: rule.maximumCount(within: window), given: given,
                    reserved: given.beyond(try signed.given(rule, within: window)))
            }
        }
    }

    /// The transactions that open requests may still sign. An unreadable request reserves nothing, and gets
    /// no share either.
    package func transactions(
        of offers: [GroupOffer], _ additions: TransactionReview.Additions = TransactionReview.Additions()
    ) throws -> [ReviewedTransaction] {
        try offers.flatMap { offer in
            let review = TransactionReview(self, additions: additions, signing: .member(of: offer.group))
            return try Self.request(offer.payload).flatMap { try? review.unbudgeted($0.payload) } ?? []
        }
    }

    /// The request in bytes of the store.
    package static func request(_ bytes: [UInt8]?) throws -> GroupRequest? {
        guard let bytes, case .group(.request(let request)) = try Payload(bytes).content else { return nil }
        return request
    }
}

/// The signatures that a rule gave within a time, and how many are left.
public struct CountBalance: Sendable {
    /// Counted from 1.
    public let rule: Int
    public let window: CountWindow
    public let limit: UInt32
    /// Since a restore nobody knows it, and all count as given.
    public let given: BudgetExcess.Spent
    /// How many of them are open requests, which may yet be signed.
    public let reserved: UInt128

    public var left: UInt32 {
        switch given {
        case .amount(let given): given < UInt128(limit) ? limit - UInt32(given) : 0
        case .uncountable, .unknownSinceRestore: 0
        }
    }
}

/// A budget of one signer on one network, as it stands.
public struct BudgetBalance: Sendable {
    public let network: NetworkSpecs
    /// The address.
    public let signer: String
    /// With no amount.
    public let use: BudgetUse
    /// What open requests may yet take, in the smallest unit; it counts as spent.
    public let reserved: UInt128
}

extension BudgetExcess.Spent {
    /// How much more it is than before; 0 where one of them is not a number.
    fileprivate func beyond(_ before: BudgetExcess.Spent) -> UInt128 {
        guard case .amount(let now) = self, case .amount(let then) = before, now > then else { return 0 }
        return now - then
    }
}
