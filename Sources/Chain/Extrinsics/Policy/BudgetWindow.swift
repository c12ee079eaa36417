import Hashing
import SCALE
import SubstratePrimitives

/// The times within which a policy limits what is signed. Each ends now: a day is the last 24 hours, whatever
/// the date is.
public enum BudgetWindow: UInt8, Sendable, CaseIterable {
    case day, week, month

    /// 24 hours, 7 days, 30 days.
    public var seconds: UInt64 {
        switch self {
        case .day: 86_400
        case .week: 7 * 86_400
        case .month: 30 * 86_400
        }
    }

    /// The key of a policy that limits it.
    public var key: TransactionPolicy.Key {
        switch self {
        case .day: .maximumPerDay
        case .week: .maximumPerWeek
        case .month: .maximumPerMonth
        }
    }

    /// `24 hours`, as part of a sentence.
    public var text: String {
        switch self {
        case .day: "24 hours"
        case .week: "7 days"
        case .month: "30 days"
        }
    }
}

/// The times within which a rule under `approve` limits how many signatures it gives. Each ends now.
public enum CountWindow: UInt8, Sendable, CaseIterable {
    case hour, day

    /// 1 hour, 24 hours.
    public var seconds: UInt64 {
        switch self {
        case .hour: 3600
        case .day: 86_400
        }
    }

    /// The member of ``TransactionPolicy/Key/maximumCount`` that limits it.
    public var member: String {
        switch self {
        case .hour: "per_hour"
        case .day: "per_day"
        }
    }

    /// `hour`, as part of a sentence.
    public var text: String {
        switch self {
        case .hour: "hour"
        case .day: "24 hours"
        }
    }

    /// How many signatures a rule without a limit allows: enough for planned payments, and too few to use up
    /// an account's nonces before somebody notices.
    public var standard: UInt32 {
        switch self {
        case .hour: 20
        case .day: 100
        }
    }
}

/// An amount that a budget does not let through.
public struct BudgetExcess: Sendable, Equatable {
    /// How much counts already.
    public enum Spent: Sendable, Equatable {
        case amount(UInt128)
        /// More than can be counted.
        case uncountable
        /// The vault was restored: what was signed before is not known, so it may have been everything.
        case unknownSinceRestore
    }

    public let window: BudgetWindow
    /// nil for the chain's own token.
    public let asset: AssetKey?
    /// Of all amounts.
    public let unit: AssetUnit
    /// In the smallest unit, as the following.
    public let limit: UInt128
    public let spent: Spent
    /// The part of ``spent`` that is not signed yet: open requests of groups may still sign it, and dropping
    /// one frees it at once.
    public let reserved: UInt128
    /// Of this transaction, in the smallest unit.
    public let amount: UInt128
    /// When the same amount fits again, as a date with a zone; nil where it never does, because it is above
    /// the limit by itself.
    public let frees: String?

    public init(
        window: BudgetWindow, asset: AssetKey?, unit: AssetUnit, limit: UInt128, spent: Spent,
        reserved: UInt128 = 0, amount: UInt128, frees: String?
    ) {
        (self.window, self.asset, self.unit, self.limit, self.spent) = (window, asset, unit, limit, spent)
        (self.reserved, self.amount, self.frees) = (reserved, amount, frees)
    }

    public static func == (one: BudgetExcess, other: BudgetExcess) -> Bool {
        one.window == other.window && one.asset == other.asset && one.unit == other.unit
            && one.limit == other.limit
            && one.spent == other.spent && one.reserved == other.reserved
            && one.amount == other.amount && one.frees.utf8Equals(other.frees)
    }

    /// What breaks the rule, without the rule's name.
    var detail: String {
        func tokens(_ raw: UInt128) -> String { Tokens(raw, unit).text }
        let before =
            switch spent {
            case .amount(let counted) where reserved > 0:
                """
                \(tokens(counted - min(counted, reserved))) of \(tokens(limit)) are spent in the last \
                \(window.text), and open requests of groups reserve \(tokens(min(counted, reserved)))
                """
            case .amount(let spent):
                "\(tokens(spent)) of \(tokens(limit)) are spent in the last \(window.text)"
            case .uncountable:
                """
                more than can be counted is spent in the last \(window.text), and the limit is \
                \(tokens(limit))
                """
            case .unknownSinceRestore:
                """
                the vault was restored from a backup, so all \(tokens(limit)) of the last \(window.text) \
                count as spent
                """
            }
        let drop = reserved > 0 ? ", or when such a request is dropped" : ""
        let after = frees.map { "possible again from \($0) on\(drop)" } ?? "it is never possible"
        let own = tokens(amount) + (asset.map { " of asset \($0.id)" } ?? "")
        return "\(own) more would be above the limit: \(before); \(after)"
    }
}

extension TransactionPolicy {
    /// Names the counters of a rule under `approve`: BLAKE2b-256 of what it approves, without its limits and
    /// without its lists of networks and signers, because each of these has counters of its own. So raising a
    /// limit frees nothing, and neither does adding a signer. A rule with other calls or destinations is
    /// another rule, which has spent nothing. What must be proven of the state is a limit too.
    ///
    /// The order of a list does not count, and an address is its account.
    public var budgetIdentity: Hash32 {
        Hash32.blake2b(
            of: SCALEWriter.encode { writer in
                writer.string("heliograph budget rule")
                write(sorted: calls?.map { Array($0.text.utf8) }, into: &writer)
                write(sorted: destinations?.map(\.bytes), into: &writer)
                switch feeAsset {
                case nil: writer.u8(0)
                case .any: writer.u8(1)
                case .only(let native, let assets):
                    writer.u8(native ? 3 : 2)
                    write(sorted: Array(assets), into: &writer)
                }
                switch mortality {
                case nil: writer.u8(0)
                case .any: writer.u8(1)
                case .mortal(let maximum):
                    writer.u8(2)
                    writer.integer(maximum)
                }
                switch extensions {
                case nil: writer.u8(0)
                case .allow: writer.u8(1)
                case .deny: writer.u8(2)
                case .only(let allowed):
                    writer.u8(3)
                    let parts = allowed.map { name, content in
                        SCALEWriter.encode { writer in
                            writer.byteVector(name)
                            switch content {
                            case .any: writer.u8(0)
                            case .exactly(let bytes):
                                writer.u8(1)
                                writer.byteVector(bytes)
                            }
                        }
                    }
                    write(sorted: parts, into: &writer)
                }
                switch messages {
                case nil: writer.u8(0)
                case .allow: writer.u8(1)
                case .deny: writer.u8(2)
                case .prefix(let prefix):
                    writer.u8(3)
                    writer.byteVector(prefix)
                }
                writer.string(requireMetadataHash?.rawValue ?? "")
            })
    }

    /// Names the counters of the policy itself, whatever its rules are: they count everything that is signed.
    public static let vaultBudget = Hash32.blake2b(
        of: SCALEWriter.encode { $0.string("heliograph budget vault") })

    private func write(sorted items: [[UInt8]]?, into writer: inout SCALEWriter) {
        guard let items else { return writer.u8(0) }
        writer.u8(1)
        writer.vector(Set(items).sorted { $0.lexicographicallyPrecedes($1) }) { $0.byteVector($1) }
    }
}
