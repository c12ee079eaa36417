import Glibc
import Keys
import SCALE
import SubstratePrimitives
import Vault

/// The store while the vault is unlocked: read under its seal, and changed under a new one.
///
/// ### What an unlock proves, and what it leaves to later reads
///
/// The seal's tag is compared with every row that decides trust and with every other column of the seal. So
/// these are unchanged since the last commit: keys, networks, verifiers, settings with the policy, the hashes
/// of metadata and types, the generation, and of the log its bounds, its head and the digest of its newest
/// checkpoint. The generation is compared with the one in the vault file, and the name of the vault file with
/// that file. Then the unlock makes the checks whose cost does not depend on the length of the log or the
/// size of the metadata: all large contents are there with their length, no entry is outside the log's
/// bounds, and the entries from the newest checkpoint before the head to the head are right.
///
/// A store opens even if older entries or large contents were edited. But nothing acts on such an edit or
/// shows it as checked: ``log(from:limit:)`` proves each entry by the checkpoints around it before it returns
/// one, and ``TrustStore/content(_:)`` compares the bytes with the hash in a sealed row. Both refuse like the
/// unlock. ``check()`` with ``checkContents()`` reads everything: only this, which is `log verify`, proves
/// that the unread parts are undamaged, too.
public final class UnlockedStore {
    public let store: TrustStore
    private let vault: UnlockedVault
    private var key: SealKey
    /// Whether the last commit was not counted by the TPM yet.
    private var isUncounted = false
    /// Why the counter of the TPM is not asked, where the owner gives it up in this session.
    public private(set) var counterProblem: StoreError?

    init(_ store: TrustStore, _ vault: UnlockedVault, key: consuming SealKey) throws {
        self.store = store
        self.vault = vault
        self.key = key
        try checkConstant()
        try requireCounted()
        let told = VaultError.Companion.allCases.filter { vault.wasTold(of: $0) }
        // Looked at before anything is committed, because a commit seals the number as it is then.
        let isOlder = try isOlder(vault.attemptsSequenceBefore) && !told.contains(.attempts)
        try settle()
        // What was journalled waits for an unlock that may commit.
        guard counterProblem == nil else { return }
        try mergeJournal(
            tampered: told + (isOlder ? [.attempts] : []), told: told, counted: vault.failedAttemptsBefore)
    }

    /// Checks everything again and merges what was journalled since, as an unlock does; for a store that
    /// stays unlocked for long.
    public func refresh() throws {
        try checkConstant()
        try requireCounted()
        let attempts = try onVault { () throws(VaultError) in try vault.attemptsSequence() }
        try mergeJournal(tampered: isOlder(attempts) ? [.attempts] : [], told: [], counted: 0)
    }

    /// Everything that decides trust, under its seal.
    public func trust() throws(StoreError) -> SealedTrust {
        try reading { (state) throws(StoreError) in SealedTrust(state) }
    }

    /// Checks the seal, the generation, that no large content is missing, the whole log and the whole
    /// history.
    public func check() throws(StoreError) {
        try checkConstant()
        try reading { (state) throws(StoreError) in
            try store.database.checkLog(state.log)
            if let history = state.history { try store.database.checkHistory(history.root) }
        }
    }

    /// The checks that take the same time for any length of the log: the seal, the generation, that no large
    /// content is missing, and the end of the log.
    private func checkConstant() throws(StoreError) {
        try reading { (state) throws(StoreError) in
            for record in state.contents {
                let sql = "SELECT length(bytes) FROM content WHERE hash = ?"
                guard
                    try store.database.query(sql, [.blob(record.hash.bytes)]) == [
                        [.integer(Int64(record.length))]
                    ]
                else {
                    throw .sealBroken([.content(record.hash)])
                }
            }
            try store.database.checkLogEnd(state.log)
        }
    }

    /// Entries of the log in order, from number `first` on, at most `limit`, each proven to the last byte.
    /// - Throws: ``StoreError/sealBroken(_:)`` where an entry, or one up to the next checkpoint, is not what
    ///   the seal proves.
    public func log(from first: UInt64 = 1, limit: Int = .max) throws(StoreError) -> [LogEntry] {
        var all: [LogEntry] = []
        try readLog(from: first, limit: limit) { all.append($0) }
        return all
    }

    /// Reads the log entry by entry, for logs of any length.
    public func readLog(
        from first: UInt64 = 1, limit: Int = .max, _ body: (LogEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        try reading { (state) throws(StoreError) in
            try store.database.entries(of: state.log, from: first, limit: limit, body)
        }
    }

    /// Reads every metadata blob and the types, and compares them with their sealed hashes. An unlock leaves
    /// it out, because every later read of the bytes compares them, too.
    /// - Returns: how many there are.
    /// - Throws: ``StoreError/sealBroken(_:)`` with the first that differs.
    @discardableResult
    public func checkContents() throws(StoreError) -> Int {
        try reading { (state) throws(StoreError) in try store.checkContents(of: state) }
    }

    /// Changes trust and writes the log in one transaction, which is on the disk when this returns.
    ///
    /// - Parameter plan: gets the present state under its seal, and returns the changes and the events for
    ///   the log. When it throws, nothing changes.
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
    /// - `trust`: the state that the changes were made from; the store must be unchanged since, to the last
    ///   line of its log. nil makes the changes in any state.
    /// - `borrowed`: checked like the changes but not applied: a network that a key signs for once without
    ///   being allowed on it.
    /// - `accepted`: the keys on more than one network that a person was shown and agreed to.
    /// - `history`: rows that are written in the same transaction, made from what was read under the seal of
    ///   `trust`.
    /// - `vaultChange`: a change of the vault file, made or refused together with these changes.
    /// - Throws: ``StoreError/keyReuse(_:)`` where the changes cause such keys and none was accepted,
    ///   ``StoreError/changedSinceShown`` where they cause other keys than were accepted, or the store has
    ///   changed since `trust` was read.
    @discardableResult
    public func change(
        since trust: SealedTrust? = nil, _ changes: [TrustChange], events: [LogEvent],
        borrowing borrowed: [TrustChange] = [],
        accepting accepted: [KeyReuse] = [], writing history: HistoryWrite = HistoryWrite(),
        with vaultChange: VaultChange? = nil
    ) throws(StoreError) -> UInt64 {
        try commit(borrowing: borrowed, accepting: accepted, writing: history, with: vaultChange) {
            (state) throws(StoreError) in
            try state.requireUnchanged(since: trust)
            return (changes, events)
        }
    }

    /// Free pages that a store keeps: a log entry or a signature takes one or two.
    private static let freePages = 64

    private func commit(
        borrowing borrowed: [TrustChange] = [], accepting accepted: [KeyReuse] = [],
        writing written: HistoryWrite = HistoryWrite(),
        with change: VaultChange? = nil,
        _ plan: (TrustState) throws(StoreError) -> (changes: [TrustChange], events: [LogEvent])
    ) throws(StoreError) -> UInt64 {
        try onVault { () throws(VaultError) in try vault.finishInterrupted() }
        if isUncounted { try requireCounted() }
        var counter: [UInt8]?
        let generation = try store.writing { () throws(StoreError) in
            var state = try sealedState()
            let (changes, events) = try plan(state)
            counter = GenerationCounter.setting(after: changes, in: state)
            // An older store that went on would reach the generation that the counter has, and look right.
            if let counterProblem, counter != nil { throw counterProblem }
            let caused = KeyReuse.caused(by: changes + borrowed, in: state)
            guard caused == accepted else { throw accepted.isEmpty ? .keyReuse(caused) : .changedSinceShown }
            for change in try changes + besides(in: state, changes, after: change) {
                try change.apply(to: store.database)
            }
            // What was removed, such as metadata, takes no place any more.
            try store.database.shrink(keeping: Self.freePages)
            if !written.rows.isEmpty, let root = state.history?.root {
                state.history?.root = try store.database.put(written.rows, under: root)
            }
            guard let change else { return try seal(after: state, events: events, with: nil) }
            try onVault { () throws(VaultError) in
                try vault.announce(change, storeGeneration: state.generation + 1)
            }
            do throws(StoreError) { return try seal(after: state, events: events, with: change) } catch {
                // Nothing is committed. After a failing commit that is not sure, so then the intent stays for
                // the next unlock.
                try? vault.removeIntent()
                throw error
            }
        }
        try confirm(generation, change)
        try count(generation, counter)
        return generation
    }

    // MARK: The counter

    /// Refuses a vault and a store that were put back together.
    ///
    /// A vault inside a backup has no counter of its own; restoring it gives the counter up.
    private func requireCounted() throws(StoreError) {
        guard !vault.isInBackup, counterProblem == nil else { return }
        let state = try trust().state
        guard let counter = try GenerationCounter(state.settings) else { return }
        do throws(StoreError) {
            try counter.require(state.generation, in: vault)
            isUncounted = false
        } catch {
            // The store may be older than the generation in the vault file, if the program ended in between.
            guard vault.acceptsUncounted else { throw error }
            counterProblem = error
        }
    }

    /// Nothing that a commit is the condition of leaves before the counter has moved.
    private func count(_ generation: UInt64, _ setting: [UInt8]?) throws(StoreError) {
        guard let setting, !vault.isInBackup, counterProblem == nil else { return }
        isUncounted = true
        try GenerationCounter([GenerationCounter.setting: setting])?.count(to: generation, in: vault)
        isUncounted = false
    }

    /// Writes events to the log and changes nothing else.
    public func append(_ events: [LogEvent]) throws(StoreError) { try change([], events: events) }

    /// Clears the log. One new entry records it, with the number of removed entries and the former head.
    /// - Parameter trust: the store must still be as it was then; nil clears whatever is there.
    public func clearLog(since trust: SealedTrust? = nil) throws(StoreError) {
        try onVault { () throws(VaultError) in try vault.finishInterrupted() }
        if isUncounted { try requireCounted() }
        var counter: [UInt8]?
        let generation = try store.writing { () throws(StoreError) in
            var state = try sealedState()
            try state.requireUnchanged(since: trust)
            let facts = [
                LogEvent.Fact("entries", String(state.log.last + 1 - state.log.first)),
                LogEvent.Fact("head", state.log.hash.hex),
            ]
            counter = state.settings[GenerationCounter.setting]
            if let counterProblem, counter != nil { throw counterProblem }
            try store.database.clearLog(&state.log)
            try store.database.shrink(keeping: Self.freePages)
            return try seal(after: state, events: [LogEvent(.logCleared, facts)], with: nil)
        }
        try confirm(generation, nil)
        try count(generation, counter)
    }

    private func reading<T>(_ body: (TrustState) throws(StoreError) -> T) throws(StoreError) -> T {
        let confirmed = vault.storeGeneration
        return try store.reading { () throws(StoreError) in try body(try sealedState(confirmed: confirmed)) }
    }

    /// The state, inside a transaction during which nobody else can write.
    private func sealedState() throws(StoreError) -> TrustState {
        try sealedState(confirmed: vault.storeGeneration)
    }

    private func sealedState(confirmed: UInt64) throws(StoreError) -> TrustState {
        let seal = try Seal.check(store.database, key: key)
        guard seal.generation >= confirmed else {
            throw .rolledBack(found: seal.generation, confirmed: confirmed)
        }
        return try TrustState(store.database)
    }

    private func seal(after state: TrustState, events: [LogEvent], with change: VaultChange?)
        throws(StoreError) -> UInt64
    {
        var ends = state.log
        let time = store.clock()
        try store.database.append(events, time: time, to: &ends)
        let generation = state.generation + 1
        guard let history = state.history else { throw .changedSinceShown }
        if let change, !change.keepsKeys {
            let next = SealKey(vault.derivedKey(context: SealKey.context, after: change))
            try Seal.renew(store.database, generation: generation, log: ends, history: history, key: next)
        } else {
            try Seal.renew(store.database, generation: generation, log: ends, history: history, key: key)
        }
        return generation
    }

    // MARK: The vault file

    /// What the seal says of the files beside the store, where it says something else now, of the time, and
    /// of the ages of keys.
    private func besides(
        in state: TrustState, _ changes: [TrustChange], after change: VaultChange?
    ) throws(StoreError) -> [TrustChange] {
        let attempts = try onVault { () throws(VaultError) in try vault.attemptsSequence() }
        let values = [
            (StoreSetting.vaultFile, change.map { vault.reference(after: $0) } ?? vault.reference),
            (StoreSetting.attemptsSequence, SCALEWriter.encode { $0.integer(attempts) }),
        ]
        let isTimeChanged = changes.contains {
            if case .putSetting(let name, _) = $0 { name.utf8Equals(StoreSetting.vaultTime) } else { false }
        }
        return values.filter { state.settings[$0.0] != $0.1 }.map { .putSetting($0.0, $0.1) }
            + (isTimeChanged ? [] : [VaultTime(state, at: store.reading).change])
            + state.ages(after: changes, at: store.clock())
    }

    /// Tells the vault file what is on the disk now. Without a change of its own it gets the generation only.
    private func confirm(_ generation: UInt64, _ change: VaultChange?) throws(StoreError) {
        do throws(StoreError) {
            guard let change else {
                return try onVault { () throws(VaultError) in try vault.confirm(storeGeneration: generation) }
            }
            // The change is in force even where the disk refuses the vault file now: its intent is there.
            defer { key = SealKey(vault.derivedKey(context: SealKey.context)) }
            try onVault { () throws(VaultError) in try vault.complete(change) }
        } catch {
            guard case .inputOutput(let code) = error else { throw error }
            throw .vaultFileUnwritten(code: code)
        }
    }

    /// Compares the vault file with the one that the seal names, and finishes or undoes a change that a crash
    /// interrupted.
    ///
    /// The store's transaction decides about such a change, because the seal names the vault file. With an
    /// intent there are two states: the seal names the old file, and the intent is removed; or it names the
    /// new file, and the intent's file is put in place. Without an intent the named file is required: a vault
    /// file or a store that was put back alone is refused.
    private func settle() throws {
        let state = try trust().state
        let named = state.settings[StoreSetting.vaultFile]
        switch vault.interrupted {
        case .announced(let change) where named != vault.reference:
            guard named == vault.reference(after: change), state.generation == change.storeGeneration else {
                throw mismatch(named)
            }
            try confirm(state.generation, change)
        case .opened:
            guard named == vault.reference, state.generation == vault.storeGeneration else {
                throw mismatch(named)
            }
            try vault.finishInterrupted()
        case .announced:
            try vault.removeIntent()
        case .inPlace, nil:
            guard named == vault.reference else { throw mismatch(named) }
            try vault.finishInterrupted()
        }
    }

    private func mismatch(_ named: [UInt8]?) -> StoreError {
        var reader = SCALEReader(named ?? [])
        return .vaultReplaced(found: vault.revision, named: (try? reader.integer(UInt64.self)) ?? 0)
    }

    private func onVault<T>(_ body: () throws(VaultError) -> T) throws(StoreError) -> T {
        do throws(VaultError) { return try body() } catch {
            guard case .system(_, let number) = error else { throw .inputOutput(code: EIO) }
            throw .inputOutput(code: number)
        }
    }

    // MARK: The journal

    /// Merges events that happened while the store was locked into the log. After an interruption between the
    /// commit and the emptying of the journal, a mark in the seal prevents its events from being merged
    /// twice.
    ///
    /// If a file beside the vault is missing or older than the seal states, the log records it. If the person
    /// has not yet been told, the longest delay starts and the store does not open.
    ///
    /// - Parameters:
    ///   - found: files that are known to be missing or older.
    ///   - told: the files among these that were already reported, so that their delay is over.
    ///   - counted: wrong passphrases before this unlock. Those that the journal lacks are written down, too:
    ///     the program was killed in between, or somebody put an older journal in place.
    private func mergeJournal(
        tampered found: [VaultError.Companion], told: [VaultError.Companion], counted: UInt32
    ) throws {
        var tampered = found
        try Journal(directory: store.directory).drain { (journal, bytes, wasMissing) throws(StoreError) in
            let state = try trust().state
            let mark =
                vault.isInBackup ? nil : state.settings[StoreSetting.journal].flatMap { Journal.Mark($0) }
            let merged = mark.map { wasMissing ? nil : $0.merged(of: journal, bytes) } ?? 0
            if merged == nil, !tampered.contains(.journal) { tampered.append(.journal) }
            let fresh = journal.records.filter { $0.end > merged ?? 0 }.map(\.record)
            let newMark = Journal.Mark(journal, of: bytes)
            let written = fresh.count { $0.event.kind == .wrongPassphrase }
            let isMore = counted > written
            guard !fresh.isEmpty || journal.isDamaged || !tampered.isEmpty || mark == nil || isMore else {
                return false
            }
            // What was tampered with was so after the last entry, and is noticed now.
            let before = tampered.isEmpty ? nil : try store.log(from: state.log.last, limit: 1).first?.time
            let after = before.map { [LogEvent.Fact("after", String($0))] } ?? []
            _ = try commit { (_) throws(StoreError) in
                var events = fresh.map(\.merged)
                if journal.isDamaged { events.append(LogEvent(.journalDamaged)) }
                if isMore {
                    let facts = [
                        LogEvent.Fact("counted", "\(counted)"), LogEvent.Fact("written", "\(written)"),
                    ]
                    events.append(LogEvent(.wrongPassphrase, facts))
                }
                events += tampered.map {
                    LogEvent(.fileTampered, [LogEvent.Fact("file", $0.rawValue)] + after)
                }
                var changes: [TrustChange] = [.putSetting(StoreSetting.journal, newMark.encoded)]
                if fresh.contains(where: { $0.event.kind == .deviceOnline }) {
                    changes.append(.putSetting(StoreSetting.onlineUnacknowledged, [1]))
                }
                return (changes, events)
            }
            return true
        }
        for file in tampered where !told.contains(file) { try vault.suspect(file) }
    }

    /// Whether the seal names a later write of the file of wrong passphrases.
    private func isOlder(_ sequence: UInt64) throws(StoreError) -> Bool {
        guard let setting = try trust().state.settings[StoreSetting.attemptsSequence] else { return false }
        var reader = SCALEReader(setting)
        return sequence < (try? reader.integer(UInt64.self)) ?? .max
    }
}

extension TrustStore {
    /// Checks the seal, the log and the generation, compares the store with the vault file, and merges what
    /// happened while the store was locked.
    ///
    /// - Throws: ``StoreError``; `VaultError.companionTampered(_:delay:)` where a file beside the vault is
    ///   missing or was put back; `VaultError.passphraseNotChanged` and `VaultError.passphraseWasChanged`
    ///   where a change of the passphrase was interrupted and this is not the passphrase that the store goes
    ///   with.
    public func unlock(_ vault: UnlockedVault) throws -> UnlockedStore {
        let key = SealKey(vault.derivedKey(context: SealKey.context))
        guard case .sealBroken? = mismatch(under: key) else {
            return try UnlockedStore(self, vault, key: key)
        }
        switch vault.interrupted {
        case .opened:
            // The passphrase is the new one of an interrupted change. If the store still names the revision
            // before the change, only the old passphrase opens it. The revision is read unchecked, because
            // the store's key is unknown here; it only decides which passphrase the error names.
            if namedRevision() == vault.revision - 1 { throw VaultError.passphraseNotChanged }
        case .announced(let change) where !change.keepsKeys:
            guard change.keysAreKnown else {
                // The passphrase is the old one of an interrupted change. If the store already names the
                // revision after the change, only the new passphrase opens it.
                if namedRevision() == change.revision { throw VaultError.passphraseWasChanged }
                break
            }
            return try UnlockedStore(
                self, vault, key: SealKey(vault.derivedKey(context: SealKey.context, after: change)))
        case .announced, .inPlace, nil:
            // A vault file from before a change of the passphrase has another key, so no part of the seal
            // matches. The revision tells that cause from tampering.
            if let named = namedRevision(), named != vault.revision {
                throw StoreError.vaultReplaced(found: vault.revision, named: named)
            }
        }
        // No cause was found, so this throws and names what does not match.
        return try UnlockedStore(self, vault, key: key)
    }

    /// nil where the seal's tag matches under this key.
    private func mismatch(under key: borrowing SealKey) -> StoreError? {
        do throws(StoreError) {
            _ = try reading { () throws(StoreError) in try Seal.check(database, key: key) }
            return nil
        } catch {
            return error
        }
    }

    private func namedRevision() -> UInt64? {
        guard let named = try? uncheckedTrust().state.settings[StoreSetting.vaultFile] else { return nil }
        var reader = SCALEReader(named)
        return try? reader.integer(UInt64.self)
    }
}

extension UnlockedStore {
    /// How a head of the log that a person kept relates to the log as it is now.
    public enum HeadStanding: Sendable, Equatable {
        /// It is an entry of this log; the number of later entries.
        case held(number: UInt64, later: UInt64)
        /// The log has another entry with its number, or, where no number is known, no entry with this hash.
        case differs
        /// The log ends before it: the log is older than the head.
        case ahead(last: UInt64)
        /// The log was cleared after it, so they cannot be compared.
        case cleared(first: UInt64)
    }

    /// Compares an exported head with the log, under the seal. This finds what a seal cannot: a store and its
    /// mark that were both replaced by an older state.
    /// - `number`: nil where only the hash was kept.
    public func standing(ofHead hash: Hash32, number: UInt64?) throws(StoreError) -> HeadStanding {
        let ends = try trust().state.log
        guard let number else {
            var found = ends.before == hash ? ends.first - 1 : nil
            try readLog { if $0.hash == hash { found = $0.number } }
            return found.map { .held(number: $0, later: ends.last - $0) } ?? .differs
        }
        guard number <= ends.last else { return .ahead(last: ends.last) }
        guard number + 1 >= ends.first else { return .cleared(first: ends.first) }
        let held = number + 1 == ends.first ? ends.before : try log(from: number, limit: 1).first?.hash
        return held == hash ? .held(number: number, later: ends.last - number) : .differs
    }
}

extension UnlockedStore {
    /// The store's part of a backup of the vault: the database at one moment. With the vault file of that
    /// moment it opens again.
    ///
    /// Free pages are left out, and so the copy can shrink. A file from an earlier version cannot: its backup
    /// could outgrow the limit for reading it back, however much is removed from the store. Such a store is
    /// not vacuumed in place, because that needs a connection that may attach databases, which is forbidden
    /// here, and room on the disk for two more copies. Its free pages are used again, and a restored backup
    /// without free pages can shrink.
    public func backup() throws(StoreError) -> [(name: String, bytes: [UInt8])] {
        try reading { (_) throws(StoreError) in
            [(TrustStore.fileName, try store.database.compacted())]
        }
    }

    /// Bytes of the pages that hold something: what ``backup()`` would have at most.
    public func usedBytes() throws(StoreError) -> Int { try store.database.usedBytes() }
}
