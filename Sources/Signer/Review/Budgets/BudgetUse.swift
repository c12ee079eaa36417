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
    public let limit: UInt128
    /// Before this signature.
    public let spent: BudgetExcess.Spent
    /// 0 where the same bytes were signed before.
    public let amount: UInt128
    /// Of the chain's own token; nil for other assets, whose amounts are in their smallest unit.
    public let unit: AssetUnit?

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

    /// Whether a person who reads one of them has read the other. What was spent before is not compared: an hour may pass between the two readings, and
    /// whether the amount fits is decided again.
    func shows(the other: BudgetUse) -> Bool {
        rule == other.rule && window == other.window && asset == other.asset && limit == other.limit && amount == other.amount
    }
}

/// What names a counter: who signs what, where and under which rule.
struct BudgetCounter {
    let network: GenesisHash
    /// nil for the chain's own token.
    let asset: AssetKey?
    /// ``TransactionPolicy/vaultBudget``, or the identity of a rule.
    let rule: Hash32
    let signer: [UInt8]

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
                        writer.string(pallet)
                        writer.string(id)
                    case .location(let location)?:
                        writer.u8(2)
                        writer.string(location)
                    }
                }
            ).bytes)
    }
}
