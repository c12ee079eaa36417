import SubstratePrimitives
import Testing

@testable import TrustStore

@Suite struct LogLaws {
    @Test func entriesCountFromOneAndFollowEachOther() throws {
        let folder = Folder()
        try makeStore(folder)
        let log = try unlock(folder).store.log()
        #expect(log.map(\.number) == [1, 2, 3])
        #expect(log.map(\.event.kind) == [.databaseCreated, .userNote, .transactionSigned])
        #expect(log[1].event["text"] == "one")
        #expect(log[2].event.payload == [0x53, 1, 2])
        #expect(log[2].event.metadataHash == .blake2b(of: [1, 2, 3]))
        #expect(log.allSatisfy { $0.time == 1000 && !$0.wasLocked })
        #expect(try unlock(folder).trust().state.log.hash == log[2].hash)
    }

    @Test func asManyEntriesAreReadAsAreAskedFor() throws {
        let folder = Folder()
        try makeStore(folder)
        let locked = try TrustStore(directory: folder.path)
        #expect(try locked.log(limit: 0).isEmpty)
        #expect(try locked.log(limit: 1).map(\.number) == [1])
        #expect(try locked.log(from: 2, limit: 1).map(\.number) == [2])
        #expect(try locked.log(from: 2, limit: 2).map(\.number) == [2, 3])
        #expect(try locked.log(from: 2, limit: 3).map(\.number) == [2, 3])
    }

    @Test(
        arguments: [
            ("UPDATE log SET time = time + 1 WHERE number = 2", 2),
            ("UPDATE log SET kind = 'user_note' WHERE number = 3", 3),
            ("UPDATE log SET facts = X'00' WHERE number = 2", 2),
            ("UPDATE log SET payload = X'53' WHERE number = 3", 3),
            ("UPDATE log SET payload = NULL WHERE number = 3", 3),
            ("UPDATE log SET metadata_hash = NULL WHERE number = 3", 3),
            ("UPDATE log SET hash = zeroblob(32) WHERE number = 1", 1),
            ("UPDATE log SET kind = 'nothing' WHERE number = 1", 1),
            ("DELETE FROM log WHERE number = 1", 1), ("DELETE FROM log WHERE number = 3", 3),
            ("DELETE FROM log", 1),
            (
                """
                UPDATE log SET number = 10 WHERE number = 2; UPDATE log SET number = 2 WHERE number = 3; \
                UPDATE log SET number = 3 WHERE number = 10
                """,
                2
            ),
            (
                """
                INSERT INTO log SELECT 4, time, kind, facts, payload, metadata_hash, hash FROM log WHERE \
                number = 3
                """,
                4
            ),
            (
                """
                INSERT INTO log SELECT 0, time, kind, facts, payload, metadata_hash, hash FROM log WHERE \
                number = 1
                """,
                0
            ),
        ])
    func anEditedLogIsRefused(sql: String, index: UInt64) throws {
        let folder = Folder()
        try makeStore(folder)
        Intruder(folder).run(sql)
        #expect(refusal(folder) == [.log(index: index)])
    }

    @Test func aClearedLogKeepsOneEntryThatSaysSo() throws {
        let folder = Folder()
        try makeStore(folder)
        let store = try unlock(folder)
        let head = try store.trust().state.log.hash
        try store.clearLog()
        try store.append([LogEvent(.userNote)])
        let log = try TrustStore(directory: folder.path).log()
        #expect(log.map(\.number) == [4, 5])
        #expect(log[0].event.kind == .logCleared)
        #expect(log[0].event["entries"] == "3")
        #expect(log[0].event["head"] == head.hex)
    }

    @Test func whatHappensWhileLockedIsMergedOnce() throws {
        let folder = Folder()
        try makeStore(folder)
        let locked = try TrustStore(directory: folder.path, clock: { 1500 })
        try locked.journal(LogEvent(.wrongPassphrase))
        try locked.journal(LogEvent(.deviceOnline, [LogEvent.Fact("interface", "eth0")]))
        #expect(locked.journalled.map(\.kind) == [.wrongPassphrase, .deviceOnline])
        let kept = try folder.read("journal")
        do {
            let store = try unlock(folder)
            let merged = try store.store.log(from: 4)
            #expect(merged.map(\.event.kind) == [.wrongPassphrase, .deviceOnline])
            #expect(merged.allSatisfy { $0.wasLocked && $0.event["at"] == "1500" })
            #expect(try store.trust().state.settings[StoreSetting.onlineUnacknowledged] == [1])
        }
        #expect(locked.journalled.isEmpty)
        // An interruption between the commit and the emptying of the journal.
        try folder.write(kept, to: "journal")
        #expect(try unlock(folder).store.log(from: 4).count == 2)
        try locked.journal(LogEvent(.wrongPassphrase))
        #expect(try unlock(folder).store.log(from: 6).map(\.event.kind) == [.wrongPassphrase])
    }

    @Test func aCutJournalRecordWasNeverConfirmed() throws {
        let folder = Folder()
        try makeStore(folder)
        let locked = try TrustStore(directory: folder.path)
        try locked.journal(LogEvent(.wrongPassphrase))
        let one = try folder.read("journal")
        try locked.journal(LogEvent(.deviceOnline))
        let two = try folder.read("journal")
        for length in (one.count + 1)..<two.count {
            try folder.write(Array(two[..<length]), to: "journal")
            #expect(locked.journalled.map(\.kind) == [.wrongPassphrase])
        }
        try locked.journal(LogEvent(.updateRefused))
        #expect(locked.journalled.map(\.kind) == [.wrongPassphrase, .updateRefused])
    }

    @Test func aDamagedJournalIsWrittenDown() throws {
        let folder = Folder()
        try makeStore(folder)
        let locked = try TrustStore(directory: folder.path)
        try locked.journal(LogEvent(.wrongPassphrase))
        var bytes = try folder.read("journal")
        bytes[bytes.count - 1] ^= 1
        try folder.write(bytes, to: "journal")
        #expect(try unlock(folder).store.log(from: 4).map(\.event.kind) == [.journalDamaged])
        #expect(try unlock(folder).store.log(from: 5).isEmpty)
    }

    /// Also where the log does not take the events of the new one.
    @Test func aFileThatIsNoJournalIsReplacedWhole() throws {
        let folder = Folder()
        try folder.write([UInt8](repeating: 0x41, count: 100), to: "journal")
        try Journal(directory: folder.path).drain { (contents, bytes, wasMissing) throws(StoreError) in
            #expect(wasMissing && contents.identity.count == 16 && bytes.count == 28)
            return false
        }
        let kept = try folder.read("journal")
        #expect(kept.count == 28 && kept.starts(with: Array("HELIOGJ2".utf8)))
    }

    /// However many payloads are scanned and refused, a wrong passphrase after them is written down.
    @Test func payloadsLeaveRoomInTheJournal() throws {
        let folder = Folder()
        try makeStore(folder)
        let locked = try TrustStore(directory: folder.path)
        let payload = [UInt8](repeating: 0x53, count: 16_000)
        for _ in 0..<200 { #expect(try locked.journal(LogEvent(.transactionRefused, payload: payload))) }
        #expect(try locked.journal(LogEvent(.wrongPassphrase)))
        let kept = locked.journalled
        #expect(kept.first?.payload == payload)
        #expect(kept[199].payload == nil && kept[199]["payload_hash"] == Hash32.blake2b(of: payload).hex)
        #expect(kept.last?.kind == .wrongPassphrase)
    }

    @Test func aLongPayloadIsJournalledByItsHash() throws {
        let folder = Folder()
        try makeStore(folder)
        let payload = [UInt8](repeating: 0x53, count: 100_000)
        try TrustStore(directory: folder.path).journal(LogEvent(.updateRefused, payload: payload))
        let entry = try #require(try unlock(folder).store.log(from: 4).first)
        #expect(entry.event.payload == nil)
        #expect(entry.event["payload_hash"] == Hash32.blake2b(of: payload).hex)
        #expect(entry.event["payload_length"] == "100000")
    }

    @Test func aFullJournalTakesNothingMore() throws {
        let folder = Folder()
        try makeStore(folder)
        let locked = try TrustStore(directory: folder.path)
        let event = LogEvent(.transactionRefused, payload: [UInt8](repeating: 1, count: 16384))
        var count = 0
        while try locked.journal(event) { count += 1 }
        #expect(count > 50)
        #expect(try folder.read("journal").count <= 1 << 20)
        #expect(try unlock(folder).store.log(from: 4).count == count)
    }

    /// What a person kept of an earlier state stays an entry of the log; what it was not, or is not yet, is
    /// told.
    @Test func anExportedHeadStandsInTheLogThatGoesOnFromIt() throws {
        let folder = Folder()
        try makeStore(folder)
        let store = try unlock(folder)
        let kept = try store.trust().state.log
        #expect(
            try store.standing(ofHead: kept.hash, number: kept.last) == .held(number: kept.last, later: 0))
        try store.append([LogEvent(.userNote), LogEvent(.userNote)])
        for number in [kept.last, nil] {
            #expect(
                try store.standing(ofHead: kept.hash, number: number) == .held(number: kept.last, later: 2))
        }
        let other = Hash32.blake2b(of: [1])
        #expect(try store.standing(ofHead: other, number: kept.last) == .differs)
        #expect(try store.standing(ofHead: other, number: nil) == .differs)
        #expect(try store.standing(ofHead: kept.hash, number: kept.last + 1) == .differs)
        #expect(try store.standing(ofHead: kept.hash, number: kept.last + 3) == .ahead(last: kept.last + 2))
        #expect(try store.standing(ofHead: kept.hash, number: .max) == .ahead(last: kept.last + 2))
        let before = try store.trust().state.log
        try store.clearLog()
        // The entry that says so remembers the head before it; what lies farther back is gone.
        for number in [before.last, nil] {
            #expect(
                try store.standing(ofHead: before.hash, number: number)
                    == .held(number: before.last, later: 1))
        }
        #expect(try store.standing(ofHead: kept.hash, number: kept.last) == .cleared(first: before.last + 1))
        #expect(try store.standing(ofHead: kept.hash, number: 0) == .cleared(first: before.last + 1))
    }
}
