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

    /// Stores the one pin of a server.
    public func pin(_ pin: HotPin) throws {
        try connection.query(
            "INSERT OR REPLACE INTO pin (server, url, subject, hash) VALUES (?, ?, ?, ?)",
            [.text(pin.server), .text(pin.url), .text(pin.subject), .blob(pin.hash.bytes)])
    }

    /// - Returns: false if the server has no pin.
    public func removePin(of server: String) throws -> Bool {
        try !connection.query("DELETE FROM pin WHERE server = ? RETURNING server", [.text(server)]).isEmpty
    }

    /// All pins by server.
    public func pins() throws -> [HotPin] {
        try connection.query("SELECT server, url, subject, hash FROM pin ORDER BY server").map { row in
            guard let server = row[0].text, let url = row[1].text, let subject = row[2].text,
                let hash = row[3].blob.flatMap({ Hash32($0) })
            else { throw HotStoreError.unreadable(table: "pin") }
            return HotPin(server: server, url: url, subject: subject, hash: hash)
        }
    }
}
