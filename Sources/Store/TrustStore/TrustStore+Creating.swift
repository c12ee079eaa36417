import Glibc
import Vault

/// Stores that are made anew.
extension TrustStore {
    /// Makes the store of a new vault. It appears whole or not at all.
    public static func create(
        directory: String, vault: UnlockedVault, changes: [TrustChange], events: [LogEvent] = [],
        clock: @escaping () -> UInt64 = systemClock, boot: @escaping () -> BootReading = BootReading.system
    ) throws -> UnlockedStore {
        let reading = ClockReading(wall: clock(), boot: boot())
        return try create(
            directory: directory, vault: vault, changes: changes, events: events, at: VaultTime(reading),
            clock: clock, boot: boot)
    }

    private static func create(
        directory: String, vault: UnlockedVault, changes: [TrustChange], events: [LogEvent],
        at time: VaultTime,
        clock: @escaping () -> UInt64, boot: @escaping () -> BootReading
    ) throws -> UnlockedStore {
        let path = "\(directory)/\(fileName)"
        guard access(path, F_OK) != 0 else { throw StoreError.alreadyExists }
        let key = SealKey(vault.derivedKey(context: SealKey.context))
        let unfinished = "\(path).new"
        func clear() {
            for suffix in ["", "-journal", "-wal", "-shm"] { unlink(unfinished + suffix) }
        }
        clear()
        // Also after a refusal: nothing is left of a store that was not made.
        defer { clear() }
        _ = try File(unfinished, O_RDWR | O_CREAT | O_EXCL)
        let generation = vault.storeGeneration + 1
        let named = TrustChange.putSetting(StoreSetting.vaultFile, vault.reference)
        let first = [LogEvent(.databaseCreated)]
        try build(
            unfinished, generation: generation, key: key, changes: changes + [named, time.change],
            events: first + events, time: clock())
        // From here on no older store of this vault opens.
        try vault.confirm(storeGeneration: generation)
        // Unlike a rename, a link never replaces a store that another program made meanwhile.
        guard link(unfinished, path) == 0 else { throw File.failure() }
        clear()
        try File(directory, O_RDONLY | O_DIRECTORY).sync()
        return try UnlockedStore(TrustStore(directory: directory, clock: clock, boot: boot), vault, key: key)
    }

    /// Renames a refused store, so that someone can inspect it, and makes a new one without its keys,
    /// networks and log. Seeds are not in the store and stay untouched.
    public static func replaceBroken(
        directory: String, vault: UnlockedVault, changes: [TrustChange], events: [LogEvent],
        clock: @escaping () -> UInt64 = systemClock, boot: @escaping () -> BootReading = BootReading.system
    ) throws -> UnlockedStore {
        let aside = unusedName("\(directory)/\(fileName).refused-\(clock())")
        for suffix in ["-shm", "-wal", ""]
        where rename("\(directory)/\(fileName)\(suffix)", aside + suffix) != 0 {
            if errno != ENOENT { throw File.failure() }
        }
        // What the store had counted is gone with it.
        let reading = ClockReading(wall: clock(), boot: boot())
        return try create(
            directory: directory, vault: vault, changes: changes, events: events,
            at: VaultTime(reading).restored(at: reading),
            clock: clock,
            boot: boot)
    }

    /// The name, or if a file has it, the first free one with `-2`, `-3`, … appended. A clock that stops or
    /// goes back must not lead to replacing an earlier file.
    private static func unusedName(_ name: String) -> String {
        var candidate = name
        var count = 1
        while access(candidate, F_OK) == 0 {
            count += 1
            candidate = "\(name)-\(count)"
        }
        return candidate
    }

    private static func build(
        _ path: String, generation: UInt64, key: borrowing SealKey, changes: [TrustChange],
        events: [LogEvent], time: UInt64
    ) throws(StoreError) {
        let database = try Database(path: path, busyMilliseconds: busyMilliseconds)
        // Before there is a table: pages that a later removal frees can then be given back to the disk.
        try database.script(
            """
            PRAGMA auto_vacuum = INCREMENTAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
            BEGIN IMMEDIATE
            """)
        try database.script(Schema.sql)
        for change in changes { try change.apply(to: database) }
        var ends = LogBounds.empty
        try database.append(events, time: time, to: &ends)
        try Seal.renew(database, generation: generation, log: ends, history: .new(at: time), key: key)
        try database.script("COMMIT")
    }
}
