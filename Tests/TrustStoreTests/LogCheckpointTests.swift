import SubstratePrimitives
import Testing

@testable import TrustStore

/// A store with 153 entries: checkpoints at 64 and 128, and 25 entries after the newest of them.
func makeLongStore(_ folder: Folder) throws {
    try makeStore(folder)
    try unlock(folder).append(
        (0..<150).map { index in
            LogEvent(
                .transactionSigned, [LogEvent.Fact("text", "\(index)")], payload: [0x53, UInt8(index)],
                metadataHash: .blake2b(of: [1, 2, 3]))
        })
}

@Suite struct LogCheckpointLaws {
    private let folder = Folder()

    @Test func anUnlockReadsNothingBeforeTheNewestCheckpoint() throws {
        try makeLongStore(folder)
        let intruder = Intruder(folder)
        intruder.run("DELETE FROM log WHERE number BETWEEN 2 AND 128")
        intruder.run("UPDATE log SET kind = 'nothing' WHERE number = 1")
        let store = try unlock(folder)
        try store.append([LogEvent(.userNote)])
        try store.refresh()
        #expect(try store.log(from: 129).map(\.number) == Array(129...154))
        #expect(throws: StoreError.sealBroken([.log(index: 65)])) { try store.log(from: 128) }
        #expect(throws: StoreError.sealBroken([.log(index: 1)])) { try store.check() }
    }

    /// Each column of an entry, entries that are missing, moved, added or replaced; all far from the end.
    static let edits: [(sql: String, index: UInt64)] = [
        ("UPDATE log SET number = 1000 WHERE number = 70; DELETE FROM log WHERE number = 1000", 70),
        ("UPDATE log SET time = time + 1 WHERE number = 70", 70),
        ("UPDATE log SET kind = 'user_note' WHERE number = 70", 70),
        ("UPDATE log SET facts = X'00' WHERE number = 70", 70),
        ("UPDATE log SET payload = X'5300' WHERE number = 70", 70),
        ("UPDATE log SET payload = NULL WHERE number = 70", 70),
        ("UPDATE log SET metadata_hash = NULL WHERE number = 70", 70),
        ("UPDATE log SET metadata_hash = zeroblob(32) WHERE number = 70", 70),
        ("UPDATE log SET hash = zeroblob(32) WHERE number = 70", 70),
        ("UPDATE log SET hash = zeroblob(32) WHERE number = 128", 128),
        ("DELETE FROM log WHERE number = 65", 65),
        ("DELETE FROM log WHERE number = 128", 128), ("DELETE FROM log WHERE number BETWEEN 65 AND 128", 65),
        (
            """
            UPDATE log SET number = 1000 WHERE number = 70; UPDATE log SET number = 70 WHERE number = 71;
            UPDATE log SET number = 71 WHERE number = 1000
            """, 70
        ),
        (
            """
            DELETE FROM log WHERE number = 71;
            INSERT INTO log SELECT 71, time, kind, facts, payload, metadata_hash, hash FROM log WHERE number = 70
            """, 71
        ),
    ]

    @Test(arguments: edits.map(\.sql))
    func anEditedOldEntryIsRefusedByWhateverReadsIt(sql: String) throws {
        try makeLongStore(folder)
        let kept = try unlock(folder).log()
        let index = try #require(Self.edits.first { $0.sql == sql }).index
        let broken = StoreError.sealBroken([.log(index: index)])
        // The store is open while the file is edited, and then it is opened anew.
        for isOpen in [true, false] {
            let store = try unlock(folder)
            if isOpen { Intruder(folder).run(sql) }
            for number in UInt64(65)...128 {
                #expect(throws: broken) { try store.log(from: number, limit: 1) }
            }
            #expect(throws: broken) { try store.log() }
            #expect(throws: broken) { try store.log(from: 64, limit: 2) }
            #expect(throws: broken) { try store.check() }
            #expect(throws: broken) { try store.standing(ofHead: kept[69].hash, number: 70) }
            #expect(throws: broken) { try store.standing(ofHead: kept[69].hash, number: nil) }
            // What the edit did not touch is still proven.
            #expect(try store.log(from: 1, limit: 64) == Array(kept.prefix(64)))
            #expect(try store.log(from: 129) == Array(kept.dropFirst(128)))
            #expect(try store.standing(ofHead: kept[3].hash, number: 4) == .held(number: 4, later: 149))
        }
        #expect(throws: broken) { try TrustStore(directory: folder.path).checkLog() }
    }

    /// An entry is handed out only after its whole range was proven.
    @Test func noEntryOfABrokenRangeIsHandedOut() throws {
        try makeLongStore(folder)
        Intruder(folder).run("UPDATE log SET time = time + 1 WHERE number = 128")
        var handed: [UInt64] = []
        let store = try unlock(folder)
        #expect(throws: StoreError.sealBroken([.log(index: 128)])) {
            try store.readLog(from: 60) { handed.append($0.number) }
        }
        #expect(handed == Array(60...64))
    }

    @Test(
        arguments: [
            ("UPDATE log_checkpoint SET number = 65 WHERE number = 64", 64),
            ("UPDATE log_checkpoint SET hash = zeroblob(32) WHERE number = 64", 64),
            ("UPDATE log_checkpoint SET hash = X'00' WHERE number = 64", 64),
            ("UPDATE log_checkpoint SET previous = zeroblob(32) WHERE number = 64", 64),
            ("UPDATE log_checkpoint SET previous = X'00' WHERE number = 64", 64),
            ("DELETE FROM log_checkpoint WHERE number = 64", 64),
            ("UPDATE log_checkpoint SET number = 129 WHERE number = 128", 192),
            ("UPDATE log_checkpoint SET hash = zeroblob(32) WHERE number = 128", 128),
            ("UPDATE log_checkpoint SET previous = zeroblob(32) WHERE number = 128", 128),
            ("DELETE FROM log_checkpoint WHERE number = 128", 128), ("DELETE FROM log_checkpoint", 64),
            ("INSERT INTO log_checkpoint SELECT 0, hash, previous FROM log_checkpoint WHERE number = 64", 0),
            (
                "INSERT INTO log_checkpoint SELECT -64, hash, previous FROM log_checkpoint WHERE number = 64",
                0
            ),
            (
                "INSERT INTO log_checkpoint SELECT 192, hash, previous FROM log_checkpoint WHERE number = 64",
                192
            ),
        ])
    func anEditedCheckpointAtAnEndIsRefusedAtTheUnlocking(sql: String, number: UInt64) throws {
        try makeLongStore(folder)
        Intruder(folder).run(sql)
        // Only the columns of a checkpoint that is neither the oldest nor the newest wait until they are
        // read.
        if sql.hasPrefix("UPDATE"), sql.contains("WHERE number = 64"), !sql.contains("SET number") {
            let store = try unlock(folder)
            let broken = StoreError.sealBroken([.checkpoint(number: number)])
            for first in [1, 64, 65, 128] as [UInt64] {
                #expect(throws: broken) { try store.log(from: first, limit: 1) }
            }
            #expect(try store.log(from: 129).count == 25)
            #expect(throws: broken) { try store.check() }
        } else {
            #expect(refusal(folder) == [.checkpoint(number: number)])
        }
    }

    @Test(arguments: [
        "INSERT INTO log_checkpoint SELECT 70, hash, previous FROM log_checkpoint WHERE number = 64"
    ])
    func aCheckpointBetweenTwoIsRefusedWhereItIsRead(sql: String) throws {
        try makeLongStore(folder)
        Intruder(folder).run(sql)
        let store = try unlock(folder)
        #expect(throws: StoreError.sealBroken([.checkpoint(number: 64)])) { try store.log(from: 1, limit: 1) }
        #expect(throws: StoreError.sealBroken([.checkpoint(number: 64)])) { try store.check() }
    }

    /// A range whose entries, hashes and checkpoint agree with each other: the next checkpoint names another
    /// digest.
    @Test func aRangeThatAgreesInItselfIsRefused() throws {
        try makeLongStore(folder)
        let database = try Database(path: "\(folder.path)/\(TrustStore.fileName)", busyMilliseconds: 1000)
        var log = LogBounds.empty
        let events = try unlock(folder).log(from: 1, limit: 64).map(\.event)
        try database.run("DELETE FROM log WHERE number <= 64")
        try database.run("DELETE FROM log_checkpoint WHERE number <= 64")
        try database.append([LogEvent(.userNote)] + events.dropFirst(), time: 1000, to: &log)
        let store = try unlock(folder)
        #expect(throws: StoreError.sealBroken([.checkpoint(number: 64)])) { try store.log(from: 1, limit: 1) }
        // The entries behind it stand on their own checkpoint's hash, but the row before them is proven, too.
        #expect(throws: StoreError.sealBroken([.checkpoint(number: 64)])) {
            try store.log(from: 65, limit: 1)
        }
        #expect(throws: StoreError.sealBroken([.checkpoint(number: 64)])) { try store.check() }
    }

    /// Entries that follow each other from an edited one on, up to a hash that nobody but the seal or a
    /// checkpoint contradicts.
    @Test(
        arguments: [(from: 100, through: 128), (from: 140, through: 153)] as [(from: UInt64, through: UInt64)]
    )
    func entriesThatWereHashedAnewAreRefused(from: UInt64, through: UInt64) throws {
        try makeLongStore(folder)
        let kept = try unlock(folder).log()
        let intruder = Intruder(folder)
        var opened: UnlockedStore? = try unlock(folder)
        var previous = kept[Int(from) - 2].hash
        for entry in kept[Int(from - 1)..<Int(through)] {
            let forged = LogEntry(
                number: entry.number, time: entry.time + 1, event: entry.event, after: previous)
            intruder.run(
                """
                UPDATE log SET time = \(forged.time), hash = X'\(forged.hash.hex)' WHERE number = \
                \(forged.number)
                """
            )
            previous = forged.hash
        }
        let broken = StoreError.sealBroken([.log(index: through)])
        #expect(throws: broken) { try opened?.log(from: from, limit: 1) }
        #expect(throws: broken) { try opened?.check() }
        opened = nil
        if through == 153 { #expect(refusal(folder) == [.log(index: through)]) } else { try unlock(folder) }
    }

    /// Entries and checkpoint that this store had itself once, before it was rolled back as a whole and went
    /// on differently.
    @Test func theEntriesOfAnotherLifeOfTheStoreAreRefused() throws {
        let other = Folder()
        try makeStore(folder)
        Intruder(folder).run("PRAGMA wal_checkpoint(TRUNCATE)")
        try folder.copy(to: other)
        for (life, text) in [(folder, "one"), (other, "other")] {
            try unlock(life).append(
                (0..<150).map { LogEvent(.userNote, [LogEvent.Fact("text", "\(text) \($0)")]) })
        }
        let intruder = Intruder(folder)
        intruder.run("ATTACH '\(other.path)/\(TrustStore.fileName)' AS other")
        for table in ["log", "log_checkpoint"] {
            intruder.run(
                """
                DELETE FROM main.\(table) WHERE number <= 64; INSERT INTO main.\(table) SELECT * FROM \
                other.\(table) WHERE number <= 64
                """
            )
        }
        let store = try unlock(folder)
        #expect(throws: StoreError.sealBroken([.checkpoint(number: 64)])) {
            try store.log(from: 10, limit: 1)
        }
        #expect(try store.log(from: 129).allSatisfy { $0.event["text"]?.hasPrefix("one") == true })
    }

    @Test func anOldLogWithTheNewSealIsRefused() throws {
        try makeLongStore(folder)
        let old = Folder()
        Intruder(folder).run("PRAGMA wal_checkpoint(TRUNCATE)")
        try folder.copy(to: old)
        try unlock(folder).append([LogEvent(.userNote)])
        let intruder = Intruder(folder)
        intruder.run("ATTACH '\(old.path)/\(TrustStore.fileName)' AS old")
        intruder.run("DELETE FROM main.log; INSERT INTO main.log SELECT * FROM old.log")
        #expect(refusal(folder) == [.log(index: 154)])
    }

    @Test(arguments: [0, -1, Int64.min, 154, Int64.max])
    func anEntryOutsideTheBoundsIsRefusedAtTheUnlocking(number: Int64) throws {
        try makeLongStore(folder)
        Intruder(folder).run(
            """
            INSERT INTO log SELECT \(number), time, kind, facts, payload, metadata_hash, hash FROM log WHERE \
            number = 70
            """
        )
        #expect(refusal(folder) == [.log(index: number < 1 ? 0 : 154)])
        #expect(throws: StoreError.sealBroken([.log(index: number < 1 ? 0 : 154)])) {
            try TrustStore(directory: folder.path).checkLog()
        }
    }

    /// Without the key, the seal's row is a claim of whoever wrote it, and is calculated with.
    @Test(
        arguments: [
            "log_last = -1", "log_last = 9223372036854775807", "log_first = 0", "log_first = -1",
            "log_first = 9223372036854775807",
            "log_first = 200", "log_first = -9223372036854775808, log_last = 9223372036854775807",
            "log_last = 4611686018427387904",
        ])
    func impossibleBoundsAreRefusedWithoutTheKey(assignment: String) throws {
        try makeLongStore(folder)
        Intruder(folder).run("UPDATE seal SET \(assignment)")
        let store = try TrustStore(directory: folder.path)
        #expect(throws: StoreError.sealBroken([.seal])) { try store.checkLog() }
        #expect(throws: StoreError.sealBroken([.seal])) { try store.checkLogEnd() }
        #expect(refusal(folder) == [.seal])
    }

    @Test(arguments: [
        ("log_last = 4611686018427387903", 154), ("log_first = 154", 1), ("log_first = 2, log_last = 1", 1),
    ])
    func boundsThatFitNoEntryAreRefusedWithoutTheKey(assignment: String, index: UInt64) throws {
        try makeLongStore(folder)
        Intruder(folder).run("UPDATE seal SET \(assignment)")
        let store = try TrustStore(directory: folder.path)
        #expect(throws: StoreError.sealBroken([.log(index: index)])) { try store.checkLog() }
        #expect(throws: StoreError.sealBroken([.log(index: index)])) { try store.checkLogEnd() }
    }

    /// Every length around the checkpoints, read from every number: the proven entries are the ones that were
    /// written.
    @Test func provenEntriesAreTheOnesThatWereWritten() throws {
        try makeStore(folder, changes: [])
        let store = try unlock(folder)
        var length = 3
        for target in [3, 4, 62, 63, 64, 65, 66, 127, 128, 129, 192, 200] {
            if target > length {
                try store.append(
                    (length..<target).map { LogEvent(.userNote, [LogEvent.Fact("text", "\($0)")]) })
            }
            length = target
            let all = try store.store.log()
            #expect(all.count == length)
            #expect(try store.log() == all)
            #expect(try store.log(from: 0) == all)
            for first in 1...length + 1 {
                #expect(
                    try store.log(from: UInt64(first), limit: 70)
                        == Array(all.dropFirst(first - 1).prefix(70)))
            }
            #expect(try store.log(from: .max).isEmpty)
            #expect(try store.log(limit: 0).isEmpty)
            try store.check()
            let end = try #require(try store.store.checkLogEnd())
            #expect(end % 64 == 1 && UInt64(length) - end < 64)
            try store.refresh()
        }
    }

    /// Numbers go on behind a cleared log, wherever it ended, and its checkpoints begin anew.
    @Test(arguments: [60, 61, 62, 150])
    func aClearedLogHasCheckpointsOfItsOwn(count: Int) throws {
        try makeStore(folder)
        let first = UInt64(count) + 4
        var stale: [String]?
        do {
            let store = try unlock(folder)
            try store.append((0..<count).map { _ in LogEvent(.userNote) })
            stale =
                Intruder(folder).query("SELECT number, hex(hash), hex(previous) FROM log_checkpoint LIMIT 1")
                .first
            try store.clearLog()
            #expect(try store.log().map(\.number) == [first])
            for _ in 0..<2 {
                try store.append((0..<70).map { LogEvent(.userNote, [LogEvent.Fact("text", "\($0)")]) })
                let all = try store.store.log()
                #expect(all.first?.number == first)
                for number in first...(all.last!.number) {
                    #expect(try store.log(from: number) == Array(all.dropFirst(Int(number - first))))
                }
                #expect(try store.log(from: 1) == all)
                try store.check()
            }
        }
        if let stale {
            Intruder(folder).run(
                "INSERT OR IGNORE INTO log_checkpoint VALUES (\(stale[0]), X'\(stale[1])', X'\(stale[2])')")
            let number = try #require(UInt64(stale[0]))
            // 64 may be a number of the cleared log as well.
            if number < first { #expect(refusal(folder) == [.checkpoint(number: number)]) }
        }
    }

    @Test func aBackupKeepsTheCheckpoints() throws {
        try makeLongStore(folder)
        let store = try unlock(folder)
        let kept = try store.log()
        let restored = Folder()
        for file in try store.backup() { try restored.write(file.bytes, to: file.name) }
        for name in ["vault", "attempts", "journal"] { try restored.write(folder.read(name), to: name) }
        #expect(try unlock(restored).log() == kept)
        Intruder(restored).run("UPDATE log SET time = 5 WHERE number = 9")
        #expect(throws: StoreError.sealBroken([.log(index: 9)])) {
            try unlock(restored).log(from: 9, limit: 1)
        }
    }

    // MARK: The clock

    @Test func aClockThatGoesBackChangesNoOrder() throws {
        try makeStore(folder)
        for time in [5000, 10, 0] as [UInt64] {
            try TrustStore(directory: folder.path, clock: { time }).unlock(openVault(folder)).append([
                LogEvent(.userNote)
            ])
        }
        let log = try unlock(folder).log(from: 4)
        #expect(log.map(\.number) == [4, 5, 6])
        #expect(log.map(\.time) == [5000, 10, 0])
    }

    /// The hash covers the time that the column can hold.
    @Test func aTimeThatNoColumnHoldsIsCut() throws {
        try makeStore(folder)
        try TrustStore(directory: folder.path, clock: { .max }).unlock(openVault(folder)).append([
            LogEvent(.userNote)
        ])
        #expect(try unlock(folder).log(from: 4).map(\.time) == [UInt64(Int64.max)])
    }

    @Test func aStoreThatWasPutAsideIsNotReplacedByTheNext() throws {
        try makeStore(folder)
        for _ in 0..<3 {
            _ = try TrustStore.replaceBroken(
                directory: folder.path, vault: openVault(folder), changes: [], events: [], clock: { 3000 })
        }
        let aside = folder.names.filter {
            $0.hasPrefix("store.sqlite.refused-3000") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
        }
        #expect(
            Set(aside) == [
                "store.sqlite.refused-3000", "store.sqlite.refused-3000-2", "store.sqlite.refused-3000-3",
            ])
    }
}
