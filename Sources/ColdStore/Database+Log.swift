import SCALE
import SubstratePrimitives

extension Database {
    /// Appends events behind `ends` and moves its head.
    func append(_ events: [LogEvent], time: UInt64, to ends: inout LogEnds) throws(StoreError) {
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
                .blob(facts), entry.event.payload.map(SQLValue.blob) ?? .null,
                entry.event.metadataHash.map { .blob($0.bytes) } ?? .null, .blob(entry.hash.bytes),
            ])
    }

    /// Entries in order, from `first` on.
    func entries(from first: UInt64, limit: Int, _ body: (LogEntry) throws(StoreError) -> Void) throws(StoreError) {
        let sql = "SELECT number, time, kind, facts, payload, metadata_hash, hash FROM log WHERE number >= ? ORDER BY number LIMIT ?"
        try rows(sql, [.integer(Int64(clamping: first)), .integer(Int64(limit))]) { (row: borrowing Row) throws(StoreError) in
            guard case .integer(let number) = row.value(0), let number = UInt64(exactly: number) else { throw .unreadable(table: "log") }
            guard let entry = LogEntry(number: number, row: row) else { throw .sealBroken([.log(index: number)]) }
            try body(entry)
        }
    }

    /// Follows the chain from one end to the other.
    func checkLog(_ ends: LogEnds) throws(StoreError) {
        var previous = ends.before
        var next = ends.first
        if let row = try query("SELECT min(number) FROM log").first, case .integer(let least) = row[0], least < Int64(clamping: ends.first)
        {
            throw .sealBroken([.log(index: UInt64(clamping: least))])
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
    fileprivate init?(number: UInt64, row: borrowing Database.Row) {
        guard case .integer(let seconds) = row.value(1), let time = UInt64(exactly: seconds), case .text(let word) = row.value(2),
            let kind = LogEvent.Kind(rawValue: word), case .blob(let encoded) = row.value(3), case .blob(let bytes) = row.value(6),
            let hash = Hash32(bytes)
        else { return nil }
        var reader = SCALEReader(encoded)
        guard let facts = try? LogEvent.facts(from: &reader), (try? reader.finish()) != nil else { return nil }
        var payload: [UInt8]?
        var metadataHash: Hash32?
        switch row.value(4) {
        case .null: break
        case .blob(let bytes): payload = bytes
        default: return nil
        }
        switch row.value(5) {
        case .null: break
        case .blob(let bytes):
            guard let hash = Hash32(bytes) else { return nil }
            metadataHash = hash
        default: return nil
        }
        self.init(number: number, time: time, event: LogEvent(kind, facts, payload: payload, metadataHash: metadataHash), hash: hash)
    }
}
