import SQLite
import SubstratePrimitives

/// What the certificate of a server must be, and the URL with which the user said so.
public struct HotPin: Sendable, Equatable {
    /// Host and port: `rpc.example:443`. Every URL of a server has its pin.
    public let server: String
    public let url: String
    /// `certificate` or `key`
    public let subject: String
    /// SHA-256
    public let hash: Hash32

    public init(server: String, url: String, subject: String, hash: Hash32) {
        self.server = server
        self.url = url
        self.subject = subject
        self.hash = hash
    }
}

extension HotStore {
    static let pinTable = """
        CREATE TABLE IF NOT EXISTS pin (
            server TEXT NOT NULL PRIMARY KEY, url TEXT NOT NULL, subject TEXT NOT NULL, hash BLOB NOT NULL) STRICT;
        """

    static let backupPinTable = """
        CREATE TABLE IF NOT EXISTS backup_pin (
            server TEXT NOT NULL PRIMARY KEY, url TEXT NOT NULL, subject TEXT NOT NULL, hash BLOB NOT NULL) STRICT;
        """

    /// Stores the pin of a server in place of those that it has.
    /// - Parameter backup: what the server may have instead, so that its operator can change to it without an
    ///   outage; nil for nothing.
    public func pin(_ pin: HotPin, backup: HotPin? = nil) throws {
        try connection.transaction {
            try put(pin, "pin")
            try connection.query("DELETE FROM backup_pin WHERE server = ?", [.text(pin.server)])
            if let backup { try put(backup, "backup_pin") }
        }
    }

    private func put(_ pin: HotPin, _ table: String) throws {
        try connection.query(
            "INSERT OR REPLACE INTO \(table) (server, url, subject, hash) VALUES (?, ?, ?, ?)",
            [.text(pin.server), .text(pin.url), .text(pin.subject), .blob(pin.hash.bytes)])
    }

    /// - Returns: false if the server has no pin.
    public func removePin(of server: String) throws -> Bool {
        try connection.transaction {
            try connection.query("DELETE FROM backup_pin WHERE server = ?", [.text(server)])
            return try !connection.query(
                "DELETE FROM pin WHERE server = ? RETURNING server", [.text(server)]
            ).isEmpty
        }
    }

    /// All pins by server.
    public func pins() throws -> [HotPin] { try pins(in: "pin") }

    /// What servers may have instead of their pins, by server.
    public func backupPins() throws -> [HotPin] { try pins(in: "backup_pin") }

    private func pins(in table: String) throws -> [HotPin] {
        try connection.query("SELECT server, url, subject, hash FROM \(table) ORDER BY server").map { row in
            guard let server = row[0].text, let url = row[1].text, let subject = row[2].text,
                let hash = row[3].blob.flatMap({ Hash32($0) })
            else { throw HotStoreError.unreadable(table: table) }
            return HotPin(server: server, url: url, subject: subject, hash: hash)
        }
    }
}
