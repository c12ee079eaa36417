import SQLite
import TestSupport
import Testing

@Suite struct SQLiteConnectionTests {
    private let folder = TemporaryDirectory()
    private struct Trouble: Error {}

    private func open(create: Bool = true) throws -> SQLiteConnection {
        try SQLiteConnection(path: folder.path + "/db", busyMilliseconds: 0, create: create)
    }

    private func read(_ content: inout [UInt8], _ body: (SQLiteConnection) throws -> Void) throws {
        try SQLiteConnection.reading(&content) { connection in Result { try body(connection) } }.get()
    }

    @Test func `every kind of value comes back as it was stored`() throws {
        let database = try open()
        try database.script("CREATE TABLE t (a)")
        let values: [SQLiteValue] = [
            .null, .integer(.min), .integer(.max), .real(0.5), .text(""), .text("é\u{0}x"), .blob([]),
            .blob([0, 0xff]),
        ]
        for value in values { try database.query("INSERT INTO t VALUES (?)", [value]) }
        #expect(try database.query("SELECT a FROM t ORDER BY rowid").map { $0[0] } == values)
    }

    @Test func `text that is not UTF-8 stays bytes`() throws {
        #expect(try open().query("SELECT CAST(x'ff41' AS TEXT)") == [[.blob([0xff, 0x41])]])
    }

    @Test func `a transaction that throws changes nothing`() throws {
        let database = try open()
        try database.script("CREATE TABLE t (a)")
        #expect(throws: Trouble.self) {
            try database.transaction {
                try database.query("INSERT INTO t VALUES (1)")
                throw Trouble()
            }
        }
        #expect(try database.query("SELECT count(*) FROM t") == [[.integer(0)]])
        _ = try database.transaction { try database.query("INSERT INTO t VALUES (1)") }
        #expect(database.changes == 1)
        #expect(try open(create: false).query("SELECT a FROM t") == [[.integer(1)]])
    }

    @Test func `a missing file is made only when that is asked for`() {
        #expect(throws: SQLiteError(resultCode: 14)) { try open(create: false) }
    }

    @Test func `a serialized database opens from memory and is read-only`() throws {
        let database = try open()
        try database.script("PRAGMA journal_mode = WAL; CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2)")
        var content = try database.serialized()
        try read(&content) { (copy) throws in
            #expect(try copy.query("SELECT a, b FROM t") == [[.integer(1), .integer(2)]])
            #expect(try copy.columns("SELECT a, b FROM t") == ["a", "b"])
            let error = #expect(throws: SQLiteError.self) { try copy.query("INSERT INTO t VALUES (3, 4)") }
            // SQLITE_READONLY
            #expect(error?.resultCode == 8)
        }
        #expect(try content == database.serialized() && content[18..<20] == [2, 2])
        for short in [[], Array(content.prefix(20))] {
            var short = short
            #expect(throws: SQLiteError(resultCode: 26)) { try read(&short) { _ in } }
        }
    }

    @Test func `a compacted copy has every row and no free page, and the file stays as it is`() throws {
        let database = try open()
        try database.script(
            "PRAGMA journal_mode = WAL; PRAGMA user_version = 7; CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
        for number in 1...9 {
            try database.query("INSERT INTO t VALUES (?, zeroblob(100000))", [.integer(Int64(number))])
        }
        #expect(try database.compacted() == database.serialized())
        try database.query("DELETE FROM t WHERE a > 1")
        let (whole, compacted) = try (database.serialized(), database.compacted())
        #expect(whole.count > 900_000 && compacted.count < 150_000)
        // One page in 800 says where others belong, so that the copy can give pages back.
        #expect(try compacted.count <= database.usedBytes() + 4096 && database.usedBytes() < 150_000)
        #expect(compacted[18..<20] == whole[18..<20])
        var content = compacted
        try read(&content) { (copy) throws in
            #expect(try copy.query("SELECT a, length(b) FROM t") == [[.integer(1), .integer(100_000)]])
            #expect(try copy.query("PRAGMA user_version") == [[.integer(7)]])
            #expect(try copy.query("PRAGMA freelist_count") == [[.integer(0)]])
        }
        #expect(try database.serialized() == whole)
        #expect(throws: SQLiteError(resultCode: 1)) { try database.script("ATTACH ':memory:' AS other") }
    }

    @Test func `an error tells its kind by the low byte`() throws {
        let database = try open()
        try database.script("CREATE TABLE t (a UNIQUE)")
        try database.query("INSERT INTO t VALUES (1)")
        let error = #expect(throws: SQLiteError.self) { try database.query("INSERT INTO t VALUES (1)") }
        #expect(error?.primaryCode == 19)
        #expect(error?.resultCode == 2067)
    }

    @Test func `no trigger and no view of a file runs`() throws {
        let database = try open()
        try database.script(
            """
            CREATE TABLE t (a); CREATE TABLE u (a); CREATE VIEW v AS SELECT 1;
            CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO u VALUES (1); END
            """)
        func refuses(_ database: SQLiteConnection) {
            #expect(throws: SQLiteError(resultCode: 1)) { try database.query("SELECT * FROM v") }
        }
        for database in [database, try open(create: false)] { refuses(database) }
        var content = try database.serialized()
        try read(&content) { refuses($0) }
        try database.query("INSERT INTO t VALUES (1)")
        #expect(try database.query("SELECT count(*) FROM u") == [[.integer(0)]])
    }

    @Test func `a row of more than 64 MiB is neither written nor read`() throws {
        let database = try open()
        try database.script("CREATE TABLE t (a)")
        try database.query("INSERT INTO t VALUES (zeroblob(?))", [.integer((64 << 20) - 100)])
        #expect(throws: SQLiteError(resultCode: 18)) {
            try database.query("INSERT INTO t VALUES (zeroblob(?))", [.integer(64 << 20 + 1)])
        }
    }

    @Test func `no other file is attached`() throws {
        #expect(throws: SQLiteError(resultCode: 1)) { try open().script("ATTACH ':memory:' AS other") }
    }
}
