import Glibc
import Keys
import SubstratePrimitives
import TestSupport
import Testing
import Vault

@testable import TrustStore

/// The vault of `fixtures/vaults/format-1` with more in its store: what the former program would have written, sealed as it did. That the seal is the
/// former program's own is shown by the fixture itself, which opens unedited, too.
struct FormerVault {
    static let files = ["vault", "attempts", "journal", "store.sqlite", "store.mark"]
    /// Of the fixture.
    static let generation: UInt64 = 148
    /// With those of the fixture, so that checkpoints are at 64, 128 and 192.
    static let entries: UInt64 = 200

    let folder = Folder(inMemory: true)

    /// - Parameter isCleared: the log has lost its first 160 entries, as after `log clear`.
    init(generation: UInt64 = generation + 1, isCleared: Bool = false) throws {
        for name in Self.files { try folder.write(Checkout.read("fixtures/vaults/format-1/\(name)"), to: name) }
        let key = try key()
        let database = try Database(path: folder.path(TrustStore.fileName), busyMilliseconds: 0)
        try database.script("BEGIN IMMEDIATE")
        var log = try #require(try Seal.stored(in: database)).log
        for change in everything { try change.apply(to: database) }
        for number in log.last + 1...Self.entries {
            let event = LogEvent(
                .transactionSigned, [LogEvent.Fact("text", "\(number)")], payload: [0x53, UInt8(number)],
                metadataHash: .blake2b(of: [1, 2, 3]))
            let entry = LogEntry(number: number, time: 500 + number, event: event, after: log.hash)
            try database.insert(entry)
            (log.last, log.hash) = (number, entry.hash)
            if isCleared, number == 160 {
                try database.run("DELETE FROM log")
                (log.first, log.before) = (number + 1, entry.hash)
            }
        }
        let contents = try FormerSeal.contents(of: database, key: key)
        var seal = Seal(
            layout: .former, generation: generation, log: log, history: nil, manifest: contents.manifest.encoded, tag: [])
        seal.tag = FormerSeal.tag(of: seal, contents, key: key)
        try database.run(
            "UPDATE seal SET generation = ?, log_first = ?, log_before = ?, log_last = ?, log_hash = ?, manifest = ?, mac = ?",
            [
                .integer(Int64(generation)), .integer(Int64(log.first)), .blob(log.before.bytes), .integer(Int64(log.last)),
                .blob(log.hash.bytes), .blob(seal.manifest), .blob(seal.tag),
            ])
        try database.script("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
    }

    func vault() throws -> UnlockedVault {
        try Vault.open(directory: folder.path).unlock(passphrase: SecretBytes(utf8: "correct horse"))
    }

    func key() throws -> SealKey { SealKey(try vault().derivedKey(context: SealKey.context)) }

    func locked() throws -> TrustStore { try TrustStore(directory: folder.path, clock: { 2000 }) }

    @discardableResult
    func unlock() throws -> UnlockedStore { try locked().unlock(vault()) }

    /// Every file but those that SQLite makes anew.
    func files() throws -> [String: [UInt8]] {
        Intruder(folder).run("PRAGMA wal_checkpoint(TRUNCATE)")
        let names = folder.names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        return Dictionary(uniqueKeysWithValues: try names.map { ($0, try folder.read($0)) })
    }

    func putBack(_ names: [String], from files: [String: [UInt8]]) throws {
        for suffix in ["-wal", "-shm"] { unlink(folder.path(TrustStore.fileName + suffix)) }
        for name in names { try folder.write(#require(files[name]), to: name) }
    }

    /// Calculates the entries from one number on anew, with other times and from another number on, as someone without the key can: the head that
    /// the seal's row names is theirs.
    func hashAnew(from first: UInt64, as renumbered: UInt64) throws {
        let database = try Database(path: folder.path(TrustStore.fileName), busyMilliseconds: 0)
        let log = try locked().log(from: first)
        var previous = try #require(try locked().log(from: first - 1, limit: 1).first).hash
        try database.run("DELETE FROM log WHERE number >= \(first)")
        for (index, entry) in log.enumerated() {
            let number = renumbered + UInt64(index)
            let forged = LogEntry(number: number, time: entry.time + 1, event: entry.event, after: previous)
            try database.insert(forged)
            previous = forged.hash
        }
        try database.run("UPDATE seal SET log_hash = ?", [.blob(previous.bytes)])
    }

    var layout: String { Intruder(folder).query("PRAGMA user_version")[0][0] }
    var checkpoints: [String] { Intruder(folder).query("SELECT number FROM log_checkpoint ORDER BY number").map { $0[0] } }
}

/// A store of the former layout opens, gets the present one, and loses nothing; everything that was refused in it still is.
@Suite struct FormerStoreLaws {
    @Test func `rows, bytes and entries come through`() throws {
        let former = try FormerVault()
        let before = try former.locked().uncheckedTrust().state
        let log = try former.locked().log()
        #expect(before.keys.count == 5 && before.networks.count == 4 && before.metadata.count == 2 && log.count == 200)
        let store = try former.unlock()
        var after = try store.trust().state
        let added = [StoreSetting.vaultFile, StoreSetting.attemptsSequence, StoreSetting.journal, StoreSetting.vaultTime]
        for name in added {
            #expect(after.settings[name] != nil)
            after.settings[name] = nil
        }
        var expected = before
        expected.settings[StoreSetting.journalMerged] = nil
        (expected.generation, expected.log, expected.history) = (after.generation, after.log, after.history)
        #expect(after.history == HistoryBounds(root: HistoryTree.empty, since: 2000, isIncomplete: true, pending: 200))
        #expect(after == expected)
        #expect(after.generation > before.generation)
        #expect(try Array(store.log().prefix(log.count)) == log)
        #expect(try store.content(of: before.types) == [9, 9])
        #expect(former.layout == "4")
        #expect(former.checkpoints == ["64", "128", "192"])
        #expect(!former.folder.names.contains(GenerationMark.name))
        try store.check()
        #expect(try store.checkContents() == 3)
        try store.append([LogEvent(.userNote)])
    }

    @Test func `a log that was cleared has checkpoints from its first entry on`() throws {
        let former = try FormerVault(isCleared: true)
        let log = try former.locked().log()
        #expect(try former.locked().checkLogEnd() == 161)
        let store = try former.unlock()
        #expect(former.checkpoints == ["192"])
        #expect(try Array(store.log().prefix(log.count)) == log)
        try store.check()
    }

    @Test func `reading it without the passphrase changes nothing`() throws {
        let former = try FormerVault()
        let files = try former.files()
        let store = try former.locked()
        #expect(try store.uncheckedTrust().state.generation == FormerVault.generation + 1)
        #expect(try store.uncheckedTrust().state.keys.count == 5)
        #expect(try store.log(from: 199).map(\.number) == [199, 200])
        #expect(try store.content(.blake2b(of: [4, 5])) == [4, 5])
        try store.checkLog()
        #expect(try store.checkLogEnd() == 1)
        #expect(try TrustStore.trust(inBackup: #require(files["store.sqlite"])).state == store.uncheckedTrust().state)
        #expect(try former.files() == files)
        Intruder(former.folder).run("UPDATE log SET time = time + 1 WHERE number = 100")
        #expect(throws: StoreError.sealBroken([.log(index: 100)])) { try store.checkLog() }
        #expect(throws: StoreError.sealBroken([.log(index: 100)])) { try store.checkLogEnd() }
    }

    @Test func `without the passphrase, too, the numbers of the entries are compared`() throws {
        let shorter = try FormerVault()
        Intruder(shorter.folder).run("UPDATE seal SET log_last = log_last - 1")
        #expect(throws: StoreError.sealBroken([.log(index: 199)])) { try shorter.locked().checkLog() }
        let gap = try FormerVault()
        try gap.hashAnew(from: 100, as: 101)
        #expect(throws: StoreError.sealBroken([.log(index: 100)])) { try gap.locked().checkLog() }
    }

    @Test(arguments: edits.filter { if case .rowAdded("sqlite_schema", _) = $0.difference { true } else { false } }.map(\.sql))
    func `nothing is read from another schema`(sql: String) throws {
        let former = try FormerVault()
        Intruder(former.folder).run(sql)
        let store = try former.locked()
        #expect(throws: StoreError.self) { try store.uncheckedTrust() }
        #expect(throws: StoreError.self) { try store.log() }
        #expect(throws: StoreError.self) { try store.checkLog() }
        #expect(throws: StoreError.self) { try store.content(.blake2b(of: [4, 5])) }
    }

    /// The seal of a backup covers its files together, so it needs no mark.
    @Test func `a backup is restored without the mark`() throws {
        let former = try FormerVault()
        let log = try former.locked().log()
        let store = try #require(VaultBackup.Attachment(name: TrustStore.fileName, bytes: former.files()[TrustStore.fileName] ?? []))
        let backup = VaultBackup.make(try former.vault(), attachments: [store])
        let folder = Folder()
        let passphrase = SecretBytes(utf8: "correct horse")
        _ = try VaultBackup.restore(
            backup, into: folder.path, passphrase: passphrase, prepare: { _ = try TrustStore(directory: folder.path).unlock($0) })
        let restored = try TrustStore(directory: folder.path).unlock(Vault.open(directory: folder.path).unlock(passphrase: passphrase))
        #expect(try Array(restored.log().prefix(log.count)) == log)
        try restored.check()
    }

    private static let alice = String(repeating: "d4", count: 32)

    /// One edit each of everything that an unlock proves, and what it is refused for.
    static let edits: [(sql: String, difference: SealDifference)] = [
        ("UPDATE key SET path = '//Bob' WHERE seed = 'alice'", .cell(table: "key", row: "1/\(alice)", column: "path")),
        ("DELETE FROM asset_list", .rowRemoved(table: "asset_list", row: polkadot.genesisHash.hex)),
        ("INSERT INTO setting VALUES ('vault_file', X'00')", .rowAdded(table: "setting", row: "vault_file")),
        ("UPDATE seal SET generation = generation + 1", .seal), ("UPDATE seal SET log_first = log_first + 1", .seal),
        ("UPDATE seal SET log_before = zeroblob(32)", .seal), ("UPDATE seal SET log_last = log_last - 1", .seal),
        ("UPDATE seal SET log_hash = zeroblob(32)", .seal), ("UPDATE seal SET manifest = zeroblob(length(manifest))", .seal),
        ("UPDATE seal SET mac = zeroblob(32)", .seal), ("UPDATE seal SET id = 2", .seal), ("DELETE FROM seal", .sealMissing),
        ("UPDATE log SET time = time + 1 WHERE number = 1", .log(index: 1)),
        ("UPDATE log SET facts = X'00' WHERE number = 100", .log(index: 100)),
        ("UPDATE log SET hash = zeroblob(32) WHERE number = 64", .log(index: 64)), ("DELETE FROM log WHERE number = 1", .log(index: 1)),
        ("DELETE FROM log WHERE number = 100", .log(index: 100)), ("DELETE FROM log WHERE number = 200", .log(index: 200)),
        ("INSERT INTO log SELECT 0, time, kind, facts, payload, metadata_hash, hash FROM log WHERE number = 1", .log(index: 0)),
        ("INSERT INTO log SELECT 201, time, kind, facts, payload, metadata_hash, hash FROM log WHERE number = 1", .log(index: 201)),
        ("UPDATE content SET bytes = X'0405' WHERE bytes = X'0909'", .content(.blake2b(of: [9, 9]))),
        (
            "CREATE TRIGGER extra AFTER DELETE ON seal BEGIN DELETE FROM key; END",
            .rowAdded(table: "sqlite_schema", row: "trigger/extra")
        ),
        (
            "CREATE TABLE log_checkpoint (number INTEGER NOT NULL PRIMARY KEY, hash BLOB NOT NULL, previous BLOB NOT NULL) STRICT",
            .rowAdded(table: "sqlite_schema", row: "table/log_checkpoint")
        ),
        ("ALTER TABLE seal ADD COLUMN log_checkpoint BLOB", .cell(table: "sqlite_schema", row: "table/seal", column: "sql")),
    ]

    @Test(arguments: edits.map(\.sql))
    func `each edit is refused, changes nothing, and can be taken back`(sql: String) throws {
        let former = try FormerVault()
        let files = try former.files()
        Intruder(former.folder).run(sql)
        let edited = try former.files()["store.sqlite"]
        let difference = try #require(Self.edits.first { $0.sql == sql }).difference
        #expect(throws: StoreError.sealBroken([difference])) { try former.unlock() }
        #expect(former.layout == "1")
        #expect(try former.files()["store.sqlite"] == edited)
        #expect(try former.files()["vault"] == files["vault"])
        try former.putBack(["store.sqlite"], from: files)
        try former.unlock().check()
    }

    @Test func `entries that were all hashed anew are refused`() throws {
        let former = try FormerVault()
        let head = Intruder(former.folder).query("SELECT hex(log_hash) FROM seal")[0][0]
        try former.hashAnew(from: 100, as: 100)
        // The head is sealed, too.
        try former.locked().checkLog()
        #expect(throws: StoreError.sealBroken([.seal])) { try former.unlock() }
        Intruder(former.folder).run("UPDATE seal SET log_hash = X'\(head)'")
        #expect(throws: StoreError.sealBroken([.log(index: 200)])) { try former.unlock() }
        #expect(former.layout == "1")
    }

    @Test func `the mark refuses an older store, and its absence any`() throws {
        let older = try FormerVault(generation: FormerVault.generation - 1)
        #expect(throws: StoreError.rolledBack(found: 147, confirmed: 148)) { try older.unlock() }
        #expect(older.layout == "1")
        let former = try FormerVault()
        let mark = try former.folder.read(GenerationMark.name)
        for bytes in [[1] + mark.dropFirst(), mark.dropLast(), []] as [[UInt8]] {
            try former.folder.write(bytes, to: GenerationMark.name)
            #expect(throws: StoreError.generationMarkBroken) { try former.unlock() }
        }
        unlink(former.folder.path(GenerationMark.name))
        #expect(throws: StoreError.generationMarkBroken) { try former.unlock() }
        #expect(former.layout == "1")
        try former.folder.write(mark, to: GenerationMark.name)
        try former.unlock()
    }

    @Test func `it is refused beside a vault file that names its store`() throws {
        let former = try FormerVault()
        let files = try former.files()
        let confirmed = try former.unlock().trust().state.generation
        try former.putBack(["store.sqlite", "store.mark"], from: files)
        #expect(throws: StoreError.rolledBack(found: 149, confirmed: confirmed)) { try former.unlock() }
        #expect(former.layout == "1")
    }

    /// A log without checkpoints has the same bounds in both layouts.
    @Test func `a present seal proves nothing in the former layout`() throws {
        let folder = Folder()
        try makeStore(folder, changes: everything)
        let store = try unlock(folder)
        let intruder = Intruder(folder)
        try LayoutWithoutGroupsLaws.dropGroups(folder)
        intruder.run("DROP TABLE contact; DROP TABLE list_signer; DROP TABLE history; DROP TABLE history_node")
        intruder.run("DROP TABLE log_checkpoint; CREATE TABLE kept AS SELECT * FROM seal; DROP TABLE seal")
        intruder.run(Schema.formerTables)
        let columns = "id, generation, log_first, log_before, log_last, log_hash, manifest, mac"
        intruder.run("INSERT INTO seal SELECT \(columns) FROM kept; DROP TABLE kept")
        // Under the key, while it is open and when it is opened.
        #expect(try store.store.uncheckedTrust().state.keys.count == 2)
        #expect(throws: StoreError.sealBroken([.seal])) { try store.trust() }
        #expect(throws: StoreError.sealBroken([.seal])) { try store.append([LogEvent(.userNote)]) }
        let key = SealKey(SecretBytes(count: SealKey.length))
        #expect(throws: StoreError.self) { try FormerSeal.check(store.store.database, key: key) }
    }

    @Test func `a crash after each step ends with a store that opens`() throws {
        // After the new layout, before the vault file is named.
        let former = try FormerVault()
        let log = try former.locked().log()
        do {
            let vault = try former.vault()
            let key = SealKey(vault.derivedKey(context: SealKey.context))
            let store = try former.locked()
            try store.convertFormer(for: vault, key: key)
            let state = try store.uncheckedTrust().state
            #expect(former.layout == "4" && state.generation == FormerVault.generation + 1)
            // Again: there is nothing left to do.
            try store.convertFormer(for: vault, key: key)
            #expect(try store.uncheckedTrust().state == state)
            // After the vault file was announced, before the store named it.
            try vault.announce(vault.upgrading(), storeGeneration: state.generation + 1)
        }
        #expect(former.folder.names.contains("intent"))
        let mark = try former.folder.read(GenerationMark.name)
        try former.folder.write([1] + mark.dropFirst(), to: GenerationMark.name)
        #expect(throws: StoreError.generationMarkBroken) { try former.unlock() }
        try former.folder.write(mark, to: GenerationMark.name)
        let store = try former.unlock()
        #expect(try Array(store.log().prefix(log.count)) == log)
        #expect(!former.folder.names.contains("intent"))
        let names = try former.files().keys
        #expect(names.contains("vault") && !names.contains(GenerationMark.name))
        try store.check()
    }

    @Test func `opening it a second time changes nothing more`() throws {
        let former = try FormerVault()
        let state = try former.unlock().trust().state
        #expect(try former.unlock().trust().state == state)
    }
}

extension UnlockedStore {
    fileprivate func content(of record: ContentRecord?) throws -> [UInt8] { try store.content(#require(record?.hash)) }
}
