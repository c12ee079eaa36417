import History
import TrustStore

/// Confirms the date, so that a wall clock that is far ahead is believed, or so that a wrong time is put
/// right.
///
/// A person types the date, and the passphrase opens the vault: a clock that somebody set, or that lost its
/// battery, frees no budget by itself.
public struct SetVaultTime: Operation {
    /// What becomes of the time.
    public struct Shown: Sendable, Equatable {
        /// Vault time until then, in seconds since 1970.
        public let from: UInt64
        /// Vault time from then on: the clock's where it shows the typed date, else the first second of that
        /// date by UTC.
        public let to: UInt64
        /// Whether ``to`` is what the clock shows.
        public let isClock: Bool
    }

    /// The first second of the typed date.
    let day: UInt64

    /// - Parameter date: by UTC, as `2026-01-31`.
    /// - Throws: `VaultTimeError.notADate`
    public init(date: String) throws(VaultTimeError) {
        guard let day = UTCDate.seconds(ofDay: date) else { throw .notADate }
        self.day = day
    }

    public func preview(_ view: VaultView) throws -> Shown {
        let isClock = view.now >= day && view.now - day < UTCDate.secondsOfDay
        return Shown(from: view.moment.time.seconds, to: isClock ? view.now : day, isClock: isClock)
    }

    /// The clocks go on between the two looks.
    public func isSame(_ one: Shown, _ other: Shown) -> Bool { one.isClock == other.isClock }

    public func perform(_ shown: Shown, at bench: Workbench<Self>) throws -> Work<Shown> {
        let reading = bench.session.device.reading
        let time = VaultTime(bench.trust.state, at: reading).corrected(to: shown.to, at: reading)
        let facts = [
            LogEvent.Fact("from", UTCDate.minute(shown.from)), LogEvent.Fact("to", UTCDate.minute(shown.to)),
        ]
        return Work(shown, [time.change], events: [LogEvent(.vaultTimeSet, facts)])
    }
}
