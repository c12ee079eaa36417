import SQLite
import SubstratePrimitives

/// A key of the offline side that is named by the root key of its seed and by its path, as the offline side
/// or the user told it.
public struct HotDerivedKey: Sendable, Equatable {
    /// The sr25519 public key of the seed's empty path.
    public let root: PublicKey
    public let path: String
    public let scheme: SignatureScheme
    /// The public key, or the 20-byte address of an Ethereum-style key.
    public let payloadKey: [UInt8]

    public init(root: PublicKey, path: String, scheme: SignatureScheme, payloadKey: [UInt8]) {
        self.root = root
        self.path = path
        self.scheme = scheme
        self.payloadKey = payloadKey
    }

    public static func == (one: HotDerivedKey, other: HotDerivedKey) -> Bool {
        one.root == other.root && one.path.utf8Equals(other.path) && one.scheme == other.scheme
            && one.payloadKey == other.payloadKey
    }
}

extension HotStore {
    static let derivedTable = """
        CREATE TABLE IF NOT EXISTS derived (
            root BLOB NOT NULL, path TEXT NOT NULL, scheme INTEGER NOT NULL, key BLOB NOT NULL, PRIMARY KEY (root, path, scheme)) STRICT;
        """

    /// Keeps derived keys: all of them, or none.
    /// - Parameter replacing: whether another key for the same root, path and scheme gives way.
    /// - Throws: ``HotStoreError/otherDerivedKey(path:)`` if it does not: a path has one key, so one of the
    ///   two is wrong.
    public func keep(_ derived: [HotDerivedKey], replacing: Bool) throws {
        try connection.transaction {
            for derived in derived {
                let known = try derivedKey(root: derived.root, path: derived.path, scheme: derived.scheme)
                guard replacing || known == nil || known == derived else {
                    throw HotStoreError.otherDerivedKey(path: derived.path)
                }
                try connection.query(
                    "INSERT OR REPLACE INTO derived (root, path, scheme, key) VALUES (?, ?, ?, ?)",
                    [
                        .blob(derived.root.bytes), .text(derived.path),
                        .integer(Int64(derived.scheme.rawValue)), .blob(derived.payloadKey),
                    ])
            }
        }
    }

    /// Every key that an answer or a user told.
    public func derivedKeys() throws -> [HotDerivedKey] {
        try connection.query("SELECT root, path, scheme, key FROM derived ORDER BY path").map { row in
            guard let root = row[0].blob.flatMap({ PublicKey(scheme: .sr25519, bytes: $0) }),
                let path = row[1].text,
                let scheme = row[2].integer.flatMap({ UInt8(exactly: $0) }).flatMap(SignatureScheme.init),
                let key = row[3].blob,
                key.count == scheme.payloadKeyLength
            else { throw HotStoreError.unreadable(table: "derived") }
            return HotDerivedKey(root: root, path: path, scheme: scheme, payloadKey: key)
        }
    }

    /// nil if no answer and no user told it.
    public func derivedKey(root: PublicKey, path: String, scheme: SignatureScheme) throws -> HotDerivedKey? {
        let rows = try connection.query(
            "SELECT key FROM derived WHERE root = ? AND path = ? AND scheme = ?",
            [.blob(root.bytes), .text(path), .integer(Int64(scheme.rawValue))])
        guard let row = rows.first else { return nil }
        guard let key = row[0].blob, key.count == scheme.payloadKeyLength else {
            throw HotStoreError.unreadable(table: "derived")
        }
        return HotDerivedKey(root: root, path: path, scheme: scheme, payloadKey: key)
    }
}
