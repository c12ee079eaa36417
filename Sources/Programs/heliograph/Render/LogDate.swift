import Glibc

/// A time of the log as a date with its zone.
enum LogDate {
    /// `2026-11-21 09:26:40 UTC`: a device without a network is rarely told its time zone.
    static func text(_ seconds: UInt64) -> String {
        guard var time = time_t(exactly: seconds) else { return "\(seconds) s after 1970" }
        var parts = tm()
        guard gmtime_r(&time, &parts) != nil else { return "\(seconds) s after 1970" }
        var text = [CChar](repeating: 0, count: 64)
        let length = strftime(&text, text.count, "%Y-%m-%d %H:%M:%S UTC", &parts)
        return String(decoding: text[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
