import Glibc

extension UnlockedStore {
    /// The files that a backup of the vault keeps of the store: the database as of one moment, then the mark of its generation.
    ///
    /// In a directory with the same vault, both together open as the store of that moment.
    public func backup() throws(StoreError) -> [(name: String, bytes: [UInt8])] {
        let database = try store.database.serialized()
        let mark = try File("\(store.directory)/\(GenerationMark.name)", O_RDONLY).read(limit: 4096)
        return [(TrustStore.fileName, database), (GenerationMark.name, mark)]
    }
}

extension TrustStore {
    /// Reads a store in a backup in memory, **without checking** its seal: the caller has authenticated the backup.
    /// - Parameter content: the bytes that ``UnlockedStore/backup()`` gave under ``fileName``.
    public static func trust(inBackup content: [UInt8]) throws(StoreError) -> UncheckedTrust {
        let database = try Database(content: content)
        try Schema.checkVersion(database)
        try Schema.check(database)
        return UncheckedTrust(try TrustState(database))
    }
}
