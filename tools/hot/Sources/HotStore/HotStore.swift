import Glibc
import SCALE
import SQLite
import SubstratePrimitives
import SystemIO

/// The hot database: networks with their node URLs, the newest metadata of each, and the history of fetches.
///
/// One SQLite file, `hot.sqlite`, in a directory of its own. Nothing in it is secret, and nothing in it
/// decides trust.
public final class HotStore {
    static let fileName = "hot.sqlite"
    /// Spec versions whose metadata is kept for a network, where nobody asks for another number.
    public static let keptVersions = 3
    /// Long enough for another process to finish a write.
    private static let busyMilliseconds: Int32 = 10_000
    /// "HGht", in the file's header.
    private static let applicationID: Int64 = 0x4847_6874
    private static let layoutVersion: Int64 = 7

    /// Whether this is the name of a file of a hot database: it or what SQLite keeps beside it.
    public static func isOwn(_ name: String) -> Bool {
        name.utf8Equals(fileName) || name.utf8Starts(with: fileName + "-")
    }

    let connection: SQLiteConnection

    /// Opens the database in a directory; creates both if needed, with the default networks.
    public init(directory: String) throws {
        try Self.makeFolders(directory)
        let path = directory + "/" + Self.fileName
        // SQLite would wait for a pipe's other end, or call a directory an error of the disk.
        if let found = try? Permissions.of(path, followingLinks: false), !found.isFile, !found.isLink {
            throw HotStoreError.notAFile(path: path)
        }
        do {
            connection = try SQLiteConnection(
                path: path, busyMilliseconds: Self.busyMilliseconds, create: true)
            try connection.script("PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL")
            try prepareLayout()
        } catch let error as SQLiteError {
            switch error.primaryCode {
            case 26: throw HotStoreError.notAStore
            // SQLITE_CANTOPEN: it follows no link.
            case 14:
                if let link = Self.link(on: path) { throw link }
                throw HotStoreError.sqlite(error)
            default: throw HotStoreError.sqlite(error)
            }
        }
    }

    /// The first symbolic link on the way to a file, with the directory where the file really is; nil without
    /// one.
    private static func link(on path: String) -> HotStoreError? {
        for (index, byte) in path.utf8.enumerated() where index > 0 && byte == UInt8(ascii: "/") {
            let part = String(Substring(path.utf8.prefix(index)))
            guard (try? Permissions.of(part, followingLinks: false))?.isLink == true else { continue }
            return .behindLink(path: part, directory: realPath(String(path.dropLast(fileName.count + 1))))
        }
        guard (try? Permissions.of(path, followingLinks: false))?.isLink == true else { return nil }
        let target = realPath(path)
        guard let target, target.utf8Ends(with: "/" + fileName) else {
            return .behindLink(path: path, directory: nil)
        }
        return .behindLink(path: path, directory: String(target.dropLast(fileName.count + 1)))
    }

    private static func realPath(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    private static func makeFolders(_ directory: String) throws {
        do throws(SystemError) { try Directory.make(directory) } catch {
            throw HotStoreError.inputOutput(code: error.errno)
        }
    }

    private func prepareLayout() throws {
        try connection.transaction {
            let identity = try connection.query("PRAGMA application_id").first?.first?.integer ?? 0
            let version = try connection.query("PRAGMA user_version").first?.first?.integer ?? 0
            if identity == Self.applicationID {
                try upgrade(from: version)
                return
            }
            guard identity == 0, try connection.query("SELECT name FROM sqlite_schema").isEmpty else {
                throw HotStoreError.notAStore
            }
            try connection.script(Self.layout + Self.laterTables)
            try connection.script(
                "PRAGMA application_id = \(Self.applicationID); PRAGMA user_version = \(Self.layoutVersion)")
            try addDefaults()
        }
    }

    /// Layout 1 may lack the table of signatures, layout 2 the names of verifiers and the pins, layout 3 the
    /// derived keys, layout 4 the guarded signatures, layout 5 the transactions, layout 6 the backup pins; all
    /// are otherwise the same.
    private func upgrade(from version: Int64) throws {
        if version == Self.layoutVersion { return }
        guard (1..<Self.layoutVersion).contains(version) else { throw HotStoreError.notAStore }
        try connection.script(Self.laterTables)
        try connection.script("PRAGMA user_version = \(Self.layoutVersion)")
    }

    /// Tables that older layouts lack.
    private static let laterTables =
        attestationTable + verifierTable + pinTable + derivedTable + guardTable + transactionTable
        + backupPinTable

    private static let attestationTable = """
        CREATE TABLE IF NOT EXISTS attestation (
            message BLOB NOT NULL PRIMARY KEY, scheme INTEGER NOT NULL, key BLOB NOT NULL, signature BLOB NOT NULL) STRICT;
        """

    private static let layout = """
        CREATE TABLE network (
            name TEXT NOT NULL PRIMARY KEY, genesis BLOB NOT NULL, scheme INTEGER NOT NULL, specs BLOB NOT NULL,
            UNIQUE (genesis, scheme)) STRICT;
        CREATE TABLE endpoint (
            network TEXT NOT NULL REFERENCES network (name) ON DELETE CASCADE, position INTEGER NOT NULL, url TEXT NOT NULL,
            PRIMARY KEY (network, position)) STRICT;
        CREATE TABLE override (
            network TEXT NOT NULL REFERENCES network (name) ON DELETE CASCADE, field TEXT NOT NULL, value TEXT NOT NULL,
            PRIMARY KEY (network, field)) STRICT;
        CREATE TABLE metadata (
            network TEXT NOT NULL REFERENCES network (name) ON DELETE CASCADE, version INTEGER NOT NULL, format INTEGER NOT NULL,
            blob BLOB NOT NULL, hash BLOB NOT NULL, block BLOB, added INTEGER NOT NULL,
            PRIMARY KEY (network, version, format)) STRICT;
        CREATE TABLE types (id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1), entries BLOB NOT NULL) STRICT;
        CREATE TABLE request (
            id INTEGER NOT NULL PRIMARY KEY, at INTEGER NOT NULL, network TEXT NOT NULL, payload BLOB NOT NULL) STRICT;
        CREATE TABLE history (
            id INTEGER NOT NULL PRIMARY KEY, at INTEGER NOT NULL, event TEXT NOT NULL, network TEXT, detail TEXT NOT NULL) STRICT;
        """
}
