import History

/// A time of the log as a date with its zone.
package enum LogDate {
    /// `2026-11-21 09:26:40 UTC`
    package static func text(_ seconds: UInt64) -> String { UTCDate.second(seconds) }
}
