import ScanProtocol
import Testing

@Suite struct PictureClockTests {
    /// A worker that gets `share` of a processor: when it is ended, by the clock, and for which limit.
    private func end(share: (Double) -> Double) -> (time: Double, limit: Double) {
        var clock = PictureClock(now: 1000, used: 3)
        var (now, used) = (1000.0, 3.0)
        while now < 2000 {
            used += share(now - 1000) / 4
            now += 0.25
            if let limit = clock.exceeded(now: now, used: used) { return (now - 1000, limit) }
        }
        return (.infinity, 0)
    }

    private static let shares: [(share: Double, time: Double, limit: Double)] = [
        (1, 10, 10), (0.99, 20, 10), (0.5, 20, 10), (0.26, 40, 10), (0.1, 60, 60), (0.006, 60, 60),
        (0.004, 10, 10), (0, 10, 10),
    ]

    @Test(arguments: shares)
    func aShareOfTheProcessorDecidesWhenAWorkerIsEnded(share: Double, time: Double, limit: Double) {
        let end = end { _ in share }
        #expect(end.time == time && end.limit == limit, "\(end)")
    }

    @Test func aWorkerThatStopsLaterIsEndedAtTheNextLook() {
        let end = end { $0 < 12 ? 0.1 : 0 }
        #expect(end.time == 30 && end.limit == 10, "\(end)")
    }

    /// One that died reads as if it had used nothing.
    @Test func aDeadWorkerIsEnded() {
        var clock = PictureClock(now: 5, used: 8)
        #expect(clock.exceeded(now: 15, used: 0) == 10)
    }

    @Test func aLookBeforeItsTimeEndsNothing() {
        var clock = PictureClock(now: 5, used: 8)
        #expect(clock.exceeded(now: 14.9, used: 8) == nil)
        #expect(clock.nextLook == 15)
    }
}
