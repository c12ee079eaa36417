import SubstratePrimitives
import Testing

@testable import TrustStore

/// Whoever writes the file chooses its schema: nothing in it may run before the store is refused.
@Suite struct SchemaLaws {
    private let folder = Folder()

    /// A view that never ends when it is read, and a table of another kind, in the place of each table that
    /// an unlock reads.
    static let plants =
        (Schema.sealedTables.map(\.name) + [
            "log", "log_checkpoint", "history", "history_node", "seal", "content",
        ]).flatMap { table in
            [
                """
                DROP TABLE \"\(table)\"; CREATE VIEW \"\(table)\" AS WITH RECURSIVE n(i) AS (SELECT 1 UNION \
                ALL SELECT i + 1 FROM n) SELECT i FROM n
                """,
                "DROP TABLE \"\(table)\"; CREATE VIRTUAL TABLE \"\(table)\" USING fts5(name, value)",
                "CREATE TRIGGER extra AFTER INSERT ON \"\(table)\" BEGIN DELETE FROM key; END",
                "ALTER TABLE \"\(table)\" RENAME TO other",
                "ALTER TABLE \"\(table)\" ADD COLUMN other TEXT",
                "CREATE INDEX other ON \"\(table)\" (abs(1))",
            ]
        }

    @Test(.timeLimit(.minutes(2)), arguments: plants)
    func aPlantedObjectIsRefusedBeforeAnythingIsRead(sql: String) throws {
        try makeStore(folder)
        let intruder = Intruder(folder)
        intruder.run("PRAGMA legacy_alter_table = ON")
        intruder.run(sql)
        let differences = refusal(folder)
        for difference in differences {
            switch difference {
            case .rowAdded("sqlite_schema", _), .rowRemoved("sqlite_schema", _),
                .cell("sqlite_schema", _, "sql"):
                break
            default: Issue.record("refused for \(difference)")
            }
        }
        // Nothing is read without the key, either.
        let store = try TrustStore(directory: folder.path)
        let error = StoreError.sealBroken(differences)
        #expect(throws: error) { try store.uncheckedTrust() }
        #expect(throws: error) { try store.log() }
        #expect(throws: error) { try store.checkLog() }
        #expect(throws: error) { try store.checkLogEnd() }
        #expect(throws: error) { try store.content(.blake2b(of: [4, 5])) }
    }

    /// While a store is open, too.
    @Test func anObjectThatIsPlantedLaterIsRefused() throws {
        try makeStore(folder)
        let store = try unlock(folder)
        Intruder(folder).run("CREATE TRIGGER extra AFTER INSERT ON log BEGIN DELETE FROM key; END")
        let broken = StoreError.sealBroken([.rowAdded(table: "sqlite_schema", row: "trigger/extra")])
        #expect(throws: broken) { try store.append([LogEvent(.userNote)]) }
        #expect(throws: broken) { try store.trust() }
        #expect(throws: broken) { try store.refresh() }
        #expect(throws: broken) { try store.store.content(.blake2b(of: [4, 5])) }
    }

    @Test func aBackupOfAnotherSchemaIsRefused() throws {
        try makeStore(folder)
        let database = try Database(path: "\(folder.path)/\(TrustStore.fileName)", busyMilliseconds: 1000)
        func trust() throws -> TrustState {
            var content = try database.compacted()
            return try TrustStore.trust(inBackup: &content).state
        }
        #expect(try trust().keys.count == 3)
        try database.run("CREATE VIEW extra AS SELECT 1")
        #expect(throws: StoreError.sealBroken([.rowAdded(table: "sqlite_schema", row: "view/extra")])) {
            try trust()
        }
        try database.script("DROP VIEW extra; PRAGMA user_version = 9")
        #expect(throws: StoreError.otherLayout(found: 9)) {
            try trust()
        }
    }

    @Test(arguments: [0, 4, 6, -1])
    func anotherLayoutIsToldByItsNumber(version: Int64) throws {
        try makeStore(folder)
        Intruder(folder).run("PRAGMA user_version = \(version)")
        #expect(throws: StoreError.otherLayout(found: version)) { try TrustStore(directory: folder.path) }
    }

    @Test func theFileOfAnotherProgramIsNotAStore() throws {
        try makeStore(folder)
        Intruder(folder).run("PRAGMA application_id = 7")
        #expect(throws: StoreError.notAStore) { try TrustStore(directory: folder.path) }
    }
}
