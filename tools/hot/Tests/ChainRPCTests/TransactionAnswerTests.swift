import ChainRPC
import Testing

/// What a runtime answers about a transaction, byte by byte.
@Suite struct TransactionAnswerLaws {
    private static func amount(_ value: UInt128) -> [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func info(_ free: UInt128, _ reserved: UInt128, _ frozen: UInt128, _ last: UInt128)
        -> [UInt8]
    {
        [UInt8](repeating: 7, count: 16) + amount(free) + amount(reserved) + amount(frozen) + amount(last)
    }

    private static let flags: UInt128 = 1 << 127

    @Test(
        arguments: [
            // Reserved amounts count against the frozen ones where the account has flags.
            (info(100, 0, 0, flags), 100), (info(100, 0, 30, flags), 70), (info(100, 20, 30, flags), 90),
            (info(100, 30, 30, flags), 100),
            (info(100, 99, 30, flags), 100), (info(100, 0, 200, flags), 0),
            (info(.max, 0, 1, flags | 5), .max - 1),
            // Without flags the larger of two frozen amounts, whatever is reserved.
            (info(100, 50, 30, 10), 70), (info(100, 50, 10, 30), 70), (info(100, 0, 0, 101), 0),
            (info(0, 0, 0, 0), 0),
        ] as [([UInt8], UInt128)])
    func `What can leave an account follows from free, reserved, frozen and flags`(
        bytes: [UInt8], spendable: UInt128
    ) throws {
        #expect(try #require(AccountBalance(accountInfo: bytes)).spendable == spendable)
    }

    @Test func `An account of another length is of another layout`() {
        let bytes = Self.info(1, 2, 3, Self.flags)
        for count in (0..<200) where count != 80 {
            #expect(AccountBalance(accountInfo: Array((bytes + bytes + bytes).prefix(count))) == nil)
        }
        #expect(AccountBalance.none.spendable == 0)
    }

    @Test func `The fee is the last number behind weight and class`() {
        let fee = Self.amount(159_154_905)
        // Two compact numbers, the shortest and the longest, and the older weight of eight bytes.
        for weight in [
            [0, 0], [0x02, 0x09, 0x3d, 0x00, 0x25, 0x38], [UInt8](repeating: 0x13, count: 18),
            [UInt8](repeating: 9, count: 8),
        ] {
            for kind in UInt8(0)...3 {
                #expect(FeeAnswer.fee(weight + [kind] + fee) == (kind < 3 ? 159_154_905 : nil))
            }
        }
        #expect(FeeAnswer.fee([0, 0] + [0] + Self.amount(.max)) == .max)
        #expect(FeeAnswer.fee([0, 0] + fee) == nil && FeeAnswer.fee([]) == nil)
        #expect(FeeAnswer.fee([UInt8](repeating: 0, count: 36)) == nil)
    }

    @Test func `A dry run succeeds, fails with a reason, or was not made`() {
        let events: [UInt8] = [4, 1, 2, 3]
        let posts: [[UInt8]] = [[0, 0], [0, 1], [1, 4, 8, 0], [1, 0x02, 0x09, 0x3d, 0x00, 0x25, 0x38, 1]]
        for post in posts {
            #expect(DryRun([0, 0] + post + events) == .succeeds)
            #expect(
                DryRun([0, 1] + post + [3, 5, 2, 0, 0, 0] + events) == .fails(.module(pallet: 5, error: 2)))
            #expect(DryRun([0, 1] + post + [7, 9] + events) == .fails(.token(9)))
            for kind in [UInt8(0), 1, 2, 4, 8, 200] {
                #expect(DryRun([0, 1] + post + [kind] + events) == .fails(.other(kind)))
            }
            let whole = [0, 1] + post + [3, 5, 2]
            for length in whole.indices { #expect(DryRun(Array(whole.prefix(length))) == nil) }
        }
        #expect(DryRun([1, 0]) == .notExecuted)
        #expect(
            DryRun([2]) == nil && DryRun([0, 2, 0, 0]) == nil && DryRun([0, 0, 2, 0]) == nil
                && DryRun([0, 0, 0, 2]) == nil)
    }

    @Test func `Only two answers tell whether a runtime has its metadata hash`() {
        var told: [[UInt8]: Bool] = [:]
        for first in UInt8(0)...3 {
            for second in UInt8(0)...3 {
                for third in UInt8(0)...12 {
                    told[[first, second, third]] = ValidityAnswer.hasMetadataHash([first, second, third])
                }
            }
        }
        #expect(told == [[1, 0, 4]: true, [1, 1, 0]: false])
        for bytes in [[], [1], [1, 0], [1, 1], [1, 0, 4, 0], [1, 1, 0, 0]] as [[UInt8]] {
            #expect(ValidityAnswer.hasMetadataHash(bytes) == nil)
        }
    }

    @Test func `A dispatch error is read from its start`() {
        #expect(
            CallFailure([3, 5, 2, 0, 0, 0]) == .module(pallet: 5, error: 2)
                && CallFailure([3, 5, 2]) == .module(pallet: 5, error: 2))
        #expect(CallFailure([7, 9]) == .token(9) && CallFailure([2]) == .other(2))
        for bytes in [[], [3], [3, 5], [7]] as [[UInt8]] { #expect(CallFailure(bytes) == nil) }
    }

    @Test func `Every failure has words`() {
        #expect(
            CallFailure.module(pallet: 5, error: 2).sentence([5: "Balances"])
                == "error 2 of the pallet Balances")
        #expect(
            CallFailure.module(pallet: 6, error: 2).sentence([5: "Balances"]) == "error 2 of the pallet 6")
        #expect(CallFailure.token(0).sentence([:]) == "the funds are unavailable")
        #expect(
            CallFailure.token(9).sentence([:]) == "the account is blocked"
                && CallFailure.token(10).sentence([:]) == "error 10 of the token"
        )
        #expect(CallFailure.other(2).sentence([:]) == "the origin is not allowed to make the call")
        #expect(
            CallFailure.other(14).sentence([:]) == "an error of the trie"
                && CallFailure.other(15).sentence([:]) == "dispatch error 15")
    }
}
