import Glibc
import SQLite

/// The store's connection: SQLite's answers as errors of the store.
final class Database {
    private let connection: SQLiteConnection

    /// - Parameter busyMilliseconds: how long a statement waits for another program.
    init(path: String, busyMilliseconds: Int32) throws(StoreError) {
        do {
            connection = try SQLiteConnection(path: path, busyMilliseconds: busyMilliseconds, create: false)
        } catch {
            throw StoreError(error)
        }
    }

    private init(_ connection: SQLiteConnection) { self.connection = connection }

    /// Reads the content of a database's file where it lies.
    /// - Parameter body: may not keep the database.
    static func reading<R>(
        _ content: inout [UInt8], _ body: (Database) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let result: Result<R, StoreError>
        do {
            result = try SQLiteConnection.reading(&content) { connection in
                Result { () throws(StoreError) in try body(Database(connection)) }
            }
        } catch { throw StoreError(error) }
        return try result.get()
    }

    /// Runs every statement of a script.
    func script(_ sql: String) throws(StoreError) {
        do { try connection.script(sql) } catch { throw StoreError(error) }
    }

    func run(_ sql: String, _ values: [SQLiteValue] = []) throws(StoreError) { _ = try query(sql, values) }

    func query(_ sql: String, _ values: [SQLiteValue] = []) throws(StoreError) -> [[SQLiteValue]] {
        do { return try connection.query(sql, values) } catch { throw StoreError(error) }
    }

    /// The names of a query's columns.
    func columns(_ sql: String) throws(StoreError) -> [String] {
        do { return try connection.columns(sql) } catch { throw StoreError(error) }
    }

    /// Gives free pages beyond these back to the disk.
    func shrink(keeping kept: Int) throws(StoreError) {
        do { try connection.shrink(keeping: kept) } catch { throw StoreError(error) }
    }

    /// The whole database as of one moment, without free pages.
    func compacted() throws(StoreError) -> [UInt8] {
        do { return try connection.compacted() } catch { throw StoreError(error) }
    }

    func usedBytes() throws(StoreError) -> Int {
        do { return try connection.usedBytes() } catch { throw StoreError(error) }
    }

    /// Rows that the last statement changed.
    var changes: Int { connection.changes }
}

extension StoreError {
    /// Source: sqlite.org/rescode.html
    init(_ error: SQLiteError) {
        self =
            switch error.primaryCode {
            case 5, 6: .busy
            case 26: .notAStore
            case 13: .inputOutput(code: ENOSPC)
            case 3, 8: .inputOutput(code: EACCES)
            case 10, 14: .inputOutput(code: error.systemError == 0 ? EIO : error.systemError)
            case 19: .conflict(table: "constraint")
            default: .damaged(code: error.resultCode)
            }
    }
}
