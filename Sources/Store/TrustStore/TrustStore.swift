import Diagnostics
import Glibc
import SQLite
import SubstratePrimitives

/// The store of trust, keys and the log in a vault's directory, as far as it can be used without the
/// passphrase.
///
/// What is read here is not checked: only ``unlock(_:)`` has the key of the seal. Not shared between threads.
public final class TrustStore {
    /// How long a command waits for another program that changes the store.
    public static let busyMilliseconds: Int32 = 5000
    public static let fileName = "store.sqlite"

    public let directory: String
    let database: Database
    let clock: () -> UInt64
    private let boot: () -> BootReading
    /// Seconds since 1970 by this device's clock.
    public var now: UInt64 { clock() }

    /// The clocks of this device.
    public var reading: ClockReading { ClockReading(wall: clock(), boot: boot()) }

    /// Opens the store of a vault.
    /// - `clock`: seconds since 1970.
    /// - `boot`: the start of the machine.
    public init(
        directory: String, clock: @escaping () -> UInt64 = systemClock,
        boot: @escaping () -> BootReading = BootReading.system
    ) throws(StoreError) {
        self.directory = directory
        self.clock = clock
        self.boot = boot
        guard access("\(directory)/\(Self.fileName)", F_OK) == 0 else { throw .missing }
        // On a read-only medium SQLite only reports that one of its own files is missing.
        for path in [directory, "\(directory)/\(Self.fileName)"] where access(path, R_OK | W_OK) != 0 {
            throw File.failure()
        }
        database = try Database(
            path: "\(directory)/\(Self.fileName)", busyMilliseconds: Self.busyMilliseconds)
        try Schema.requireLayout(of: database)
        try Self.configure(database)
    }

    public static func exists(directory: String) -> Bool { access("\(directory)/\(fileName)", F_OK) == 0 }

    /// Whether the file is there that keeps what happens while the store is locked.
    public static func hasJournal(directory: String) -> Bool { Journal.exists(directory: directory) }

    private static func configure(_ database: Database) throws(StoreError) {
        try database.script(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;
            PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA secure_delete = ON
            """)
    }

    /// What the store says, **not checked**: print it with that word.
    public func uncheckedTrust() throws(StoreError) -> UncheckedTrust {
        UncheckedTrust(try reading { () throws(StoreError) in try TrustState(database) })
    }

    /// A metadata blob or types by the hash under which a record names them; the bytes have that hash.
    public func content(_ hash: Hash32) throws(StoreError) -> [UInt8] {
        try Schema.check(database)
        let rows = try database.query("SELECT bytes FROM content WHERE hash = ?", [.blob(hash.bytes)])
        guard case .blob(let bytes)? = rows.first?.first, Hash32.blake2b(of: bytes) == hash else {
            throw .contentBroken(hash)
        }
        return bytes
    }

    /// Compares the large bytes that a state names with their hashes.
    /// - Returns: how many there are.
    func checkContents(of state: TrustState) throws(StoreError) -> Int {
        let contents = state.contents
        for record in contents {
            do throws(StoreError) {
                _ = try content(record.hash)
            } catch .contentBroken(let hash) {
                throw .sealBroken([.content(hash)])
            }
        }
        return contents.count
    }

    /// Entries of the log in order, from number `first` on, at most `limit`, **not checked**:
    /// ``UnlockedStore/log(from:limit:)`` proves them.
    public func log(from first: UInt64 = 1, limit: Int = .max) throws(StoreError) -> [LogEntry] {
        var all: [LogEntry] = []
        try readLog(from: first, limit: limit) { all.append($0) }
        return all
    }

    /// Reads the log entry by entry, for logs of any length.
    public func readLog(
        from first: UInt64 = 1, limit: Int = .max, _ body: (LogEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        try reading { () throws(StoreError) in try database.entries(from: first, limit: limit, body) }
    }

    /// Follows the log's hash chain between the ends that the seal's row names, without the key of the seal.
    public func checkLog() throws(StoreError) {
        try reading { () throws(StoreError) in
            try database.checkLog(claimedLog())
        }
    }

    /// Checks only the newest entries of the log, so that the time does not grow with the log.
    /// - Returns: the first of them; nil in an empty log.
    public func checkLogEnd() throws(StoreError) -> UInt64? {
        try reading { () throws(StoreError) in
            try database.checkLogEnd(claimedLog())
        }
    }

    private func claimedLog() throws(StoreError) -> LogBounds {
        guard let seal = try Seal.stored(in: database) else { throw .sealBroken([.sealMissing]) }
        return seal.log
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
    public var waiting: [(time: UInt64, event: LogEvent)] {
        Journal(directory: directory).records.map { ($0.time, $0.event) }
    }

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
            try Schema.check(database)
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

extension TrustStore {
    /// The library that keeps the store's tables.
    public static var library: Release.Library { Release.Library("SQLite", SQLiteLibrary.version) }
}

/// The trust on the disk, read without the seal's key. Anyone who can write to the directory may have chosen
/// it, so it may be shown, with the words "not verified until you unlock", but nothing may act on it.
public struct UncheckedTrust: Sendable {
    public let state: TrustState

    init(_ state: TrustState) { self.state = state }
}

/// The trust that the store vouches for: read under its seal. Only an ``UnlockedStore`` makes it, and
/// everything that acts takes this type.
///
/// It is the state of one moment. `UnlockedStore.change(since:_:events:borrowing:accepting:with:)` refuses
/// after the store has changed.
public struct SealedTrust: Sendable {
    public let state: TrustState

    init(_ state: TrustState) { self.state = state }
}

extension TrustState {
    /// - Parameter trust: what changes were made from; nil where they depend on nothing.
    func requireUnchanged(since trust: SealedTrust?) throws(StoreError) {
        guard trust == nil || trust?.state.generation == generation else { throw .changedSinceShown }
    }

    /// The large contents that it names: metadata and types.
    var contents: [ContentRecord] {
        metadata.map { ContentRecord(hash: $0.hash, length: $0.length) } + (types.map { [$0] } ?? [])
    }
}

extension TrustStore {
    /// Reads a store in a backup in memory, **without checking** its seal: the caller has authenticated the
    /// backup.
    /// - Parameter content: the bytes that ``UnlockedStore/backup()`` gave under ``fileName``. They are read
    ///   where they lie, and the same afterwards.
    public static func trust(inBackup content: inout [UInt8]) throws(StoreError) -> UncheckedTrust {
        try Database.reading(&content) { (database) throws(StoreError) in
            try Schema.check(database)
            return UncheckedTrust(try TrustState(database))
        }
    }
}
