import Glibc
import Hashing
import Terminal
import TrustStore

/// An entry of the log, or an event that waits for it, as it is printed.
struct LogFacts: Encodable {
    let number: Explicit<UInt64>
    let time: Explicit<UInt64>
    let event: String
    let dangerous: Bool
    let facts: [String: String]
    let payload: Explicit<String>
    let metadata_hash: Explicit<String>
    let hash: Explicit<String>

    init(_ entry: LogEntry) { self.init(entry.event, number: entry.number, time: entry.time, hash: entry.hash.hex) }
    init(_ event: LogEvent, waitingSince time: UInt64) { self.init(event, number: nil, time: time, hash: nil) }

    private init(_ event: LogEvent, number: UInt64?, time: UInt64?, hash: String?) {
        self.number = Explicit(number)
        self.time = Explicit(time)
        self.event = event.kind.rawValue
        dangerous = event.kind.isDangerous
        facts = Dictionary(event.facts.map { ($0.name, $0.value) }) { first, _ in first }
        payload = Explicit(event.payload.map(Hex.encode))
        metadata_hash = Explicit(event.metadataHash?.hex)
        self.hash = Explicit(hash)
    }

    /// `2026-11-21 09:26:40` by UTC, as a device without a network is rarely told its time zone.
    static func date(_ seconds: UInt64) -> String {
        guard var time = time_t(exactly: seconds) else { return String(seconds) }
        var parts = tm()
        guard gmtime_r(&time, &parts) != nil else { return String(seconds) }
        var text = [CChar](repeating: 0, count: 32)
        let length = strftime(&text, text.count, "%Y-%m-%d %H:%M:%S", &parts)
        return String(decoding: text[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    var line: String {
        let place = number.value.map(String.init) ?? "-"
        let details = facts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        let date = (number.value == nil ? "waiting since " : "") + (time.value.map(Self.date) ?? "")
        return Escape.terminal("\(place)\t\(date)\t\(dangerous ? "! " : "")\(event)  \(details)")
            .replacingTabs
    }
}

extension String {
    /// Columns of a line that was escaped as one text.
    var replacingTabs: String { split(separator: "\\t", omittingEmptySubsequences: false).joined(separator: "  ") }
}
