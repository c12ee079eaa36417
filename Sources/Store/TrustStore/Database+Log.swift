import SCALE
import SQLite
import SubstratePrimitives

extension Database {
    /// Appends events behind `ends` and moves its head.
    func append(_ events: [LogEvent], time: UInt64, to ends: inout LogBounds) throws(StoreError) {
        for event in events {
            let entry = LogEntry(number: ends.last + 1, time: time, event: event, after: ends.hash)
            try insert(entry)
            ends.last = entry.number
            ends.hash = entry.hash
        }
    }

    private func insert(_ entry: LogEntry) throws(StoreError) {
        let facts = SCALEWriter.encode { entry.event.encodeFacts(into: &$0) }
        try run(
            "INSERT INTO log (number, time, kind, facts, payload, metadata_hash, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                .integer(Int64(bitPattern: entry.number)), .integer(Int64(clamping: entry.time)), .text(entry.event.kind.rawValue),
                .blob(facts), entry.event.payload.map(SQLiteValue.blob) ?? .null,
                entry.event.metadataHash.map { .blob($0.bytes) } ?? .null, .blob(entry.hash.bytes),
            ])
    }

    /// Entries in order, from `first` on, a page at a time.
    func entries(from first: UInt64, limit: Int, _ body: (LogEntry) throws(StoreError) -> Void) throws(StoreError) {
        let sql = "SELECT number, time, kind, facts, payload, metadata_hash, hash FROM log WHERE number >= ? ORDER BY number LIMIT ?"
        var next = first
        var left = limit
        while left > 0 {
            let rows = try query(sql, [.integer(Int64(clamping: next)), .integer(Int64(min(left, Self.pageOfEntries)))])
            for row in rows {
                guard let number = row[0].integer.flatMap({ UInt64(exactly: $0) }) else { throw .unreadable(table: "log") }
                guard let entry = LogEntry(number: number, row: row) else { throw .sealBroken([.log(index: number)]) }
                try body(entry)
                next = number + 1
            }
            if rows.count < Self.pageOfEntries { return }
            left -= rows.count
        }
    }

    /// Entries that are in memory at once; each may carry a payload of some kilobytes.
    private static let pageOfEntries = 256

    /// Follows the chain from one end to the other.
    func checkLog(_ ends: LogBounds) throws(StoreError) {
        var previous = ends.before
        var next = ends.first
        if let row = try query("SELECT min(number) FROM log").first, case .integer(let oldest) = row[0],
            oldest < Int64(clamping: ends.first)
        {
            throw .sealBroken([.log(index: UInt64(clamping: oldest))])
        }
        try entries(from: ends.first, limit: .max) { (entry) throws(StoreError) in
            guard entry.number == next, entry.follows(previous) else { throw .sealBroken([.log(index: next)]) }
            previous = entry.hash
            next += 1
        }
        guard next == ends.last + 1, previous == ends.hash else { throw .sealBroken([.log(index: next)]) }
    }
}

extension LogEntry {
    /// nil when a column does not hold what it should.
    fileprivate init?(number: UInt64, row: [SQLiteValue]) {
        guard let time = row[1].integer.flatMap({ UInt64(exactly: $0) }), let kind = row[2].text.flatMap(LogEvent.Kind.init(rawValue:)),
            let encoded = row[3].blob, row[4] == .null || row[4].blob != nil, row[5] == .null || row[5].blob.flatMap({ Hash32($0) }) != nil,
            let hash = row[6].blob.flatMap({ Hash32($0) })
        else { return nil }
        var reader = SCALEReader(encoded)
        guard let facts = try? LogEvent.facts(from: &reader), (try? reader.finish()) != nil else { return nil }
        let event = LogEvent(kind, facts, payload: row[4].blob, metadataHash: row[5].blob.flatMap { Hash32($0) })
        self.init(number: number, time: time, event: event, hash: hash)
    }
}
