import CSQLite
import Diagnostics

/// A value of a column.
public enum SQLiteValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    public var text: String? { if case .text(let text) = self { text } else { nil } }
    public var blob: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }
}

/// The extended result code that SQLite answered with (sqlite.org/rescode.html).
public struct SQLiteError: Error, Equatable, Sendable {
    public let resultCode: Int32
    /// `errno` of the system call that failed, where one did; else 0.
    public let systemError: Int32

    public init(resultCode: Int32, systemError: Int32 = 0) {
        self.resultCode = resultCode
        self.systemError = systemError
    }

    /// The low byte, which says what kind of trouble it is: `SQLITE_BUSY` is 5, `SQLITE_NOTADB` 26.
    public var primaryCode: Int32 { resultCode & 0xff }
}

/// A connection to one database file. Not shared between threads.
public final class SQLiteConnection {
    private let handle: OpaquePointer

    /// - Parameters:
    ///   - path: a file that is not a symbolic link.
    ///   - busyMilliseconds: how long a statement waits for another program.
    ///   - create: makes the file when there is none.
    public init(path: String, busyMilliseconds: Int32, create: Bool) throws(SQLiteError) {
        var opened: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
            | (create ? SQLITE_OPEN_CREATE : 0)
        let status = sqlite3_open_v2(path, &opened, flags, nil)
        guard status == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw SQLiteError(resultCode: status)
        }
        handle = opened
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, busyMilliseconds)
        try check(heliograph_set_defensive(handle))
    }

    /// Reads the content of a file, such as ``serialized()`` returns, where it lies: a store in a backup may
    /// have hundreds of megabytes. It is the same afterwards, and nothing is written anywhere.
    /// - Parameters:
    ///   - content: copied if it is shared with another variable.
    ///   - body: may not keep the connection.
    public static func reading<R>(
        _ content: inout [UInt8], _ body: (SQLiteConnection) -> R
    ) throws(SQLiteError) -> R {
        guard content.count > walMark.upperBound else { throw SQLiteError(resultCode: SQLITE_NOTADB) }
        let mark = Array(content[walMark])
        defer { content.replaceSubrange(walMark, with: mark) }
        return try content.withUnsafeMutableBufferPointer { (bytes) throws(SQLiteError) in
            var connection = try SQLiteConnection(memory: bytes, flags: SQLITE_DESERIALIZE_READONLY)
            let result = body(connection)
            precondition(isKnownUniquelyReferenced(&connection), "the memory ends here")
            return result
        }
    }

    /// Where a file says that it has a write-ahead log (sqlite.org/fileformat2.html, offsets 18 and 19).
    private static let walMark = 18..<20

    /// A database in memory.
    /// - Parameters:
    ///   - memory: gets the mark of a database without a write-ahead log, which memory does not have: else it
    ///     would not open.
    ///   - flags: of `sqlite3_deserialize`, which says with them to whom the memory belongs.
    private init(memory: UnsafeMutableBufferPointer<UInt8>, flags: Int32) throws(SQLiteError) {
        var opened: OpaquePointer?
        let status = sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard status == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw SQLiteError(resultCode: status)
        }
        handle = opened
        sqlite3_extended_result_codes(handle, 1)
        try check(heliograph_set_defensive(handle))
        for place in Self.walMark where place < memory.count { memory[place] = 1 }
        let length = sqlite3_int64(memory.count)
        try check(sqlite3_deserialize(handle, "main", memory.baseAddress, length, length, UInt32(flags)))
    }

    deinit { sqlite3_close_v2(handle) }

    /// Runs every statement of a script.
    public func script(_ sql: String) throws(SQLiteError) {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Runs one statement and returns its rows.
    @discardableResult
    public func query(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> [[SQLiteValue]] {
        var prepared: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &prepared, nil))
        guard let statement = prepared else { return [] }
        defer { sqlite3_finalize(statement) }
        for (index, value) in values.enumerated() {
            try check(Self.bind(value, to: statement, at: Int32(index) + 1))
        }
        var rows: [[SQLiteValue]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                rows.append((0..<sqlite3_column_count(statement)).map { Self.value(statement, $0) })
            case SQLITE_DONE: return rows
            case let status: throw failure(status)
            }
        }
    }

    /// The names of a query's columns, without running it.
    public func columns(_ sql: String) throws(SQLiteError) -> [String] {
        var prepared: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &prepared, nil))
        defer { sqlite3_finalize(prepared) }
        return (0..<sqlite3_column_count(prepared)).map { String(cString: sqlite3_column_name(prepared, $0)) }
    }

    /// Rows that the last statement changed.
    public var changes: Int { Int(sqlite3_changes64(handle)) }

    /// Runs `body` in one transaction: all of its changes are kept, or none.
    public func transaction<T>(_ body: () throws -> T) throws -> T {
        try script("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try script("COMMIT")
            return result
        } catch {
            // A rollback that fails finds nothing to roll back: SQLite has done it itself.
            try? script("ROLLBACK")
            throw error
        }
    }

    /// The whole database as one file would hold it, as of one moment.
    public func serialized() throws(SQLiteError) -> [UInt8] {
        let bytes = try serializedMemory()
        defer { sqlite3_free(bytes.baseAddress) }
        return Array(bytes)
    }

    /// The same in memory of SQLite's, which the caller frees.
    private func serializedMemory() throws(SQLiteError) -> UnsafeMutableBufferPointer<UInt8> {
        var length: sqlite3_int64 = 0
        guard let bytes = sqlite3_serialize(handle, "main", &length, 0), let count = Int(exactly: length)
        else {
            throw SQLiteError(resultCode: SQLITE_NOMEM)
        }
        return UnsafeMutableBufferPointer(start: bytes, count: count)
    }

    /// Bytes of the pages that are in use; the rest of the file is free.
    public func usedBytes() throws(SQLiteError) -> Int {
        let counts = try ["page_count", "freelist_count", "page_size"].map { (name) throws(SQLiteError) in
            Int(try query("PRAGMA \(name)").first?.first?.integer ?? 0)
        }
        return (counts[0] - counts[1]) * counts[2]
    }

    /// Gives free pages back to the disk, inside the transaction that freed them. The file shrinks when the
    /// write-ahead log is copied into it. A database that was created without incremental vacuum does not
    /// shrink.
    /// - Parameter kept: pages that may stay free, because the next rows take them.
    public func shrink(keeping kept: Int) throws(SQLiteError) {
        guard let free = try query("PRAGMA freelist_count").first?.first?.integer, free > Int64(kept) else {
            return
        }
        try script("PRAGMA incremental_vacuum(\(free - Int64(kept)))")
    }

    /// Like ``serialized()``, but without free pages. What is made from the copy can ``shrink(keeping:)``.
    /// The copy is made in memory, so nothing is written to the disk.
    ///
    /// `VACUUM` attaches a database, and only the connection that has the copy to itself may.
    public func compacted() throws(SQLiteError) -> [UInt8] {
        guard let free = try query("PRAGMA freelist_count").first?.first?.integer, free > 0 else {
            return try serialized()
        }
        let copy = try SQLiteConnection(
            memory: serializedMemory(),
            flags: SQLITE_DESERIALIZE_RESIZEABLE | SQLITE_DESERIALIZE_FREEONCLOSE)
        sqlite3_limit(copy.handle, SQLITE_LIMIT_ATTACHED, 1)
        try copy.script("PRAGMA temp_store = MEMORY; PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
        var bytes = try copy.serialized()
        // The mark of the write-ahead log, which memory does not have.
        let mode = try query("PRAGMA journal_mode").first?.first?.text
        if let mode, mode.utf8.elementsEqual("wal".utf8), bytes.count > 19 {
            (bytes[18], bytes[19]) = (2, 2)
        }
        return bytes
    }

    private func check(_ status: Int32) throws(SQLiteError) {
        if status != SQLITE_OK { throw failure(status) }
    }

    /// SQLite keeps `errno` only of a file that it could not open, read or write.
    private func failure(_ status: Int32) -> SQLiteError {
        let isOfTheSystem = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(status & 0xff)
        return SQLiteError(resultCode: status, systemError: isOfTheSystem ? sqlite3_system_errno(handle) : 0)
    }

    private static func bind(_ value: SQLiteValue, to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let number): return sqlite3_bind_int64(statement, index, number)
        case .real(let number): return sqlite3_bind_double(statement, index, number)
        case .text(let text): return heliograph_bind_text(statement, index, text, Int32(text.utf8.count))
        case .blob(let bytes):
            guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
            return heliograph_bind_blob(statement, index, bytes, count)
        }
    }

    private static func value(_ statement: OpaquePointer, _ column: Int32) -> SQLiteValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            // Text that is not UTF-8 stays bytes: repaired, it could pass for other text.
            let raw = bytes(statement, sqlite3_column_text(statement, column), column)
            return String(validating: raw, as: UTF8.self).map(SQLiteValue.text) ?? .blob(Array(raw))
        case SQLITE_BLOB:
            return .blob(Array(bytes(statement, sqlite3_column_blob(statement, column), column)))
        default: return .null
        }
    }

    private static func bytes(_ statement: OpaquePointer, _ start: UnsafeRawPointer?, _ column: Int32)
        -> UnsafeRawBufferPointer
    {
        UnsafeRawBufferPointer(
            start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, column)))
    }
}

extension SQLiteError: DiagnosticError {
    public var diagnostic: Diagnostic {
        .inputOutput(
            "database",
            "the database failed with SQLite code \(resultCode)"
                + (systemError == 0 ? "" : ": \(Sentence.systemError(systemError))"))
    }

    public static var examples: [SQLiteError] {
        [SQLiteError(resultCode: 11), SQLiteError(resultCode: 10, systemError: 5)]
    }
}
