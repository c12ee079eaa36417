import SubstratePrimitives
import TestSupport
import Testing

@testable import TrustStore

/// Vault time as a function of readings of the clocks.
@Suite struct VaultTimeLaws {
    static let start: UInt64 = 1_700_000_000
    static let day: UInt64 = 86_400

    static func reading(_ wall: UInt64, boot: UInt8 = 1, _ seconds: UInt64 = 100) -> ClockReading {
        ClockReading(wall: wall, boot: BootReading(id: boot == 0 ? [] : [boot], seconds: seconds))
    }

    static let first = VaultTime(reading(start))

    @Test func `in one start of the machine only its monotonic clock counts`() {
        for wall in [0, Self.start - 99 * Self.day, Self.start, Self.start + 99 * Self.day, .max] {
            let reading = Self.reading(wall, 160)
            #expect(Self.first.advanced(to: reading).seconds == Self.start + 60)
            #expect(Self.first.advanced(to: reading).jump(at: reading) == nil)
        }
        // A monotonic clock that steps back adds nothing, and the same seconds do not count twice.
        let back = Self.first.advanced(to: Self.reading(Self.start, 40))
        #expect(
            back.seconds == Self.start
                && back.advanced(to: Self.reading(Self.start, 160)).seconds == Self.start + 60)
    }

    @Test func `after another start the wall clock counts, a day ahead at most, and never backwards`() {
        func time(_ wall: UInt64, _ uptime: UInt64 = 10) -> UInt64 {
            Self.first.advanced(to: Self.reading(wall, boot: 2, uptime)).seconds
        }
        #expect(time(Self.start + 3600) == Self.start + 3600)
        #expect(time(Self.start + Self.day + 10) == Self.start + Self.day + 10)
        #expect(time(Self.start + Self.day + 11) == Self.start + 10)
        #expect(time(Self.start - 1) == Self.start + 10 && time(0) == Self.start + 10)
        // The start began after the stored time, so as much has passed as it runs.
        #expect(time(0, 5000) == Self.start + 5000)
        #expect(time(.max, .max) == .max)
    }

    @Test func `without an id of the start the monotonic clock counts for nothing`() {
        let time = VaultTime(Self.reading(Self.start, boot: 0))
        #expect(time.advanced(to: Self.reading(Self.start - 5, boot: 0, 9_999_999)).seconds == Self.start)
        #expect(time.advanced(to: Self.reading(Self.start + 5, boot: 0, 9_999_999)).seconds == Self.start + 5)
    }

    @Test func `a start that hides its id for one command is not counted again by the next one`() {
        let hidden = Self.first.advanced(to: Self.reading(Self.start + 5, boot: 0, 0))
        #expect(hidden.seconds == Self.start + 5)
        #expect(
            hidden.advanced(to: Self.reading(Self.start + 5, boot: 1, 9_999_999)).seconds == Self.start + 5)
        #expect(
            hidden.advanced(to: Self.reading(Self.start + 9, boot: 1, 9_999_999)).seconds == Self.start + 9)
    }

    /// The next command of the same start may have its id again: what it runs longer than before is all that
    /// passed.
    @Test func `the seconds of a start whose id is hidden are not added to the time that was stored`() {
        for wall in [0, Self.start - 5, Self.start + 5] {
            let hidden = Self.first.advanced(to: Self.reading(wall, boot: 0, 9_999_999))
            #expect(hidden.seconds == max(Self.start, wall), "\(wall)")
            // Nor by a store whose own start had none.
            let nameless = VaultTime(Self.reading(Self.start, boot: 0, 50)).advanced(
                to: Self.reading(wall, boot: 1, 9_999_999))
            #expect(nameless.seconds == max(Self.start, wall), "\(wall)")
        }
    }

    @Test func `a time that cannot be read makes everything count as spent, a store without one nothing`() {
        var state = TrustState()
        let reading = Self.reading(Self.start)
        #expect(VaultTime(state, at: reading).restoredUntil(window: Self.day) == nil)
        for bytes in [[], [1], Self.first.encoded + [0], Array(Self.first.encoded.dropLast())] as [[UInt8]] {
            state.settings[StoreSetting.vaultTime] = bytes
            let time = VaultTime(state, at: reading)
            #expect(
                time.seconds == Self.start && time.restoredUntil(window: Self.day) == Self.start + Self.day)
        }
        state.settings[StoreSetting.vaultTime] = Self.first.encoded
        #expect(VaultTime(state, at: reading).restoredUntil(window: Self.day) == nil)
    }

    @Test func `a jump is told until the date is confirmed or the clock is right`() {
        let far = Self.reading(Self.start + 9 * Self.day, boot: 2, 10)
        let held = Self.first.advanced(to: far)
        #expect(held.jump(at: far) == far.wall && held.era == Self.first.era + 1)
        let later = Self.reading(far.wall + 50, boot: 2, 60)
        #expect(
            held.advanced(to: later).seconds == Self.start + 60
                && held.advanced(to: later).jump(at: later) == later.wall)
        let confirmed = held.corrected(to: later.wall, at: later)
        #expect(
            confirmed.seconds == later.wall && confirmed.jump(at: later) == nil
                && confirmed.era == held.era + 1)
        let right = Self.reading(Self.start + 3600, boot: 3, 10)
        #expect(
            held.advanced(to: right).seconds == right.wall && held.advanced(to: right).jump(at: right) == nil)
    }

    @Test
    func
        `confirming a later date frees what was counted before the jump, and not what was counted during it`()
    {
        let far = Self.reading(Self.start + 9 * Self.day, boot: 2, 10)
        let held = Self.first.advanced(to: far)
        let confirmed = held.corrected(to: far.wall, at: far)
        #expect(confirmed.settled(Self.start, era: Self.first.era).time == Self.start)
        #expect(confirmed.settled(Self.start + 10, era: held.era).time == far.wall)
        #expect(confirmed.settled(far.wall + 7, era: confirmed.era).time == far.wall + 7)
    }

    @Test func `correcting a wrong date brings what was counted under it back`() {
        let far = Self.reading(Self.start + 99_999 * Self.day, boot: 2, 10)
        let wrong = Self.first.advanced(to: far).corrected(to: far.wall, at: far)
        let right = wrong.corrected(to: Self.start + Self.day, at: far)
        #expect(right.seconds == Self.start + Self.day)
        #expect(right.settled(far.wall, era: wrong.era).time == Self.start + Self.day)
        #expect(right.settled(Self.start, era: Self.first.era).time == Self.start)
        // What is settled once is not settled again.
        let (time, era) = right.settled(far.wall, era: wrong.era)
        #expect(right.settled(time, era: era).time == time && era == right.era)
    }

    @Test func `the newest 32 corrections are kept`() {
        var time = Self.first
        for day in 1...40 {
            time = time.corrected(to: Self.start + UInt64(day) * Self.day, at: Self.reading(Self.start))
        }
        // Before the vector stand seconds, the boot id, its seconds, no unsure time and the era.
        let place = 8 + 2 + 8 + 1 + 4
        #expect(time.encoded[place] == 32 << 2 && VaultTime.correctionLimit == 32)
        // Each correction to a later date is one back for what was counted after it; the first eight are
        // forgotten, oldest first.
        let back = time.corrected(to: Self.start, at: Self.reading(Self.start))
        #expect(back.settled(Self.start + 99 * Self.day, era: 0).time == Self.start)
    }

    @Test func `a restore counts until the window has passed by vault time`() {
        let restored = Self.first.restored(at: Self.reading(Self.start, 100))
        #expect(Self.first.restoredUntil(window: 10) == nil)
        #expect(restored.restoredUntil(window: Self.day) == Self.start + Self.day)
        #expect(
            restored.advanced(to: Self.reading(0, 100 + Self.day - 1)).restoredUntil(window: Self.day) == Self
                .start + Self.day)
        #expect(restored.advanced(to: Self.reading(0, 100 + Self.day)).restoredUntil(window: Self.day) == nil)
        // A backup whose time is old: the confirmed date is when it was restored.
        let far = Self.reading(Self.start + 9 * Self.day, boot: 2, 10)
        let old = Self.first.restored(at: far)
        #expect(old.corrected(to: far.wall, at: far).restoredUntil(window: Self.day) == far.wall + Self.day)
    }

    @Test func `time never goes back by itself, and its encoding reads back`() {
        var generator = SeededGenerator(seed: 41)
        for _ in 0..<300 {
            var time = VaultTime(Self.reading(UInt64.random(in: 0...2 * Self.start, using: &generator)))
            for _ in 0..<20 {
                let reading = Self.reading(
                    UInt64.random(in: 0...3 * Self.start, using: &generator),
                    boot: UInt8.random(in: 0...3, using: &generator),
                    UInt64.random(in: 0...9 * Self.day, using: &generator))
                let next = time.advanced(to: reading)
                #expect(next.seconds >= time.seconds && next.era >= time.era)
                #expect(next.advanced(to: reading).seconds == next.seconds || reading.boot.id.isEmpty)
                time =
                    Int.random(in: 0..<8, using: &generator) == 0
                    ? next.corrected(to: reading.wall, at: reading)
                    : Int.random(in: 0..<8, using: &generator) == 0 ? next.restored(at: reading) : next
                let bytes = time.encoded
                #expect(
                    VaultTime(bytes) == time && VaultTime(bytes + [0]) == nil
                        && VaultTime(Array(bytes.dropLast())) == nil)
            }
        }
    }
}
