import SQLite
import SubstratePrimitives

/// A verifier's public key with the name that the user gave it on this machine. The name proves nothing: the
/// key is always printed beside it.
public struct VerifierLabel: Sendable, Equatable {
    public let key: PublicKey
    public let text: String
}

extension HotStore {
    static let verifierTable = """
        CREATE TABLE IF NOT EXISTS verifier (
            scheme INTEGER NOT NULL, key BLOB NOT NULL, label TEXT NOT NULL, PRIMARY KEY (scheme, key)) STRICT;
        """

    /// Names a verifier; nil removes its name.
    public func label(_ key: PublicKey, _ text: String?) throws {
        let row: [SQLiteValue] = [.integer(Int64(key.scheme.rawValue)), .blob(key.bytes)]
        guard let text else {
            try connection.query("DELETE FROM verifier WHERE scheme = ? AND key = ?", row)
            return
        }
        try connection.query(
            "INSERT OR REPLACE INTO verifier (scheme, key, label) VALUES (?, ?, ?)", row + [.text(text)])
    }

    /// All named verifiers by name.
    public func verifierLabels() throws -> [VerifierLabel] {
        try connection.query("SELECT scheme, key, label FROM verifier ORDER BY label, scheme, key").map {
            row in
            guard
                let scheme = row[0].integer.flatMap({ UInt8(exactly: $0) }).flatMap(
                    SignatureScheme.init(rawValue:)),
                let key = row[1].blob.flatMap({ PublicKey(scheme: scheme, bytes: $0) }),
                let text = row[2].text
            else { throw HotStoreError.unreadable(table: "verifier") }
            return VerifierLabel(key: key, text: text)
        }
    }
}
