import Hashing
import TrustStore

/// An entry of the log, or an event that waits for it, as it is printed.
package struct LogFacts: Encodable {
    let number: Explicit<UInt64>
    let time: Explicit<UInt64>
    let event: String
    let dangerous: Bool
    let facts: [String: String]
    let payload: Explicit<String>
    let metadata_hash: Explicit<String>
    let hash: Explicit<String>

    package init(_ entry: LogEntry) {
        self.init(entry.event, number: entry.number, time: entry.time, hash: entry.hash.hex)
    }
    package init(_ event: LogEvent, waitingSince time: UInt64) {
        self.init(event, number: nil, time: time, hash: nil)
    }

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

    /// When it happened: an event of a locked vault has a time of its own, before the unlock that put it into
    /// the log.
    var happened: UInt64? { facts["at"].flatMap(UInt64.init) ?? time.value }
}
