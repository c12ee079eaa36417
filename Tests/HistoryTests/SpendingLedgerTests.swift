import Extrinsics
import SubstratePrimitives
import TestSupport
import Testing
import TrustStore

@testable import History

/// Windows and counters as functions of what was charged and of time.
@Suite struct SpendingLedgerLaws {
    static func time(_ seconds: UInt64) -> VaultTime {
        VaultTime(ClockReading(wall: seconds, boot: BootReading(id: [1], seconds: 0)))
    }

    static func ledger(_ charges: [(time: UInt64, amount: UInt128)]) -> SpendingLedger {
        var ledger = SpendingLedger()
        for charge in charges { ledger.charge(charge.amount, at: time(charge.time)) }
        return ledger
    }

    static func spent(_ ledger: SpendingLedger, _ window: BudgetWindow, _ now: UInt64) -> UInt128? {
        if case .amount(let spent) = ledger.spent(within: window.seconds, at: time(now)) {
            spent
        } else {
            nil
        }
    }

    static func random(_ generator: inout SeededGenerator) -> [(time: UInt64, amount: UInt128)] {
        var now: UInt64 = 1_700_000_000
        return (0..<Int.random(in: 1...60, using: &generator)).map { _ in
            now += UInt64.random(in: 0...200_000, using: &generator)
            return (now, UInt128.random(in: 1...1000, using: &generator))
        }
    }

    @Test func `a window has what was signed within it, and at most an hour more`() {
        var generator = SeededGenerator(seed: 18)
        for _ in 0..<400 {
            let charges = Self.random(&generator)
            let ledger = Self.ledger(charges)
            let now = charges.last!.time + UInt64.random(in: 0...3_000_000, using: &generator)
            for window in BudgetWindow.allCases {
                func sum(_ seconds: UInt64) -> UInt128 {
                    charges.reduce(0) { $0 + (now - $1.time < seconds ? $1.amount : 0) }
                }
                // By the hours of the charges, as they stand.
                let exact = charges.reduce(UInt128(0)) {
                    $0 + (($1.time / 3600 + 1) * 3600 + window.seconds > now ? $1.amount : 0)
                }
                let spent = Self.spent(ledger, window, now)
                #expect(spent == exact && exact >= sum(window.seconds) && exact <= sum(window.seconds + 3600))
            }
        }
    }

    @Test func `an hour leaves when its last second has`() {
        let ledger = Self.ledger([(7200, 5)])
        for window in BudgetWindow.allCases {
            #expect(Self.spent(ledger, window, 10_800 + window.seconds - 1) == 5)
            #expect(Self.spent(ledger, window, 10_800 + window.seconds) == 0)
        }
    }

    @Test func `the more was spent, the less fits`() {
        var generator = SeededGenerator(seed: 19)
        for _ in 0..<400 {
            var charges = Self.random(&generator)
            let now = charges.last!.time + UInt64.random(in: 0...100_000, using: &generator)
            let (amount, limit) = (
                UInt128.random(in: 1...2000, using: &generator),
                UInt128.random(in: 1...20_000, using: &generator)
            )
            let window = BudgetWindow.allCases.randomElement(using: &generator)!
            func isOver(_ charges: [(time: UInt64, amount: UInt128)], _ amount: UInt128, _ limit: UInt128)
                -> Bool
            {
                Self.ledger(charges).excess(
                    of: amount, above: limit, within: window.seconds, at: Self.time(now)) != nil
            }
            let before = isOver(charges, amount, limit)
            charges[Int.random(in: 0..<charges.count, using: &generator)].amount += 300
            if before { #expect(isOver(charges, amount, limit)) }
            if isOver(charges, amount, limit) {
                #expect(isOver(charges, amount + 1, limit) && isOver(charges, amount, limit - 1))
            }
            #expect(!isOver(charges, 0, 0))
        }
    }

    @Test func `the moment that is told is the first at which the amount fits`() throws {
        var generator = SeededGenerator(seed: 20)
        var found = 0
        for _ in 0..<400 {
            let charges = Self.random(&generator)
            let (ledger, now) = (Self.ledger(charges), charges.last!.time)
            let (amount, limit) = (
                UInt128.random(in: 1...900, using: &generator),
                UInt128.random(in: 1...2000, using: &generator)
            )
            for window in BudgetWindow.allCases {
                guard
                    let excess = ledger.excess(
                        of: amount, above: limit, within: window.seconds, at: Self.time(now))
                else { continue }
                guard let frees = excess.frees else {
                    #expect(amount > limit)
                    continue
                }
                found += 1
                #expect(frees > now && amount <= limit)
                #expect(
                    ledger.excess(of: amount, above: limit, within: window.seconds, at: Self.time(frees))
                        == nil)
                #expect(
                    ledger.excess(of: amount, above: limit, within: window.seconds, at: Self.time(frees - 1))
                        != nil)
            }
        }
        #expect(found > 50)
    }

    @Test func `a sum without a number is over every limit`() {
        for charges: [(time: UInt64, amount: UInt128)] in [
            [(0, .max), (0, 1)], [(0, .max - 1), (4000, 2)], [(0, .max)],
        ] {
            let ledger = Self.ledger(charges)
            let excess = ledger.excess(
                of: 1, above: .max, within: BudgetWindow.day.seconds, at: Self.time(4000))
            #expect(excess != nil && excess?.spent == .uncountable)
        }
        #expect(
            Self.ledger([(0, .max - 1)]).excess(
                of: 1, above: .max, within: BudgetWindow.day.seconds, at: Self.time(5)) == nil)
        #expect(
            Self.ledger([(0, .max - 1)]).excess(
                of: 2, above: .max, within: BudgetWindow.day.seconds, at: Self.time(5)) != nil)
    }

    @Test func `what no window reaches is dropped, and the rest is read as it was written`() {
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<100 {
            let ledger = Self.ledger(Self.random(&generator))
            #expect(SpendingLedger(ledger.encoded) == ledger && SpendingLedger(ledger.encoded + [0]) == nil)
            #expect(ledger.entries.count <= 721)
        }
        var ledger = Self.ledger([(0, 5), (90_000, 6)])
        ledger.charge(0, at: Self.time(3600 + 30 * 86_400))
        #expect(ledger.entries.map(\.amount) == [6])
    }

    /// Two sums of one hour that a correction of the time moves apart are two sums: the one that was counted
    /// under a wrong date counts as of the right one.
    @Test func `sums of one hour and two eras stay apart`() throws {
        let start: UInt64 = 1_700_000_000 / 3600 * 3600
        let reading = ClockReading(wall: start, boot: BootReading(id: [1], seconds: 0))
        let first = VaultTime(reading)
        var ledger = SpendingLedger()
        ledger.charge(5, at: first)
        // Another start, and a clock that is far ahead: time is unsure, in the same hour.
        let far = ClockReading(wall: start + 60 * 86_400, boot: BootReading(id: [2], seconds: 10))
        let unsure = first.advanced(to: far)
        #expect(unsure.era != first.era && unsure.seconds / 3600 == first.seconds / 3600)
        ledger.charge(7, at: unsure)
        #expect(
            ledger.entries.map(\.amount) == [5, 7] && ledger.entries.map(\.era) == [first.era, unsure.era])
        let confirmed = unsure.corrected(to: far.wall, at: far)
        guard case .amount(let spent) = ledger.spent(within: BudgetWindow.month.seconds, at: confirmed) else {
            Issue.record("no sum")
            return
        }
        // What was counted before the jump is 60 days old, and what was counted while time was unsure is not.
        #expect(spent == 7)
    }

    @Test func `a date is read by its one spelling`() {
        var generator = SeededGenerator(seed: 22)
        for _ in 0..<2000 {
            let seconds = UInt64.random(in: 0..<253_402_300_800, using: &generator)
            let text = String(UTCDate.day(seconds).prefix(10))
            #expect(UTCDate.seconds(ofDay: text) == seconds / 86_400 * 86_400)
        }
        for text in [
            "2026-02-30", "2026-13-01", "2026-1-31", "2025-02-29", "1969-12-31", "2026-01-00", "2026/01/31",
            "", "2026-01-3a",
        ] {
            #expect(UTCDate.seconds(ofDay: text) == nil, "\(text)")
        }
        #expect(UTCDate.seconds(ofDay: "2024-02-29") == 1_709_164_800)
    }
}
