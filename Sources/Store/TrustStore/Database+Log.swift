import SCALE
import SQLite
import SubstratePrimitives

extension Database {
    /// Appends events behind `ends` and moves its head and its newest checkpoint.
    func append(_ events: [LogEvent], time: UInt64, to ends: inout LogBounds) throws(StoreError) {
        // A column of SQLite holds no more, and the hash must cover what can be read back.
        let time = min(time, UInt64(Int64.max))
        for event in events {
            let entry = LogEntry(number: ends.last + 1, time: time, event: event, after: ends.hash)
            try insert(entry)
            ends.last = entry.number
            ends.hash = entry.hash
            try addCheckpoint(at: entry, to: &ends)
        }
    }

    /// Writes the checkpoint of an entry whose number has one.
    func addCheckpoint(at entry: LogEntry, to ends: inout LogBounds) throws(StoreError) {
        guard entry.number.isMultiple(of: LogCheckpoint.interval) else { return }
        let checkpoint = LogCheckpoint(number: entry.number, hash: entry.hash, previous: ends.checkpoint)
        try run(
            "INSERT INTO log_checkpoint (number, hash, previous) VALUES (?, ?, ?)",
            [
                .integer(Int64(checkpoint.number)), .blob(checkpoint.hash.bytes),
                .blob(checkpoint.previous.bytes),
            ])
        ends.checkpoint = checkpoint.digest
    }

    func insert(_ entry: LogEntry) throws(StoreError) {
        let facts = SCALEWriter.encode { entry.event.encodeFacts(into: &$0) }
        try run(
            """
            INSERT INTO log (number, time, kind, facts, payload, metadata_hash, hash) VALUES (?, ?, ?, ?, ?, \
            ?, ?)
            """,
            [
                .integer(Int64(entry.number)), .integer(Int64(entry.time)), .text(entry.event.kind.rawValue),
                .blob(facts),
                entry.event.payload.map(SQLiteValue.blob) ?? .null,
                entry.event.metadataHash.map { .blob($0.bytes) } ?? .null,
                .blob(entry.hash.bytes),
            ])
    }

    /// Removes every entry.
    func clearLog(_ ends: inout LogBounds) throws(StoreError) {
        try run("DELETE FROM log")
        try run("DELETE FROM log_checkpoint")
        ends.clear()
    }

    // MARK: Reading

    private static let columns = "number, time, kind, facts, payload, metadata_hash, hash"

    /// Entries in order, from `first` on, a page at a time, **not checked**.
    func entries(from first: UInt64, limit: Int, _ body: (LogEntry) throws(StoreError) -> Void)
        throws(StoreError)
    {
        let sql = "SELECT \(Self.columns) FROM log WHERE number >= ? ORDER BY number LIMIT ?"
        var next = first
        var left = limit
        while left > 0 {
            let rows = try query(
                sql, [.integer(Int64(clamping: next)), .integer(Int64(min(left, Self.pageOfEntries)))])
            for row in rows {
                guard let number = row[0].integer.flatMap({ UInt64(exactly: $0) }) else {
                    throw .unreadable(table: "log")
                }
                guard let entry = LogEntry(number: number, row: row) else {
                    throw .sealBroken([.log(index: number)])
                }
                try body(entry)
                next = number + 1
            }
            if rows.count < Self.pageOfEntries { return }
            left -= rows.count
        }
    }

    /// Entries that are in memory at once; each may carry a payload of some kilobytes.
    private static let pageOfEntries = 256

    /// The entries of a range: they follow each other from the hash before them to the hash of the last.
    func entries(of range: LogRange) throws(StoreError) -> [LogEntry] {
        let rows = try query(
            "SELECT \(Self.columns) FROM log WHERE number BETWEEN ? AND ? ORDER BY number LIMIT ?",
            [
                .integer(Int64(range.first)), .integer(Int64(range.last)),
                .integer(Int64(range.last + 1 - range.first)),
            ])
        var entries: [LogEntry] = []
        var previous = range.before
        for row in rows {
            let next = range.first + UInt64(entries.count)
            guard row[0] == .integer(Int64(next)), let entry = LogEntry(number: next, row: row),
                entry.follows(previous)
            else {
                throw .sealBroken([.log(index: next)])
            }
            previous = entry.hash
            entries.append(entry)
        }
        let next = range.first + UInt64(entries.count)
        guard next == range.last + 1 else { throw .sealBroken([.log(index: next)]) }
        // Entries that follow each other to another end were all calculated anew, from some entry on.
        guard previous == range.hash else { throw .sealBroken([.log(index: range.last)]) }
        return entries
    }

    /// The ranges of a log from the one that holds entry `first` to the log's end. They can be trusted like
    /// `log` itself: each begins and ends at a checkpoint that the newest one proves, or at an end of the
    /// log.
    func ranges(of log: LogBounds, from first: UInt64) throws(StoreError) -> [LogRange] {
        let first = max(first, log.first)
        guard first <= log.last else { return [] }
        let lowest = max(LogCheckpoint.number(notAbove: first - 1), log.first)
        var ranges: [LogRange] = []
        var end = (number: log.last, hash: log.hash)
        // From the newest checkpoint down: each holds the digest of the one before.
        var expectedDigest = log.checkpoint
        var expectedNumber = LogCheckpoint.number(notAbove: log.last)
        let rows = try query(
            """
            SELECT number, hash, previous FROM log_checkpoint WHERE number BETWEEN ? AND ? ORDER BY number \
            DESC
            """,
            [.integer(Int64(lowest)), .integer(Int64(log.last))])
        for row in rows {
            guard let checkpoint = LogCheckpoint(row: row), checkpoint.number == expectedNumber,
                checkpoint.digest == expectedDigest
            else {
                throw .sealBroken([.checkpoint(number: expectedNumber)])
            }
            if checkpoint.number < end.number {
                ranges.append(
                    LogRange(
                        first: checkpoint.number + 1, before: checkpoint.hash, last: end.number,
                        hash: end.hash))
            }
            end = (checkpoint.number, checkpoint.hash)
            expectedDigest = checkpoint.previous
            expectedNumber -= LogCheckpoint.interval
        }
        guard expectedNumber < lowest else {
            throw .sealBroken([.checkpoint(number: expectedNumber)])
        }
        if LogCheckpoint.number(notAbove: first - 1) < log.first {
            guard expectedDigest == LogCheckpoint.none else {
                throw .sealBroken([.checkpoint(number: end.number)])
            }
            ranges.append(LogRange(first: log.first, before: log.before, last: end.number, hash: end.hash))
        }
        return ranges.reversed()
    }

    /// Entries from `first` on, at most `limit`, each proven by `log` before `body` gets it.
    func entries(
        of log: LogBounds, from first: UInt64, limit: Int, _ body: (LogEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        var left = limit
        for range in try ranges(of: log, from: first) {
            guard left > 0 else { return }
            for entry in try entries(of: range) where entry.number >= first && left > 0 {
                try body(entry)
                left -= 1
            }
        }
    }

    /// The checks whose time does not grow with the log: that no entry is outside its bounds, and that the
    /// entries from the newest checkpoint to the head are right.
    /// - Returns: the first of these entries; nil in an empty log.
    @discardableResult
    func checkLogEnd(_ log: LogBounds) throws(StoreError) -> UInt64? {
        try checkBounds(log)
        guard let range = try ranges(of: log, from: log.last).last else { return nil }
        _ = try entries(of: range)
        return range.first
    }

    /// Follows the chain from one end to the other.
    func checkLog(_ log: LogBounds) throws(StoreError) {
        try checkBounds(log)
        for range in try ranges(of: log, from: log.first) { _ = try entries(of: range) }
    }

    private func checkBounds(_ log: LogBounds) throws(StoreError) {
        if let number = try stranger(in: "log", first: log.first, last: log.last, step: 1) {
            throw .sealBroken([.log(index: number)])
        }
        let step = LogCheckpoint.interval
        let first = LogCheckpoint.number(notAbove: log.first + step - 1)
        let last = LogCheckpoint.number(notAbove: log.last)
        if let number = try stranger(in: "log_checkpoint", first: first, last: last, step: step) {
            throw .sealBroken([.checkpoint(number: number)])
        }
    }

    /// A missing or an extra number at an end of a table; nil if the table begins at `first` and ends at
    /// `last`. SQLite finds either end without reading the rows between.
    private func stranger(in table: String, first: UInt64, last: UInt64, step: UInt64) throws(StoreError)
        -> UInt64?
    {
        let ends =
            try query("SELECT (SELECT min(number) FROM \(table)), (SELECT max(number) FROM \(table))").first
            ?? [.null, .null]
        guard case .integer(let lowest) = ends[0], case .integer(let highest) = ends[1] else {
            return first <= last ? first : nil
        }
        if lowest != Int64(first) || first > last {
            return first <= last && lowest > Int64(first) ? first : UInt64(clamping: lowest)
        }
        return highest == Int64(last) ? nil : highest > Int64(last) ? last + step : UInt64(highest) + step
    }
}

extension LogEntry {
    /// nil when a column does not hold what it should.
    fileprivate init?(number: UInt64, row: [SQLiteValue]) {
        guard let time = row[1].integer.flatMap({ UInt64(exactly: $0) }),
            let kind = row[2].text.flatMap(LogEvent.Kind.init(rawValue:)),
            let encoded = row[3].blob, row[4] == .null || row[4].blob != nil,
            row[5] == .null || row[5].blob.flatMap({ Hash32($0) }) != nil,
            let hash = row[6].blob.flatMap({ Hash32($0) })
        else { return nil }
        var reader = SCALEReader(encoded)
        guard let facts = try? LogEvent.facts(from: &reader), (try? reader.finish()) != nil else {
            return nil
        }
        let event = LogEvent(
            kind, facts, payload: row[4].blob, metadataHash: row[5].blob.flatMap { Hash32($0) })
        self.init(number: number, time: time, event: event, hash: hash)
    }
}

extension LogCheckpoint {
    /// nil when a column does not hold what it should.
    fileprivate init?(row: [SQLiteValue]) {
        guard let number = row[0].integer.flatMap({ UInt64(exactly: $0) }),
            let hash = row[1].blob.flatMap({ Hash32($0) }),
            let previous = row[2].blob.flatMap({ Hash32($0) })
        else { return nil }
        self.init(number: number, hash: hash, previous: previous)
    }
}
