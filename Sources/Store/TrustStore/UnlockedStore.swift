import Keys
import SCALE
import SubstratePrimitives

/// The store while the vault is unlocked: read under its seal, and changed under a new one.
///
/// ### What an unlock proves, and what it leaves to later reads
///
/// The seal's tag is compared with every row that decides trust and with every other column of the seal. So these are as the last change
/// left them: keys, networks, verifiers, settings with the policy, the hashes of metadata and types, the generation, and of the log its bounds,
/// its head and the digest of its newest checkpoint. The generation is compared with the mark beside the store. Then the unlock reads what
/// costs the same however long the log is and however large the metadata: that all large bytes are there in their length, that no entry lies
/// outside the log's bounds, and the entries from the newest checkpoint before the head to the head.
///
/// Older entries and the large bytes may have been edited, and such a store still opens. Nothing acts on the edit and nothing shows it as
/// checked: ``log(from:limit:)`` proves each entry by the checkpoints around it before it returns one, and ``TrustStore/content(_:)`` compares
/// the bytes with the hash in a sealed row. Both refuse as the unlock would. ``check()`` with ``checkContents()`` reads everything: that
/// is `log verify`, and the only proof that nothing which nobody looks at is damaged.
public final class UnlockedStore {
    public let store: TrustStore
    private let key: SealKey
    private var mark: GenerationMark { GenerationMark(directory: store.directory) }

    init(_ store: TrustStore, key: consuming SealKey) throws(StoreError) {
        self.store = store
        self.key = key
        try checkConstant()
        try mergeJournal()
    }

    /// Checks again what an unlock checks, and merges what was journalled since; for a store that stays unlocked for long.
    public func refresh() throws(StoreError) {
        try checkConstant()
        try mergeJournal()
    }

    /// Everything that decides trust, under its seal.
    public func trust() throws(StoreError) -> SealedTrust {
        try reading { (state) throws(StoreError) in SealedTrust(state) }
    }

    /// Checks the seal, the generation, that all large bytes are there, and the log from end to end.
    public func check() throws(StoreError) {
        try checkConstant()
        try reading { (state) throws(StoreError) in try store.database.checkLog(state.log) }
    }

    /// Checks the seal, the generation, that all large bytes are there, and the end of the log.
    private func checkConstant() throws(StoreError) {
        try reading { (state) throws(StoreError) in
            for record in state.metadata.map({ ContentRecord(hash: $0.hash, length: $0.length) }) + (state.types.map { [$0] } ?? []) {
                let sql = "SELECT length(bytes) FROM content WHERE hash = ?"
                guard try store.database.query(sql, [.blob(record.hash.bytes)]) == [[.integer(Int64(record.length))]] else {
                    throw .sealBroken([.content(record.hash)])
                }
            }
            try store.database.checkLogEnd(state.log)
        }
    }

    /// Entries of the log in order, from number `first` on, at most `limit`, each proven to the last byte.
    /// - Throws: ``StoreError/sealBroken(_:)`` where an entry, or one up to the next checkpoint, is not what the seal proves.
    public func log(from first: UInt64 = 1, limit: Int = .max) throws(StoreError) -> [LogEntry] {
        var all: [LogEntry] = []
        try readLog(from: first, limit: limit) { all.append($0) }
        return all
    }

    /// The same, one after the other, for logs of any length.
    public func readLog(
        from first: UInt64 = 1, limit: Int = .max, _ body: (LogEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        try reading { (state) throws(StoreError) in try store.database.entries(of: state.log, from: first, limit: limit, body) }
    }

    /// Reads every metadata blob and the types, and compares them with their sealed hashes. An unlock leaves it out, because every later read of
    /// the bytes compares them, too.
    /// - Returns: how many there are.
    /// - Throws: ``StoreError/sealBroken(_:)`` with the first that differs.
    @discardableResult
    public func checkContents() throws(StoreError) -> Int {
        try reading { (state) throws(StoreError) in
            let hashes = state.metadata.map(\.hash) + (state.types.map { [$0.hash] } ?? [])
            for hash in hashes {
                do throws(StoreError) {
                    _ = try store.content(hash)
                } catch .contentBroken(let hash) {
                    throw .sealBroken([.content(hash)])
                }
            }
            return hashes.count
        }
    }

    /// Changes trust and writes the log in one transaction, on the disk when this returns.
    ///
    /// - Parameter plan: gets the state as it is now, under its seal, and returns what to change and what to log. When it throws, nothing
    ///   changes.
    /// - Returns: the new generation.
    @discardableResult
    public func change<Failure: Error>(
        _ plan: (SealedTrust) throws(Failure) -> (changes: [TrustChange], events: [LogEvent])
    ) throws -> UInt64 {
        var refusal: Failure?
        do {
            return try commit { (state) throws(StoreError) in
                do throws(Failure) {
                    return try plan(SealedTrust(state))
                } catch {
                    refusal = error
                    throw StoreError.changedSinceShown
                }
            }
        } catch {
            if let refusal { throw refusal }
            throw error
        }
    }

    /// Makes these changes.
    ///
    /// - Parameters:
    ///   - trust: what the changes were made from; the store must still be as it was then, to the last line of its log. nil makes the changes
    ///     whatever the state is.
    ///   - borrowed: checked like the changes but not applied: a network that a key signs for once without being allowed on it.
    ///   - accepted: the keys on more than one network that a person was shown and agreed to.
    /// - Throws: ``StoreError/keyReuse(_:)`` where the changes cause such keys and none was accepted, ``StoreError/changedSinceShown``
    ///   where they cause other keys than were accepted, or the store has changed since `trust` was read.
    @discardableResult
    public func change(
        since trust: SealedTrust? = nil, _ changes: [TrustChange], events: [LogEvent], borrowing borrowed: [TrustChange] = [],
        accepting accepted: [KeyReuse] = []
    ) throws(StoreError) -> UInt64 {
        try commit(borrowing: borrowed, accepting: accepted) { (state) throws(StoreError) in
            guard trust == nil || trust?.state.generation == state.generation else { throw .changedSinceShown }
            return (changes, events)
        }
    }

    private func commit(
        borrowing borrowed: [TrustChange] = [], accepting accepted: [KeyReuse] = [],
        _ plan: (TrustState) throws(StoreError) -> (changes: [TrustChange], events: [LogEvent])
    ) throws(StoreError) -> UInt64 {
        let generation = try store.writing { () throws(StoreError) in
            let state = try sealedState()
            let (changes, events) = try plan(state)
            let caused = KeyReuse.caused(by: changes + borrowed, in: state)
            guard caused == accepted else { throw accepted.isEmpty ? .keyReuse(caused) : .changedSinceShown }
            for change in changes { try change.apply(to: store.database) }
            return try seal(after: state, events: events)
        }
        try mark.raise(to: generation, key: key)
        return generation
    }

    /// Writes events to the log and changes nothing else.
    public func append(_ events: [LogEvent]) throws(StoreError) { try change([], events: events) }

    /// Removes every entry of the log but one that says so: how many there were, and the head before.
    /// - Parameter trust: the store must still be as it was then; nil clears whatever is there.
    public func clearLog(since trust: SealedTrust? = nil) throws(StoreError) {
        let generation = try store.writing { () throws(StoreError) in
            var state = try sealedState()
            guard trust == nil || trust?.state.generation == state.generation else { throw .changedSinceShown }
            let facts = [
                LogEvent.Fact("entries", String(state.log.last + 1 - state.log.first)), LogEvent.Fact("head", state.log.hash.hex),
            ]
            try store.database.clearLog(&state.log)
            return try seal(after: state, events: [LogEvent(.logCleared, facts)])
        }
        try mark.raise(to: generation, key: key)
    }

    private func reading<T>(_ body: (TrustState) throws(StoreError) -> T) throws(StoreError) -> T {
        // Another program may confirm a change at any time: the mark is read first, so that the state is never older than it.
        let confirmed = try mark.read(key: key)
        return try store.reading { () throws(StoreError) in try body(try sealedState(confirmed: confirmed)) }
    }

    /// The state, inside a transaction during which nobody else can write.
    private func sealedState() throws(StoreError) -> TrustState { try sealedState(confirmed: try mark.read(key: key)) }

    private func sealedState(confirmed: UInt64) throws(StoreError) -> TrustState {
        let seal = try Seal.check(store.database, key: key)
        guard seal.generation >= confirmed else { throw .rolledBack(found: seal.generation, confirmed: confirmed) }
        return try TrustState(store.database)
    }

    private func seal(after state: TrustState, events: [LogEvent]) throws(StoreError) -> UInt64 {
        var ends = state.log
        try store.database.append(events, time: store.clock(), to: &ends)
        try Seal.renew(store.database, generation: state.generation + 1, log: ends, key: key)
        return state.generation + 1
    }

    /// Merges events that happened while the store was locked into the log. An interruption after the commit leaves the journal as it was; the
    /// setting `journal_merged` prevents its events from being merged twice.
    private func mergeJournal() throws(StoreError) {
        try Journal(directory: store.directory).drain { (journal) throws(StoreError) in
            _ = try commit { (state) throws(StoreError) in
                let merged = state.settings[StoreSetting.journalMerged] ?? []
                var done = 0
                if merged.count == 20, Array(merged[..<16]) == journal.identity {
                    var reader = SCALEReader(merged, range: 16..<20)
                    done = (try? reader.integer(UInt32.self)).map(Int.init(_:)) ?? 0
                }
                let fresh = journal.records.filter { $0.end > done }.map(\.record)
                var events = fresh.map { record in
                    LogEvent(
                        record.event.kind,
                        record.event.facts + [LogEvent.Fact("locked", "true"), LogEvent.Fact("at", String(record.time))],
                        payload: record.event.payload, metadataHash: record.event.metadataHash)
                }
                if journal.isDamaged { events.append(LogEvent(.journalDamaged)) }
                let identity = journal.identity + SCALEWriter.encode { $0.integer(UInt32(journal.readable)) }
                var changes: [TrustChange] = [.putSetting(StoreSetting.journalMerged, identity)]
                if fresh.contains(where: { $0.event.kind == .deviceOnline }) {
                    changes.append(.putSetting(StoreSetting.onlineUnacknowledged, [1]))
                }
                return (changes, events)
            }
        }
    }
}

extension TrustStore {
    /// Checks the seal, the end of the log and the generation, and merges what happened while the store was locked.
    /// - Parameter key: the 32 bytes that the store was made with.
    public func unlock(_ key: consuming SecretBytes) throws(StoreError) -> UnlockedStore {
        try UnlockedStore(self, key: SealKey(key))
    }
}
