import SQLite
import SubstratePrimitives
import Testing

@testable import TrustStore

/// Each column of the seal's row alone, and forgeries of the log with which everything but the seal's tag
/// agrees.
@Suite struct SealColumnLaws {
    /// An edit of one column that leaves a value of the right form. Where a test must not depend on another
    /// check, it calls the seal's check alone, which reads no other table but the sealed ones.
    static let edits: [String: String] = [
        "id": "2", "generation": "generation + 1", "log_first": "log_first + 1", "log_before": "zeroblob(32)",
        "log_last": "log_last - 1",
        "log_hash": "zeroblob(32)", "log_checkpoint": "zeroblob(32)",
        "history": "CAST(X'01' || substr(history, 2) AS BLOB)",
        // One bit of the last digest: the manifest stays readable.
        "manifest":
            """
        CAST(substr(manifest, 1, length(manifest) - 1) || CASE substr(manifest, -1) WHEN X'00' THEN X'01' \
        ELSE X'00' END AS BLOB)
        """,
        "mac": "zeroblob(32)",
    ]

    @Test func everyColumnHasAnEdit() throws {
        let folder = Folder()
        try makeStore(folder)
        let columns = Intruder(folder).query("SELECT name FROM pragma_table_info('seal')").map { $0[0] }
        #expect(columns.sorted() == Self.edits.keys.sorted())
    }

    @Test(arguments: edits.keys.sorted())
    func anEditedColumnIsNoticedByTheTagAlone(column: String) throws {
        let folder = Folder()
        try makeStore(folder)
        let database = try Database(path: "\(folder.path)/\(TrustStore.fileName)", busyMilliseconds: 1000)
        let key = SealKey(try openVault(folder).derivedKey(context: SealKey.context))
        let seal = try Seal.check(database, key: key)
        Intruder(folder).run("UPDATE seal SET \(column) = \(Self.edits[column]!)")
        // Every column but `id` is read as edited, so only the tag can notice.
        if column != "id" { #expect(try Seal.stored(in: database) != seal) }
        // The log before the seal's bounds is not in the manifest, the offers' time is.
        let error = #expect(throws: StoreError.self) { try Seal.check(database, key: key) }
        guard case .sealBroken(let differences)? = error else {
            Issue.record("\(error.map { "\($0)" } ?? "accepted")")
            return
        }
        if column == "manifest" {
            #expect(
                differences.allSatisfy { if case .cell = $0 { true } else { false } } && !differences.isEmpty)
        } else {
            #expect(differences == [.seal])
        }
        #expect(refusal(folder) == differences)
    }

    /// What someone does who knows how a log is made: every hash, checkpoint and column of the seal agrees
    /// with the others.
    private func forge(_ folder: Folder, after start: LogBounds, _ entries: [(time: UInt64, event: LogEvent)])
        throws
    {
        let database = try Database(path: "\(folder.path)/\(TrustStore.fileName)", busyMilliseconds: 1000)
        var log = start
        try database.run("DELETE FROM log")
        try database.run("DELETE FROM log_checkpoint")
        for entry in entries { try database.append([entry.event], time: entry.time, to: &log) }
        try database.run(
            "UPDATE seal SET log_first = ?, log_before = ?, log_last = ?, log_hash = ?, log_checkpoint = ?",
            [
                .integer(Int64(log.first)), .blob(log.before.bytes), .integer(Int64(log.last)),
                .blob(log.hash.bytes),
                .blob(log.checkpoint.bytes),
            ])
    }

    enum Forgery: CaseIterable {
        case cutAtTheEnd, cutAtTheEndToACheckpoint, cutAtTheStart, firstEntryEdited, oneEntryMore, cleared
    }

    @Test(arguments: Forgery.allCases)
    func aForgedLogThatAgreesInItselfIsRefusedByTheTag(forgery: Forgery) throws {
        let folder = Folder()
        try makeLongStore(folder)
        let kept = try unlock(folder).log()
        let events = kept.map { (time: $0.time, event: $0.event) }
        let note = (time: UInt64(2000), event: LogEvent(.userNote))
        switch forgery {
        case .cutAtTheEnd: try forge(folder, after: .empty, Array(events.dropLast()))
        case .cutAtTheEndToACheckpoint: try forge(folder, after: .empty, Array(events.prefix(64)))
        case .cutAtTheStart:
            let start = LogBounds(
                first: 65, before: kept[63].hash, last: 64, hash: kept[63].hash,
                checkpoint: LogCheckpoint.none)
            try forge(folder, after: start, Array(events.dropFirst(64)))
        case .firstEntryEdited: try forge(folder, after: .empty, [note] + events.dropFirst())
        case .oneEntryMore: try forge(folder, after: .empty, events + [note])
        case .cleared:
            let last = try #require(kept.last)
            let start = LogBounds(
                first: last.number + 1, before: last.hash, last: last.number, hash: last.hash,
                checkpoint: LogCheckpoint.none)
            try forge(folder, after: start, [(time: 2000, event: LogEvent(.logCleared))])
        }
        // Without the key, everything fits.
        try TrustStore(directory: folder.path).checkLog()
        #expect(refusal(folder) == [.seal])
    }

    /// A log that is forged into itself is the same log: the forgeries above are refused for what they
    /// change.
    @Test func theForgeryOfNothingIsAccepted() throws {
        let folder = Folder()
        try makeLongStore(folder)
        let kept = try unlock(folder).log()
        try forge(folder, after: .empty, kept.map { (time: $0.time, event: $0.event) })
        #expect(try unlock(folder).log() == kept)
    }
}
