import Extrinsics
import SCALE
import SubstratePrimitives
import TrustStore

/// The amounts of one token that one signer signed on one network under one rule, by the hour of vault time;
/// or the number of signatures of a rule, by five minutes. It depends only on its content and the time of the
/// question.
///
/// An hour counts until its last second is older than the window. So a sum can include too much, from the
/// first minutes of that hour, but never too little.
struct SpendingLedger: HistoryRecord, Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        /// When the hour ended, in seconds of vault time; after a correction of the time, not before the
        /// corrected one.
        var end: UInt64
        /// The era of the time, see ``VaultTime``.
        var era: UInt32
        /// The largest number stands for any sum that has no number.
        var amount: UInt128
    }

    private(set) var entries: [Entry] = []

    /// How much time an entry has together, and how long entries are kept.
    enum Grain {
        case amounts, signatures

        var slot: UInt64 {
            switch self {
            case .amounts: 3600
            case .signatures: 300
            }
        }

        fileprivate var kept: UInt64 {
            switch self {
            case .amounts: BudgetWindow.month.seconds
            case .signatures: CountWindow.day.seconds
            }
        }
    }

    init() {}

    init(from reader: inout SCALEReader) throws {
        entries = try reader.vector(minimumElementSize: 28) { reader throws(SCALEError) in
            Entry(end: try reader.integer(), era: try reader.integer(), amount: try reader.integer())
        }
    }

    func encode(into writer: inout SCALEWriter) {
        writer.vector(entries) { writer, entry in
            writer.integer(entry.end)
            writer.integer(entry.era)
            writer.integer(entry.amount)
        }
    }

    /// Adds what is signed now. Entries that no window reaches any more are dropped.
    mutating func charge(_ amount: UInt128, at time: VaultTime, by grain: Grain = .amounts) {
        // The corrections that a time keeps are few, so they are applied for good.
        let kept = entries.map { entry in
            let (end, era) = time.settled(entry.end, era: entry.era)
            return Entry(end: end, era: era, amount: entry.amount)
        }
        entries = kept.filter { Self.leaves($0.end, grain.kept) > time.seconds }
        guard amount > 0 else { return }
        let end = (time.seconds / grain.slot + 1).multipliedSaturating(by: grain.slot)
        if let index = entries.firstIndex(where: { $0.end == end && $0.era == time.era }) {
            entries[index].amount = entries[index].amount.addingSaturating(amount)
        } else {
            entries.append(Entry(end: end, era: time.era, amount: amount))
        }
    }

    /// What counts within so many seconds.
    func spent(within window: UInt64, at time: VaultTime) -> BudgetExcess.Spent {
        if time.restoredUntil(window: window) != nil { return .unknownSinceRestore }
        return sum(within: window, at: time.seconds, time)
    }

    /// Why an amount does not fit; nil where it does. What moves nothing always fits.
    func excess(of amount: UInt128, above limit: UInt128, within window: UInt64, at time: VaultTime) -> (
        spent: BudgetExcess.Spent, frees: UInt64?
    )? {
        guard amount > 0 else { return nil }
        let spent = spent(within: window, at: time)
        guard !Self.fits(amount, after: spent, limit) else { return nil }
        guard amount <= limit else { return (spent, nil) }
        return (spent, frees(amount, limit, window, time))
    }

    static func fits(_ amount: UInt128, after spent: BudgetExcess.Spent, _ limit: UInt128) -> Bool {
        switch spent {
        case .amount(let spent):
            let (sum, overflows) = spent.addingReportingOverflow(amount)
            return !overflows && sum <= limit
        case .uncountable, .unknownSinceRestore: return false
        }
    }

    /// When the amount fits again if nothing else is signed: the first moment at which an entry leaves the
    /// window and enough is left.
    private func frees(_ amount: UInt128, _ limit: UInt128, _ window: UInt64, _ time: VaultTime) -> UInt64? {
        let least = time.restoredUntil(window: window) ?? time.seconds
        let moments = [least] + entries.map { Self.leaves(time.settled($0.end, era: $0.era).time, window) }
        return moments.filter { $0 >= least }.sorted().first { moment in
            Self.fits(amount, after: sum(within: window, at: moment, time), limit)
        }
    }

    private func sum(within window: UInt64, at moment: UInt64, _ time: VaultTime) -> BudgetExcess.Spent {
        var sum: UInt128 = 0
        for entry in entries where Self.leaves(time.settled(entry.end, era: entry.era).time, window) > moment
        {
            let (next, overflows) = sum.addingReportingOverflow(entry.amount)
            guard !overflows, entry.amount < .max else { return .uncountable }
            sum = next
        }
        return .amount(sum)
    }

    private static func leaves(_ end: UInt64, _ window: UInt64) -> UInt64 { end.addingSaturating(window) }
}

extension UInt64 {
    /// The product, or the largest number.
    fileprivate func multipliedSaturating(by other: UInt64) -> UInt64 {
        let (product, overflows) = multipliedReportingOverflow(by: other)
        return overflows ? .max : product
    }
}
