import Glibc
import TestSupport
import Testing

@testable import SystemIO

/// The clock since the start of the machine, less what a time namespace adds.
@Suite struct BootClockLaws {
    static func seconds(_ shown: (Int64, Int64), _ text: String) -> UInt64? {
        BootClock.seconds(shown: shown, offsets: Array(text.utf8))
    }

    @Test func `an offset is taken off, to the nanosecond`() {
        #expect(
            Self.seconds((100, 5), "monotonic           0         0\nboottime            0         0\n")
                == 100)
        #expect(
            Self.seconds((100_100, 5), "monotonic           7         0\nboottime       100000         0\n")
                == 100)
        #expect(Self.seconds((100, 5), "monotonic 0 0\nboottime -50 0\n") == 150)
        #expect(Self.seconds((100, 5), "boottime 0 6\n") == 99)
        #expect(Self.seconds((0, 0), "boottime -9223372036854775808 0\n") == 1 << 63)
    }

    @Test func `without one plain offset nothing is known`() {
        for text in [
            "", "monotonic 0 0\n", "boottime 0\n", "boottime 0 0 0\n", "boottime x 0\n",
            "boottime 0 0\nboottime 0 0\n", "boottime 101 0\n",
            "boottime 9223372036854775808 0\n",
        ] {
            #expect(Self.seconds((100, 0), text) == nil, "\(text)")
        }
    }

    @Test func `this machine's clock is known and does not go back`() throws {
        let first = try #require(BootClock.seconds())
        let second = try #require(BootClock.seconds())
        #expect(first > 0 && first <= second)
    }
}
