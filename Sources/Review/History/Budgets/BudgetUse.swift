import Cards
import Extrinsics
import Hashing
import SCALE
import SubstratePrimitives
import TrustStore

/// What one signature takes of one budget.
public struct BudgetUse: Sendable, Equatable {
    /// The number of the rule under `approve`, counted from 1; nil for the policy's own.
    public let rule: Int?
    public let window: BudgetWindow
    /// nil for the chain's own token.
    public let asset: AssetKey?
    /// In the smallest unit, as the following.
    public let limit: UInt128
    /// Before this signature.
    public let spent: BudgetExcess.Spent
    /// 0 where the same bytes were signed before.
    public let amount: UInt128
    /// Of all amounts: the network's for the chain's own token, the policy's for another one.
    public let unit: AssetUnit

    package init(
        rule: Int?, window: BudgetWindow, asset: AssetKey?, limit: UInt128, spent: BudgetExcess.Spent,
        amount: UInt128, unit: AssetUnit
    ) {
        (self.rule, self.window, self.asset, self.limit, self.spent, self.amount) = (
            rule, window, asset, limit, spent, amount
        )
        self.unit = unit
    }

    /// Whether what is left before this signature covers it.
    public var fits: Bool {
        switch spent {
        case .amount(let spent): spent <= limit && amount <= limit - spent
        case .uncountable, .unknownSinceRestore: false
        }
    }

    /// After this signature; before it where it does not fit, because then it takes nothing.
    public var left: UInt128 {
        switch spent {
        case .amount(let spent): fits ? limit - spent - amount : limit - min(spent, limit)
        case .uncountable, .unknownSinceRestore: 0
        }
    }

    /// Whether a person who reads one of them has read the other. What was spent before is not compared: an
    /// hour may pass between the two readings, and whether the amount fits is decided again.
    package func shows(the other: BudgetUse) -> Bool {
        rule == other.rule && window == other.window && asset == other.asset && limit == other.limit
            && amount == other.amount
    }
}

/// What names a counter: who signs what, where and under which rule.
package struct BudgetCounter {
    let network: GenesisHash
    /// nil for the chain's own token.
    let asset: AssetKey?
    /// ``TransactionPolicy/vaultBudget``, or the identity of a rule.
    let rule: Hash32
    let signer: [UInt8]

    package init(network: GenesisHash, asset: AssetKey?, rule: Hash32, signer: [UInt8]) {
        (self.network, self.asset, self.rule, self.signer) = (network, asset, rule, signer)
    }

    var key: HistoryKey {
        HistoryKey(
            .budget,
            Hash32.blake2b(
                of: SCALEWriter.encode { writer in
                    writer.raw(rule.bytes)
                    writer.raw(network.bytes)
                    writer.byteVector(signer)
                    switch asset {
                    case nil: writer.u8(0)
                    case .pallet(let pallet, let id)?:
                        writer.u8(1)
                        writer.string(pallet.text)
                        writer.string(id.text)
                    case .location(let location)?:
                        writer.u8(2)
                        writer.string(location.text)
                    }
                }
            ).bytes)
    }
}

/// A limit of the signatures that a rule gives, with no signature left.
public struct CountReached: Sendable, Equatable {
    public let window: CountWindow
    public let limit: UInt32
    /// Whether nobody knows how many were given, because the vault was restored.
    public let isRestored: Bool
    /// When the next one may be given, as a date with a zone; nil where none ever is.
    public let frees: String?

    public static func == (one: CountReached, other: CountReached) -> Bool {
        one.window == other.window && one.limit == other.limit && one.isRestored == other.isRestored
            && one.frees.utf8Equals(other.frees)
    }

    package var detail: String {
        let given =
            isRestored
            ? "the vault was restored, so all \(limit) signatures of the last \(window.text) count as given"
            : "it gives at most \(limit) signatures in \(window == .hour ? "an hour" : window.text)"
        return "\(given); \(frees.map { "possible again from \($0)" } ?? "no signature is ever possible")"
    }
}
