import Glibc

/// Days and times by UTC: a device without a network is rarely told its time zone.
public enum UTCDate {
    public static let secondsOfDay: UInt64 = 86_400

    /// `2026-11-21 UTC`.
    public static func day(_ seconds: UInt64) -> String { text(seconds, "%Y-%m-%d UTC") }

    /// `2026-11-21 09:26 UTC`.
    public static func minute(_ seconds: UInt64) -> String { text(seconds, "%Y-%m-%d %H:%M UTC") }

    /// `2026-11-21 09:26:40 UTC`.
    public static func second(_ seconds: UInt64) -> String { text(seconds, "%Y-%m-%d %H:%M:%S UTC") }

    /// The first second of the year 10000: a later date tells a person nothing.
    private static let end: UInt64 = 253_402_300_800

    private static func text(_ seconds: UInt64, _ format: String) -> String {
        var time = time_t(min(seconds, end))
        var parts = tm()
        guard seconds < end, gmtime_r(&time, &parts) != nil else { return "after 9999-12-31 UTC" }
        var text = [CChar](repeating: 0, count: 64)
        let length = strftime(&text, text.count, format, &parts)
        return String(decoding: text[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The first second of a date by UTC, as `2026-01-31`; nil for anything else, and before 1970.
    public static func seconds(ofDay text: String) -> UInt64? {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map {
            Int32(String(Substring($0)))
        }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else {
            return nil
        }
        var date = tm()
        (date.tm_year, date.tm_mon, date.tm_mday) = (year &- 1900, month &- 1, day)
        // The 31st of a shorter month, a sign and a missing zero would be another text.
        guard let seconds = UInt64(exactly: timegm(&date)), "\(text) UTC".utf8Equals(Self.day(seconds)) else {
            return nil
        }
        return seconds
    }
}

/// A minute by UTC: as exact as a time is where two of them are compared by what a person reads.
public struct UTCMinute: Sendable, Hashable {
    private let minutes: UInt64

    /// - Parameter seconds: since 1970.
    public init(seconds: UInt64) { minutes = seconds / 60 }

    /// `2026-11-21 09:26 UTC`.
    public var text: String { UTCDate.minute(minutes * 60) }
}
