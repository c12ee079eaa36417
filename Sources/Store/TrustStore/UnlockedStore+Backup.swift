import Glibc

extension UnlockedStore {
    /// What a backup of the vault keeps of the store: the database as of one moment. With the vault file of that moment it opens again.
    public func backup() throws(StoreError) -> [(name: String, bytes: [UInt8])] {
        [(TrustStore.fileName, try store.database.serialized())]
    }
}

extension TrustStore {
    /// Reads a store in a backup in memory, **without checking** its seal: the caller has authenticated the backup.
    /// - Parameter content: the bytes that ``UnlockedStore/backup()`` gave under ``fileName``.
    public static func trust(inBackup content: [UInt8]) throws(StoreError) -> UncheckedTrust {
        let database = try Database(content: content)
        try Schema.check(database)
        return UncheckedTrust(try TrustState(database))
    }
}
