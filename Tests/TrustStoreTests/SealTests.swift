import Glibc
import SubstratePrimitives
import Testing
import TrustStore

/// Everything that decides trust, edited by someone who has the file but not the passphrase.
@Suite struct SealLaws {
    /// Every table but the ones that the seal does not cover row by row: large bytes are under their hashes,
    /// the log under its chain.
    static let unsealed = ["content", "log", "log_checkpoint", "history", "history_node", "seal"]

    /// Tables and columns from the schema of a store that this program made.
    static let columns: [(table: String, column: String, key: [String])] = {
        let folder = Folder()
        try! makeStore(folder)
        let database = Intruder(folder)
        let tables = database.query("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").map {
            $0[0]
        }
        return tables.filter { !unsealed.contains($0) }.flatMap { table in
            let facts = database.query("SELECT name, pk FROM pragma_table_info('\(table)')")
            let key = facts.filter { $0[1] != "0" }.sorted { $0[1] < $1[1] }.map { $0[0] }
            return facts.map { (table, $0[0], key) }
        }
    }()

    @Test func everySealedTableHasARowToEdit() throws {
        let folder = Folder()
        try makeStore(folder)
        let database = Intruder(folder)
        #expect(Set(Self.columns.map(\.table)).count == 16)
        for table in Set(Self.columns.map(\.table)) {
            #expect(database.query("SELECT * FROM \(table)").count > 0, "\(table)")
        }
    }

    @Test(arguments: columns.map { "\($0.table).\($0.column)" })
    func anEditedCellIsRefusedAndNamed(name: String) throws {
        let place = try #require(Self.columns.first { "\($0.table).\($0.column)" == name })
        let folder = Folder()
        try makeStore(folder)
        let database = Intruder(folder)
        let rows = database.query(
            "SELECT rowid FROM (SELECT row_number() OVER () AS rowid FROM \"\(place.table)\")"
        ).count
        database.run(Self.edit(place.table, place.column))
        #expect(database.changes >= 1)
        let differences = refusal(folder)
        #expect(!differences.isEmpty)
        if place.key.contains(place.column) {
            #expect(differences.contains { if case .rowAdded(place.table, _) = $0 { true } else { false } })
            #expect(differences.contains { if case .rowRemoved(place.table, _) = $0 { true } else { false } })
        } else {
            #expect(
                differences.allSatisfy {
                    if case .cell(place.table, _, place.column) = $0 { true } else { false }
                })
            #expect(differences.count <= rows)
        }
    }

    /// Another value of the column's type in place of its last value, larger than all: the rows keep their
    /// order, so that no other column moves.
    private static func edit(_ table: String, _ column: String) -> String {
        let choose = "(SELECT \(column) FROM \"\(table)\" ORDER BY 1 DESC LIMIT 1)"
        let value = """
            CASE typeof(\(column)) WHEN 'integer' THEN \(column) + 100 WHEN 'text' THEN \(column) || 'x'
            WHEN 'blob' THEN CAST(\(column) || X'00' AS BLOB)
            ELSE CASE '\(column)' WHEN 'scheme' THEN 1 WHEN 'last_used' THEN 1 WHEN 'label' THEN 'x' ELSE X'00' END END
            """
        return "UPDATE \"\(table)\" SET \(column) = \(value) WHERE \(column) IS \(choose)"
    }

    @Test(arguments: Array(Set(columns.map(\.table))).sorted())
    func aRemovedRowIsRefusedAndNamed(table: String) throws {
        let folder = Folder()
        try makeStore(folder)
        let database = Intruder(folder)
        let rows = database.query("SELECT count(*) FROM \"\(table)\"")[0][0]
        database.run("DELETE FROM \"\(table)\"")
        let differences = refusal(folder)
        #expect(differences.count == Int(rows))
        #expect(differences.allSatisfy { if case .rowRemoved(table, _) = $0 { true } else { false } })
    }

    @Test(
        arguments: [
            ("setting", "INSERT INTO setting VALUES ('other', X'01')"),
            ("chain", "INSERT INTO chain VALUES (zeroblob(32), 'general', NULL, NULL)"),
            ("network", "INSERT INTO network SELECT zeroblob(32), scheme, specs FROM network LIMIT 1"),
            ("metadata", "INSERT INTO metadata SELECT genesis, 99, hash, length FROM metadata LIMIT 1"),
            ("asset_list", "INSERT INTO asset_list VALUES (zeroblob(32), X'00')"),
            (
                "key",
                """
                INSERT INTO key SELECT 0, public_key, NULL, seed, path, 0, NULL, NULL FROM key WHERE scheme \
                = 1 LIMIT 1
                """
            ),
            (
                "key_network",
                "INSERT INTO key_network SELECT scheme, public_key, zeroblob(32) FROM key_network LIMIT 1"
            ),
        ])
    func anAddedRowIsRefusedAndNamed(table: String, sql: String) throws {
        let folder = Folder()
        try makeStore(folder)
        Intruder(folder).run(sql)
        let differences = refusal(folder)
        #expect(differences.count == 1)
        #expect(differences.allSatisfy { if case .rowAdded(table, _) = $0 { true } else { false } })
    }

    @Test(
        arguments: [
            """
            CREATE TEMP TABLE t AS SELECT * FROM metadata; UPDATE metadata SET hash = (SELECT hash FROM t \
            WHERE t.version = 3 - metadata.version)
            """,
            """
            UPDATE chain SET verifier = CASE verifier WHEN 'general' THEN 'custom' WHEN 'custom' THEN \
            'general' ELSE verifier END
            """,
            """
            CREATE TEMP TABLE t AS SELECT * FROM network; UPDATE network SET specs = (SELECT specs FROM t \
            WHERE t.genesis <> network.genesis)
            """,
            "UPDATE key SET path = CASE path WHEN '//Alice' THEN '//Bob' ELSE '//Alice' END WHERE seed <> ''",
        ])
    func swappedCellsAreRefusedAndBothNamed(sql: String) throws {
        let folder = Folder()
        try makeStore(folder)
        Intruder(folder).run(sql)
        let differences = refusal(folder)
        #expect(differences.count == 2)
        #expect(differences.allSatisfy { if case .cell = $0 { true } else { false } })
    }

    /// Values of another form. `SealColumnLaws` edits each column so that only the tag can notice.
    @Test(
        arguments: [
            "generation = generation - 1", "generation = -1", "manifest = X'00'", "mac = X'00'",
            "manifest = CAST(manifest || X'00' AS BLOB)",
            "log_before = X'00'", "log_hash = X'00'", "log_checkpoint = X'00'", "id = 2",
        ])
    func anEditedSealIsRefused(assignment: String) throws {
        let folder = Folder()
        try makeStore(folder)
        Intruder(folder).run("UPDATE seal SET \(assignment)")
        let differences = refusal(folder)
        guard assignment == "manifest = X'00'" else {
            #expect(differences == [.seal])
            return
        }
        // A manifest of no table: everything was added.
        #expect(differences.count > 5)
        #expect(differences.allSatisfy { if case .rowAdded = $0 { true } else { false } })
    }

    @Test func aRemovedSealIsRefused() throws {
        let folder = Folder()
        try makeStore(folder)
        Intruder(folder).run("DELETE FROM seal")
        #expect(refusal(folder) == [.sealMissing])
    }

    @Test(
        arguments: [
            ("CREATE TABLE extra (x)", "table/extra"), ("CREATE VIEW extra AS SELECT 1", "view/extra"),
            ("CREATE TRIGGER extra AFTER INSERT ON log BEGIN DELETE FROM key; END", "trigger/extra"),
            ("CREATE INDEX extra ON log (time)", "index/extra"),
        ])
    func anAddedObjectOfTheSchemaIsRefusedAndNamed(sql: String, row: String) throws {
        let folder = Folder()
        try makeStore(folder)
        Intruder(folder).run(sql)
        #expect(refusal(folder) == [.rowAdded(table: "sqlite_schema", row: row)])
    }

    @Test func aRowThatWasPutBackIsRefused() throws {
        let folder = Folder()
        try makeStore(folder)
        let old = Intruder(folder).query("SELECT hex(specs) FROM network WHERE scheme = 1")[0][0]
        var renamed = polkadot
        renamed.title = "Polkadot Relay"
        try unlock(folder).change([.putNetwork(renamed)], events: [])
        Intruder(folder).run("UPDATE network SET specs = X'\(old)' WHERE scheme = 1")
        #expect(
            refusal(folder) == [
                .cell(table: "network", row: "\(polkadot.genesisHash.hex)/1", column: "specs")
            ])
    }

    @Test func anOldSealWithItsOldRowsIsRefused() throws {
        let folder = Folder()
        let old = Folder()
        try makeStore(folder)
        Intruder(folder).run("PRAGMA wal_checkpoint(TRUNCATE)")
        try folder.copy(to: old)
        let confirmed = try unlock(folder).change([.labelKey(aliceKey, "spent")], events: [])
        for name in folder.names where name.hasPrefix("store.sqlite") { unlink("\(folder.path)/\(name)") }
        try folder.write(old.read("store.sqlite"), to: "store.sqlite")
        #expect(throws: StoreError.rolledBack(found: confirmed - 1, confirmed: confirmed)) {
            try unlock(folder)
        }
    }

    @Test func aSealIsCheckedAgainBeforeEveryChange() throws {
        let folder = Folder()
        try makeStore(folder)
        let store = try unlock(folder)
        Intruder(folder).run("UPDATE key SET has_password = 1 WHERE seed = 'alice'")
        let broken = StoreError.sealBroken([
            .cell(table: "key", row: "1/" + String(repeating: "d4", count: 32), column: "has_password")
        ])
        #expect(throws: broken) { try store.append([LogEvent(.userNote)]) }
        #expect(throws: broken) { try store.trust().state }
    }

    @Test func missingContentIsRefused() throws {
        let folder = Folder()
        try makeStore(folder)
        Intruder(folder).run("DELETE FROM content WHERE bytes = X'0405'")
        #expect(refusal(folder) == [.content(.blake2b(of: [4, 5]))])
    }

    @Test func contentOfAnotherLengthIsRefused() throws {
        let folder = Folder()
        try makeStore(folder)
        Intruder(folder).run("UPDATE content SET bytes = X'040506' WHERE bytes = X'0405'")
        #expect(refusal(folder) == [.content(.blake2b(of: [4, 5]))])
    }

    /// Of the same length, so that only their hash tells: an unlock does not read them.
    @Test func editedContentIsRefusedWhereverItIsRead() throws {
        let folder = Folder()
        try makeStore(folder)
        Intruder(folder).run("UPDATE content SET bytes = X'0406' WHERE bytes = X'0405'")
        let hash = Hash32.blake2b(of: [4, 5])
        let store = try unlock(folder)
        #expect(throws: StoreError.contentBroken(hash)) { try store.store.content(hash) }
        #expect(throws: StoreError.sealBroken([.content(hash)])) { try store.checkContents() }
    }
}
