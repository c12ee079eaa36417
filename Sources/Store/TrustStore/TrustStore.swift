import Glibc
import Keys
import SubstratePrimitives

/// The store of trust, keys and the log in a vault's directory, as far as it can be used without the passphrase.
///
/// What is read here is not checked: only ``unlock(_:)`` has the key of the seal. Not shared between threads.
public final class TrustStore {
    /// How long a command waits for another program that changes the store.
    public static let busyMilliseconds: Int32 = 5000
    public static let fileName = "store.sqlite"

    /// Names of settings that the store itself knows. Their rows are sealed like all others.
    public enum Setting {
        /// One byte 1: a development vault, made with `--allow-online`.
        public static let allowOnline = "allow_online"
        /// One byte 1: the device was online and nobody has acknowledged it.
        public static let onlineUnacknowledged = "online_unacknowledged"
        /// Traffic of this machine that a person has acknowledged, or that it had when the vault was made.
        public static let acknowledgedTraffic = "acknowledged_traffic"
        /// The journal's identity, 16 bytes, then how many bytes of it are already in the log, u32.
        static let journalMerged = "journal_merged"
    }

    public let directory: String
    let database: Database
    let clock: () -> UInt64

    /// Opens the store of a vault.
    /// - Parameter clock: seconds since 1970.
    public init(directory: String, clock: @escaping () -> UInt64 = systemClock) throws(StoreError) {
        self.directory = directory
        self.clock = clock
        guard access("\(directory)/\(Self.fileName)", F_OK) == 0 else { throw .missing }
        // On a read-only medium SQLite only reports that one of its own files is missing.
        for path in [directory, "\(directory)/\(Self.fileName)"] where access(path, R_OK | W_OK) != 0 { throw File.failure() }
        database = try Database(path: "\(directory)/\(Self.fileName)", busyMilliseconds: Self.busyMilliseconds)
        guard try database.query("PRAGMA application_id") == [[.integer(Int64(Schema.applicationID))]],
            try database.query("PRAGMA user_version") == [[.integer(Int64(Schema.version))]]
        else { throw .notAStore }
        try Self.configure(database)
    }

    public static func exists(directory: String) -> Bool { access("\(directory)/\(fileName)", F_OK) == 0 }

    /// Removes SQLite's files beside a store that is replaced: SQLite would replay them into the new one.
    public static func discardJournals(directory: String) {
        for suffix in ["-wal", "-shm", "-journal"] { unlink("\(directory)/\(fileName)\(suffix)") }
    }

    /// Makes the store of a new vault. Its file appears complete or not at all.
    /// - Parameter key: 32 bytes, derived by the vault for this use alone.
    public static func create(
        directory: String, key: consuming SecretBytes, changes: [TrustChange], events: [LogEvent] = [],
        clock: @escaping () -> UInt64 = systemClock
    ) throws(StoreError) -> UnlockedStore {
        let path = "\(directory)/\(fileName)"
        guard access(path, F_OK) != 0 else { throw .alreadyExists }
        let key = SealKey(key)
        let unfinished = "\(path).new"
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(unfinished + suffix) }
        _ = try File(unfinished, O_RDWR | O_CREAT | O_EXCL)
        let mark = GenerationMark(directory: directory)
        let generation = mark.confirmed(key: key) + 1
        let first = [LogEvent(.databaseCreated)]
        try build(unfinished, generation: generation, key: key, changes: changes, events: first + events, time: clock())
        try mark.raise(to: generation, key: key)
        // Unlike a rename, a link never replaces a store that another program made meanwhile.
        guard link(unfinished, path) == 0 else { throw File.failure() }
        unlink(unfinished)
        try File(directory, O_RDONLY | O_DIRECTORY).sync()
        return try UnlockedStore(TrustStore(directory: directory, clock: clock), key: key)
    }

    /// Renames a refused store, so that someone can examine it, and makes a new one, without its keys, networks and log. Seeds are elsewhere and
    /// are not touched.
    public static func replaceBroken(
        directory: String, key: consuming SecretBytes, changes: [TrustChange], events: [LogEvent],
        clock: @escaping () -> UInt64 = systemClock
    ) throws(StoreError) -> UnlockedStore {
        let aside = "\(directory)/\(fileName).refused-\(clock())"
        for suffix in ["-shm", "-wal", ""] where rename("\(directory)/\(fileName)\(suffix)", aside + suffix) != 0 {
            if errno != ENOENT { throw File.failure() }
        }
        return try create(directory: directory, key: key, changes: changes, events: events, clock: clock)
    }

    private static func build(
        _ path: String, generation: UInt64, key: borrowing SealKey, changes: [TrustChange], events: [LogEvent], time: UInt64
    ) throws(StoreError) {
        let database = try Database(path: path, busyMilliseconds: busyMilliseconds)
        try database.script("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; BEGIN IMMEDIATE")
        try database.script(Schema.sql)
        for change in changes { try change.apply(to: database) }
        var ends = LogBounds.empty
        try database.append(events, time: time, to: &ends)
        try Seal.renew(database, generation: generation, log: ends, key: key)
        try database.script("COMMIT")
    }

    private static func configure(_ database: Database) throws(StoreError) {
        try database.script(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;
            PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA secure_delete = ON
            """)
    }

    /// Checks the seal, the log and the generation, and merges what happened while the store was locked.
    /// - Parameter key: the 32 bytes that the store was made with.
    public func unlock(_ key: consuming SecretBytes) throws(StoreError) -> UnlockedStore {
        try UnlockedStore(self, key: SealKey(key))
    }

    /// The trust in the store, **not checked**: print it with these words.
    public func uncheckedTrust() throws(StoreError) -> UncheckedTrust {
        UncheckedTrust(try reading { () throws(StoreError) in try TrustState(database) })
    }

    /// A metadata blob or types by the hash under which a record names them; the bytes have that hash.
    public func content(_ hash: Hash32) throws(StoreError) -> [UInt8] {
        let rows = try database.query("SELECT bytes FROM content WHERE hash = ?", [.blob(hash.bytes)])
        guard case .blob(let bytes)? = rows.first?.first, Hash32.blake2b(of: bytes) == hash else { throw .contentBroken(hash) }
        return bytes
    }

    /// Entries of the log in order, from number `first` on, at most `limit`. Checked only by ``UnlockedStore``.
    public func log(from first: UInt64 = 1, limit: Int = .max) throws(StoreError) -> [LogEntry] {
        var all: [LogEntry] = []
        try database.entries(from: first, limit: limit) { all.append($0) }
        return all
    }

    /// Follows the log's hash chain between the ends that the seal's row names, without the key of the seal.
    public func checkLog() throws(StoreError) {
        try reading { () throws(StoreError) in
            guard let seal = try Seal.stored(in: database) else { throw .sealBroken([.sealMissing]) }
            try database.checkLog(seal.log)
        }
    }

    /// Keeps an event until the next unlock; only for kinds with ``LogEvent/Kind/isWrittenWhileLocked``.
    /// - Returns: false when the journal is full and the event was left out.
    @discardableResult
    public func journal(_ event: LogEvent) throws(StoreError) -> Bool {
        try Journal(directory: directory).append(event, time: clock())
    }

    /// Events that wait for the next unlock.
    public var journalled: [LogEvent] { waiting.map(\.event) }

    /// Events that wait for the next unlock, each with its time in seconds since 1970 by this device's clock.
    public var waiting: [(time: UInt64, event: LogEvent)] { Journal(directory: directory).records.map { ($0.time, $0.event) } }

    /// Runs `body` on one state of the database.
    func reading<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
        try transaction("BEGIN", body)
    }

    /// Runs `body` while no other program can change the database; all of it is kept, or nothing.
    func writing<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
        try transaction("BEGIN IMMEDIATE", body)
    }

    private func transaction<T>(_ begin: String, _ body: () throws(StoreError) -> T) throws(StoreError) -> T {
        try database.script(begin)
        do {
            let result = try body()
            try database.script("COMMIT")
            return result
        } catch {
            try? database.script("ROLLBACK")
            throw error
        }
    }
}

/// Seconds since 1970 by this device's clock; 0 when it has none.
public func systemClock() -> UInt64 { UInt64(exactly: time(nil)) ?? 0 }
