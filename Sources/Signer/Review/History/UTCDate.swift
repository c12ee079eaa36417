/// Days and times by UTC: a device without a network is rarely told its time zone.
public enum UTCDate {
    /// `2026-11-21 UTC`.
    public static func day(_ seconds: UInt64) -> String {
        // A date of more than four digits says nothing that a person can use.
        guard seconds < end else { return beyond }
        // Days from the first of March of year 0 on, so that the leap day is the last of its year. Source: howardhinnant.github.io,
        // "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
        let days = Int(seconds / 86400) + 719_468
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shifted + 2) / 5 + 1
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2)) UTC"
    }

    /// `2026-11-21 09:26 UTC`.
    public static func minute(_ seconds: UInt64) -> String {
        seconds < end ? "\(date(seconds)) \(clock(seconds)) UTC" : beyond
    }

    /// `2026-11-21 09:26:40 UTC`.
    public static func second(_ seconds: UInt64) -> String {
        seconds < end ? "\(date(seconds)) \(clock(seconds)):\(padded(Int(seconds % 60), 2)) UTC" : beyond
    }

    /// The first second of the year 10000.
    private static let end: UInt64 = 253_402_300_800
    private static let beyond = "after 9999-12-31 UTC"

    private static func date(_ seconds: UInt64) -> String { String(decoding: day(seconds).utf8.prefix(10), as: UTF8.self) }

    private static func clock(_ seconds: UInt64) -> String {
        "\(padded(Int(seconds % 86400 / 3600), 2)):\(padded(Int(seconds % 3600 / 60), 2))"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
