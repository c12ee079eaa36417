import FixtureRuntime
import SCALE
import StateProof
import SubstratePrimitives
import UOS

/// The accounts of the practice chain, and what a call does to them.
struct PracticeState: Sendable {
    struct Account: Sendable, Equatable {
        var nonce: UInt32 = 0
        /// What the account has, in the smallest unit.
        var free: UInt128 = PracticeNetwork.endowment

        /// The value of `System.Account`: nonce ‖ consumers ‖ providers ‖ sufficients, u32 each ‖ free ‖
        /// reserved ‖ frozen ‖ flags, u128 each.
        var encoded: [UInt8] {
            SCALEWriter.encode { writer in
                writer.integer(nonce)
                for references: UInt32 in [0, 1, 0] { writer.integer(references) }
                for amount in [free, 0, 0, 1 << 127] { writer.integer(amount) }
            }
        }
    }

    /// Those that something happened to; every other account has what all have at the start.
    private var touched: [Hash32: Account] = [:]

    subscript(account: Hash32) -> Account {
        get { touched[account] ?? Account() }
        set { touched[account] = newValue }
    }

    /// Whether an account is stored. One that is not has the balance of the start all the same, because
    /// nobody must be given any; but the trie would prove that it does not exist, so nothing of it is proven.
    func stores(_ account: Hash32) -> Bool { touched[account] != nil }

    /// The accounts that are stored, as entries of the trie.
    var entries: [(key: [UInt8], value: [UInt8])] {
        touched.map { (StateItem.account($0.key).storageKey, $0.value.encoded) }
    }

    // MARK: Calls

    /// Carries out a call and gives its events, without those of the transaction around it.
    /// - Throws: why it fails. Then nothing of it happened, except for items of a batch.
    mutating func carryOut(_ call: PracticeCall, by account: Hash32) throws(PracticeFailure)
        -> [PracticeEvent]
    {
        switch call {
        case .remark: return []
        case .impossible(let failure): throw failure
        case .transfer(let to, let amount, let keepsAlive):
            return try move(amount, from: account, to: to, keepsAlive: keepsAlive)
        case .transferAll(let to, let keepsAlive):
            let kept = keepsAlive ? PracticeNetwork.existentialDeposit : 0
            let free = self[account].free
            return try move(free - min(free, kept), from: account, to: to, keepsAlive: keepsAlive)
        case .batchAll(let calls):
            let before = self
            var events: [PracticeEvent] = []
            for call in calls {
                do {
                    events += try carryOut(call, by: account)
                } catch {
                    self = before
                    throw error
                }
            }
            return events + [.batchCompleted]
        case .batch(let calls):
            var events: [PracticeEvent] = []
            for (index, call) in calls.enumerated() {
                do {
                    events += try carryOut(call, by: account)
                } catch {
                    return events + [.batchInterrupted(at: UInt32(index), error)]
                }
            }
            return events + [.batchCompleted]
        case .forceBatch(let calls):
            var events: [PracticeEvent] = []
            for call in calls {
                do { events += try carryOut(call, by: account) } catch { events.append(.itemFailed(error)) }
            }
            return events + [.batchCompleted]
        }
    }

    private mutating func move(_ amount: UInt128, from: Hash32, to: Hash32, keepsAlive: Bool)
        throws(PracticeFailure) -> [PracticeEvent]
    {
        let free = self[from].free
        guard amount <= free else { throw .insufficientBalance }
        let left = free - amount
        if keepsAlive, left < PracticeNetwork.existentialDeposit { throw .mustStayAlive }
        self[from].free = left
        self[to].free += amount
        return [.transfer(from: from, to: to, amount)]
    }
}

/// What the practice chain tells of a transaction.
enum PracticeEvent {
    case succeeded, batchCompleted
    case failed(PracticeFailure)
    case transfer(from: Hash32, to: Hash32, UInt128)
    case batchInterrupted(at: UInt32, PracticeFailure)
    case itemFailed(PracticeFailure)
    case feePaid(by: Hash32, UInt128, tip: UInt128)

    /// How much work a transaction was, whatever it did: no one counts it here.
    static let weight = FixtureValue.compact(145_000_000) + FixtureValue.compact(3_593)

    /// The record as `System.Events` holds it: the first transaction of the block ‖ pallet ‖ event ‖ fields ‖
    /// no topics.
    var record: [UInt8] {
        let (pallet, name, fields) = parts
        let owner = PracticeNetwork.runtime.pallets.first { $0.name == pallet }!
        let index = owner.events.first { $0.name == name }!.index
        return [0] + FixtureValue.integer(UInt32(0)) + [owner.index, index] + fields + [0]
    }

    private var parts: (pallet: String, name: String, fields: [UInt8]) {
        // Weight ‖ an ordinary call ‖ which pays a fee.
        let info = Self.weight + [0, 0]
        return switch self {
        case .succeeded: ("System", "ExtrinsicSuccess", info)
        case .failed(let failure): ("System", "ExtrinsicFailed", failure.bytes + info)
        case .transfer(let from, let to, let amount):
            ("Balances", "Transfer", from.bytes + to.bytes + FixtureValue.integer(amount))
        case .batchCompleted: ("Utility", "BatchCompleted", [])
        case .batchInterrupted(let index, let failure):
            ("Utility", "BatchInterrupted", FixtureValue.integer(index) + failure.bytes)
        case .itemFailed(let failure): ("Utility", "ItemFailed", failure.bytes)
        case .feePaid(let account, let fee, let tip):
            (
                "TransactionPayment", "TransactionFeePaid",
                account.bytes + FixtureValue.integer(fee) + FixtureValue.integer(tip)
            )
        }
    }
}
