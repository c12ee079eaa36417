import SQLite
import SubstratePrimitives

extension HotStore {
    /// Stores a verifier's signature over an update, so that the update can be published again. Callers
    /// verify it again.
    /// - Parameter message: the bytes that the signature covers.
    public func keepSignature(_ signature: [UInt8], by key: PublicKey, over message: [UInt8]) throws {
        try connection.query(
            "INSERT OR REPLACE INTO attestation (message, scheme, key, signature) VALUES (?, ?, ?, ?)",
            [
                .blob(Hash32.blake2b(of: message).bytes), .integer(Int64(key.scheme.rawValue)),
                .blob(key.bytes), .blob(signature),
            ])
    }

    /// The last signature stored for these bytes.
    public func signature(over message: [UInt8]) throws -> (key: PublicKey, signature: [UInt8])? {
        let rows = try connection.query(
            "SELECT scheme, key, signature FROM attestation WHERE message = ?",
            [.blob(Hash32.blake2b(of: message).bytes)])
        guard let row = rows.first else { return nil }
        guard
            let scheme = row[0].integer.flatMap({ UInt8(exactly: $0) }).flatMap(
                SignatureScheme.init(rawValue:)),
            let key = row[1].blob.flatMap({ PublicKey(scheme: scheme, bytes: $0) }),
            let signature = row[2].blob
        else { throw HotStoreError.unreadable(table: "attestation") }
        return (key, signature)
    }
}
