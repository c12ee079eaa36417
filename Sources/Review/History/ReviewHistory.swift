import SubstratePrimitives
import TrustStore

/// What a review knows of former signatures: rows of the history, and the time by this device's clock.
///
/// The rules are functions of the payload, the rows and the time. Nothing from the online side is among them.
public struct ReviewHistory {
    package let now: UInt64
    /// Every signature since then is in the history.
    let since: UInt64
    /// By which budgets count; nil where nobody asks for them.
    package let moment: VaultMoment?
    private let lookup: ([HistoryKey]) throws -> [HistoryKey: [UInt8]]

    public init(
        now: UInt64, since: UInt64, moment: VaultMoment? = nil,
        lookup: @escaping ([HistoryKey]) throws -> [HistoryKey: [UInt8]]
    ) {
        (self.now, self.since, self.moment, self.lookup) = (now, since, moment, lookup)
    }

    /// - `source`: proves what it returns, under the root of the trust that the review reads.
    public init(_ source: HistorySource, now: UInt64, moment: VaultMoment? = nil) {
        self.init(now: now, since: source.bounds.since, moment: moment) { try source.values(of: $0) }
    }

    /// The rows of these keys.
    package func rows(_ keys: Set<HistoryKey>) throws -> HistoryRows { HistoryRows(try lookup(Array(keys))) }

    /// `since 2026-11-22 UTC`.
    package var extent: String { Self.extent(since: since) }

    static func extent(since: UInt64) -> String { "since \(UTCDate.day(since))" }
}

/// Rows that were read, and what the earlier payloads of the same bulk would write over them.
package struct HistoryRows {
    private var held: [HistoryKey: [UInt8]]
    package private(set) var written: [HistoryKey: [UInt8]] = [:]

    package init(_ held: [HistoryKey: [UInt8]] = [:]) { self.held = held }

    mutating func add(_ rows: HistoryRows) { held.merge(rows.held) { former, _ in former } }

    /// As it is on the disk.
    package func held<R: HistoryRecord>(_ key: HistoryKey, as type: R.Type = R.self) -> R? {
        held[key].flatMap(R.init(_:))
    }

    /// As it would be after what was written.
    func latest<R: HistoryRecord>(_ key: HistoryKey, as type: R.Type = R.self) -> R? {
        written[key].map { R($0) } ?? held(key)
    }

    package mutating func write(_ record: some HistoryRecord, to key: HistoryKey) {
        written[key] = record.encoded
    }
}
