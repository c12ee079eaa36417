import Extrinsics
import Hashing
import SCALE
import SubstratePrimitives
import TrustStore

/// The counters that concern a payload, including what its earlier transactions add: the second transaction
/// of a bulk counts the first.
package struct BudgetBook {
    private let history: ReviewHistory
    let time: VaultTime
    private var ledgers: [HistoryKey: SpendingLedger] = [:]
    private var changed: Set<HistoryKey> = []
    /// What open requests of groups may still sign, of what ``ledgers`` count.
    private var reserved: [HistoryKey: UInt128] = [:]
    /// Whether what is charged now is not signed yet.
    package var isReserving = false
    /// Bytes that this payload signs.
    package var signed: Set<HistoryKey> = []

    /// nil where no counters are known.
    package init?(_ history: ReviewHistory?) {
        guard let history, let moment = history.moment else { return nil }
        (self.history, time) = (history, moment.time)
    }

    /// What one transaction moves, as budgets count it.
    package struct Spending {
        let network: GenesisHash
        let signer: [UInt8]
        /// By token; nil for the chain's own.
        let amounts: [(asset: AssetKey?, amount: UInt128)]
        /// Whether the vault signed the same bytes before, or signs them twice now: a chain takes them once.
        let isRepeated: Bool
        let unit: AssetUnit

        package init(
            network: GenesisHash, signer: [UInt8], amounts: [(asset: AssetKey?, amount: UInt128)],
            isRepeated: Bool, unit: AssetUnit
        ) {
            (self.network, self.signer, self.amounts, self.isRepeated, self.unit) = (
                network, signer, amounts, isRepeated, unit
            )
        }
    }

    package func isHeld(_ key: HistoryKey) throws -> Bool {
        try history.rows([key]).held(key, as: SignedTimes.self) != nil
    }

    private mutating func ledger(_ key: HistoryKey) throws -> SpendingLedger {
        if let known = ledgers[key] { return known }
        let ledger = try history.rows([key]).held(key, as: SpendingLedger.self) ?? SpendingLedger()
        ledgers[key] = ledger
        return ledger
    }

    /// The part of each budget of a rule that a transaction uses.
    /// - Parameters:
    ///   - limits: the policy, or a rule under `approve`.
    ///   - number: of that rule.
    package mutating func uses(_ spending: Spending, of limits: TransactionPolicy, rule number: Int?) throws
        -> [BudgetUse]
    {
        var uses: [BudgetUse] = []
        for (asset, amount) in spending.amounts where amount > 0 {
            for window in BudgetWindow.allCases {
                guard let limit = limits.budget(of: asset, within: window, in: spending.unit) else {
                    continue
                }
                let ledger = try ledger(counter(spending, asset, limits, number).key)
                uses.append(
                    BudgetUse(
                        rule: number, window: window, asset: asset, limit: limit.raw,
                        spent: ledger.spent(within: window.seconds, at: time),
                        amount: spending.isRepeated ? 0 : amount, unit: limit.unit))
            }
        }
        return uses
    }

    /// The first budget of a rule that does not let a transaction through; nil where all do.
    package mutating func excess(_ spending: Spending, of limits: TransactionPolicy, rule number: Int?) throws
        -> BudgetExcess?
    {
        for use in try uses(spending, of: limits, rule: number) {
            let key = counter(spending, use.asset, limits, number).key
            let ledger = try ledger(key)
            guard
                let found = ledger.excess(
                    of: use.amount, above: use.limit, within: use.window.seconds, at: time)
            else { continue }
            return BudgetExcess(
                window: use.window, asset: use.asset, unit: use.unit, limit: use.limit, spent: found.spent,
                reserved: reserved[key] ?? 0, amount: use.amount,
                frees: found.frees.map(UTCDate.minuteOrLater))
        }
        return nil
    }

    /// Counts a transaction under the policy and under the approving rule. A rule counts even without a
    /// budget, so that a budget added later includes what was signed before.
    package mutating func charge(_ spending: Spending, rule: (limits: TransactionPolicy, number: Int)?) throws
    {
        guard !spending.isRepeated else { return }
        for (asset, amount) in spending.amounts where amount > 0 {
            var counters = [counter(spending, asset, TransactionPolicy(), nil)]
            if let rule { counters.append(counter(spending, asset, rule.limits, rule.number)) }
            for counter in counters { try add(amount, to: counter) }
        }
    }

    /// Counts a transaction under one rule, and not under the policy.
    package mutating func charge(_ spending: Spending, only rule: (limits: TransactionPolicy, number: Int))
        throws
    {
        guard !spending.isRepeated else { return }
        for (asset, amount) in spending.amounts where amount > 0 {
            try add(amount, to: counter(spending, asset, rule.limits, rule.number))
        }
    }

    private mutating func add(_ amount: UInt128, to counter: BudgetCounter) throws {
        let key = counter.key
        var ledger = try ledger(key)
        ledger.charge(amount, at: time)
        if isReserving { reserved[key] = (reserved[key] ?? 0).addingSaturating(amount) }
        ledgers[key] = ledger
        changed.insert(key)
    }

    // MARK: Signatures

    /// One signature of a rule. The same bytes count again: each is a signature.
    package mutating func countSignature(_ rule: TransactionPolicy) throws {
        let key = Self.countKey(rule)
        var ledger = try ledger(key)
        ledger.charge(1, at: time, by: .signatures)
        ledgers[key] = ledger
        changed.insert(key)
    }

    /// How many signatures a rule gave.
    package mutating func given(_ rule: TransactionPolicy, within window: CountWindow) throws
        -> BudgetExcess.Spent
    {
        try ledger(Self.countKey(rule)).spent(within: window.seconds, at: time)
    }

    /// Why a rule gives no further signature; nil where it does.
    package mutating func countReached(_ rule: TransactionPolicy) throws -> CountReached? {
        let ledger = try ledger(Self.countKey(rule))
        for window in CountWindow.allCases {
            let limit = rule.maximumCount(within: window)
            guard let found = ledger.excess(of: 1, above: UInt128(limit), within: window.seconds, at: time)
            else { continue }
            return CountReached(
                window: window, limit: limit, isRestored: found.spent == .unknownSinceRestore,
                frees: found.frees.map(UTCDate.minuteOrLater)
            )
        }
        return nil
    }

    /// A rule has one count for all signers and networks, so that a longer list of them does not multiply its
    /// budget.
    private static func countKey(_ rule: TransactionPolicy) -> HistoryKey {
        HistoryKey(
            .budget,
            Hash32.blake2b(
                of: SCALEWriter.encode { writer in
                    writer.string("heliograph signature count")
                    writer.raw(rule.budgetIdentity.bytes)
                }
            ).bytes)
    }

    /// The rows of the counters that were charged.
    package var rows: [HistoryRow] {
        changed.compactMap { key in ledgers[key].map { HistoryRow(key, $0.encoded) } }
    }

    private func counter(
        _ spending: Spending, _ asset: AssetKey?, _ limits: TransactionPolicy, _ number: Int?
    ) -> BudgetCounter {
        BudgetCounter(
            network: spending.network, asset: asset,
            rule: number == nil ? TransactionPolicy.vaultBudget : limits.budgetIdentity,
            signer: spending.signer)
    }

    /// What a signer has spent of a budget, for a list of all of them.
    package mutating func spent(_ counter: BudgetCounter, within window: BudgetWindow) throws
        -> BudgetExcess.Spent
    {
        try ledger(counter.key).spent(within: window.seconds, at: time)
    }
}

extension UTCDate {
    /// The minute at whose start the moment has passed.
    static func minuteOrLater(_ seconds: UInt64) -> String {
        minute((seconds.addingSaturating(59)) / 60 * 60)
    }
}
