import SQLite
import SubstratePrimitives

/// The online side of a guarded signature: what it fixed, what the signer answered, and how often both
/// happened.
public struct HotGuard: Sendable, Equatable {
    /// The hash that names the transaction's payload, 32 bytes.
    public let payload: [UInt8]
    /// Scheme byte and key of the signer.
    public let key: [UInt8]
    /// The payload with what stands around it, as the first code shows it.
    public let sent: [UInt8]
    /// The 32 random bytes that the commitment fixes.
    public let reveal: [UInt8]
    /// The signer's point; nil before it was read.
    public let point: [UInt8]?
    /// How often the first code was made.
    public let rounds: Int
    /// Answers of the signer that were not what this asked for.
    public let refused: Int
    /// Whether a signature came that was made as agreed.
    public let isDone: Bool
}

extension HotStore {
    static let guardTable = """
        CREATE TABLE IF NOT EXISTS guarded (
            payload BLOB NOT NULL PRIMARY KEY, key BLOB NOT NULL, sent BLOB NOT NULL, reveal BLOB NOT NULL, point BLOB,
            rounds INTEGER NOT NULL, refused INTEGER NOT NULL, done INTEGER NOT NULL) STRICT;
        """

    /// Begins a guarded signature, or the same one again.
    ///
    /// A payload keeps the random bytes of its first time. A signer whose answer depends on them could
    /// otherwise refuse until it likes them, and choose the nonce so. For the same reason no row is ever
    /// removed.
    /// - Parameters:
    ///   - payload: the hash that names the transaction's payload.
    ///   - key: scheme byte and key of the signer.
    ///   - sent: the payload with what stands around it.
    ///   - fresh: 32 random bytes, for the first time.
    /// - Returns: the row, counted once more.
    public func beginGuard(_ payload: [UInt8], key: [UInt8], sent: [UInt8], fresh: [UInt8]) throws -> HotGuard
    {
        try connection.transaction {
            try connection.query(
                """
                INSERT INTO guarded (payload, key, sent, reveal, point, rounds, refused, done)
                VALUES (?, ?, ?, ?, NULL, 1, 0, 0)
                ON CONFLICT (payload) DO UPDATE SET sent = excluded.sent, rounds = rounds + 1
                """, [.blob(payload), .blob(key), .blob(sent), .blob(fresh)])
            guard let row = try guarded(payload) else { throw HotStoreError.unreadable(table: "guarded") }
            return row
        }
    }

    /// nil for a payload whose signature is not guarded.
    /// - Parameter payload: the hash that names it.
    public func guarded(_ payload: [UInt8]) throws -> HotGuard? {
        let rows = try connection.query(
            "SELECT key, sent, reveal, point, rounds, refused, done FROM guarded WHERE payload = ?",
            [.blob(payload)])
        guard let row = rows.first else { return nil }
        guard let key = row[0].blob, let sent = row[1].blob, let reveal = row[2].blob, reveal.count == 32,
            let rounds = row[4].integer.flatMap(Int.init(exactly:)),
            let refused = row[5].integer.flatMap(Int.init(exactly:)), let done = row[6].integer
        else { throw HotStoreError.unreadable(table: "guarded") }
        return HotGuard(
            payload: payload, key: key, sent: sent, reveal: reveal, point: row[3].blob, rounds: rounds,
            refused: refused, isDone: done != 0)
    }

    /// Keeps the signer's point. It is on the disk before the bytes are revealed, and never changes.
    /// - Returns: false where another point is kept; it stays, and the answer is counted as refused.
    public func keepPoint(_ point: [UInt8], of payload: [UInt8]) throws -> Bool {
        try connection.transaction {
            try connection.query(
                "UPDATE guarded SET point = ? WHERE payload = ? AND point IS NULL",
                [.blob(point), .blob(payload)])
            if try guarded(payload)?.point == point { return true }
            try countRefusal(of: payload)
            return false
        }
    }

    /// Counts an answer that is not what was asked for.
    public func countRefusal(of payload: [UInt8]) throws {
        try connection.query(
            "UPDATE guarded SET refused = refused + 1 WHERE payload = ?", [.blob(payload)])
    }

    /// A signature came that was made as agreed.
    public func finishGuard(_ payload: [UInt8]) throws {
        try connection.query("UPDATE guarded SET done = 1 WHERE payload = ?", [.blob(payload)])
    }

    /// How many guarded transactions of a key have no signature.
    /// - Parameters:
    ///   - key: scheme byte and key of the signer.
    ///   - payload: left out.
    public func openGuards(of key: [UInt8], but payload: [UInt8]) throws -> Int {
        let rows = try connection.query(
            "SELECT count(*) FROM guarded WHERE key = ? AND done = 0 AND payload != ?",
            [.blob(key), .blob(payload)])
        return rows.first?.first?.integer.flatMap(Int.init(exactly:)) ?? 0
    }
}
