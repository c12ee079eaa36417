import CSQLite
import Glibc

/// A value of a SQLite column.
enum SQLValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

/// A connection to one database file. Not shared between threads.
final class Database {
    private let handle: OpaquePointer

    /// - Parameter busyMilliseconds: how long a statement waits for another program.
    init(path: String, busyMilliseconds: Int32) throws(StoreError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
        let status = sqlite3_open_v2(path, &opened, flags, nil)
        guard status == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw Self.error(status)
        }
        handle = opened
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, busyMilliseconds)
        try check(heliograph_set_defensive(handle))
    }

    deinit { sqlite3_close_v2(handle) }

    func run(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) {
        try rows(sql, values) { (_: borrowing Row) throws(StoreError) in }
    }

    /// Runs every statement of a script.
    func script(_ sql: String) throws(StoreError) { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

    func query(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> [[SQLValue]] {
        var all: [[SQLValue]] = []
        try rows(sql, values) { (row: borrowing Row) throws(StoreError) in all.append(row.values) }
        return all
    }

    func rows(
        _ sql: String, _ values: [SQLValue] = [], _ body: (borrowing Row) throws(StoreError) -> Void
    ) throws(StoreError) {
        var prepared: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &prepared, nil))
        guard let statement = prepared else { return }
        defer { sqlite3_finalize(statement) }
        for (place, value) in values.enumerated() { try check(Self.bind(value, to: statement, at: Int32(place) + 1)) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: try body(Row(statement: statement))
            case SQLITE_DONE: return
            case let status: throw Self.error(status)
            }
        }
    }

    /// Rows that the last statement changed.
    var changes: Int { Int(sqlite3_changes64(handle)) }

    private func check(_ status: Int32) throws(StoreError) {
        if status != SQLITE_OK { throw Self.error(status) }
    }

    private static func error(_ status: Int32) -> StoreError {
        switch status & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_NOTADB: .notAStore
        case SQLITE_CANTOPEN: .missing
        case SQLITE_FULL: .inputOutput(code: ENOSPC)
        case SQLITE_READONLY, SQLITE_PERM: .inputOutput(code: EACCES)
        case SQLITE_IOERR: .inputOutput(code: EIO)
        case SQLITE_CONSTRAINT: .conflict(table: "constraint")
        default: .damaged(code: status)
        }
    }

    private static func bind(_ value: SQLValue, to statement: OpaquePointer, at place: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(statement, place)
        case .integer(let number): return sqlite3_bind_int64(statement, place, number)
        case .real(let number): return sqlite3_bind_double(statement, place, number)
        case .text(let text): return heliograph_bind_text(statement, place, text, Int32(text.utf8.count))
        case .blob(let bytes):
            guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
            return heliograph_bind_blob(statement, place, bytes, count)
        }
    }

    /// The row that a statement stands on.
    struct Row: ~Copyable {
        fileprivate let statement: OpaquePointer

        var values: [SQLValue] { (0..<sqlite3_column_count(statement)).map { value($0) } }

        var names: [String] {
            (0..<sqlite3_column_count(statement)).map { String(cString: sqlite3_column_name(statement, $0)) }
        }

        func value(_ column: Int32) -> SQLValue {
            switch sqlite3_column_type(statement, column) {
            case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
            case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
            case SQLITE_TEXT:
                // Text that is no UTF-8 stays bytes: repaired, it could pass for other text under the seal.
                let raw = bytes(sqlite3_column_text(statement, column), column)
                return String(validating: raw, as: UTF8.self).map(SQLValue.text) ?? .blob(Array(raw))
            case SQLITE_BLOB: return .blob(Array(bytes(sqlite3_column_blob(statement, column), column)))
            default: return .null
            }
        }

        private func bytes(_ start: UnsafeRawPointer?, _ column: Int32) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, column)))
        }
    }
}
