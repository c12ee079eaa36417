import Hashing
import History
import Metadata
import SubstratePrimitives
import TrustStore

/// Reads the signatures of a log from before there was a history, once, with the metadata that is held.
public struct OlderEntries {
    /// Signatures that are read, the newest: a longer log would keep its first unlock waiting for minutes.
    public static let limit = 10_000

    private let data: ChainData
    private var rows = HistoryRows()
    /// After the last signature that could not be read.
    private var since: UInt64
    private var isIncomplete: Bool

    /// - `log`: from its first entry on; one that was cleared has lost signatures.
    public init(_ data: ChainData, log: LogBounds, firstTime: UInt64) {
        self.data = data.withoutHistory.caching()
        since = firstTime
        isIncomplete = log.first > 1
    }

    /// One entry; those without a signature say nothing.
    public mutating func read(_ entry: LogEntry) {
        switch entry.event.kind {
        case .transactionSigned, .messageSigned: break
        default: return
        }
        guard let reviewed = try? entry.reviewed(data), !reviewed.isEmpty else { return leaveOut(entry) }
        for item in reviewed {
            let signer = item.signer.account(record: item.key)
            // A key that was derived for this and removed since.
            if signer == nil { leaveOut(entry) }
            SignedFacts(item, signer: signer).record(
                in: &rows, at: entry.time, warnings: [], isConfirmed: entry.event["approved_by"] == nil)
        }
    }

    /// A signature that the history does not get.
    public mutating func leaveOut(_ entry: LogEntry) {
        isIncomplete = true
        since = max(since, entry.time == .max ? .max : entry.time + 1)
    }

    public var write: HistoryWrite {
        HistoryWrite(rows.written.map { HistoryRow($0.key, $0.value) }, filled: .init(since: since, isIncomplete: isIncomplete))
    }
}
