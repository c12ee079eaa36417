import SCALE
import SubstratePrimitives
import Vault

/// The seal of ``StoreLayout/former``: keyed BLAKE2b, under the same key, of `heliograph store seal 1`, the generation, the four bounds of the log, the
/// length of the rows' encoding, that encoding, and the manifest. The rows of `sqlite_schema` are sealed like those of a table.
///
/// It is only ever checked, once, when such a store gets the present layout. Why this gives an intruder nothing:
///
/// - The tag covers what the present one covers. It cannot be made without the key, and no tag of one seal is a tag of the other, because they begin
///   with different words.
/// - A former store is taken only beside a vault file that names no store. Such a vault file is replaced by one that does in the first unlock, so
///   a former store that is put back alone is refused. Until then the mark refuses an older store, as it did for the former program. Putting back all
///   three files is not noticed, as with the files of today.
/// - The log has no checkpoints that prove its entries later, so its whole chain is followed before checkpoints are written and sealed.
enum FormerSeal {
    /// The stored seal, checked against what the database holds.
    static func check(_ database: Database, key: borrowing SealKey) throws(StoreError) -> Seal {
        guard let seal = try Seal.stored(in: database) else { throw .sealBroken([.sealMissing]) }
        let contents = try contents(of: database, key: key)
        guard SealKey.isEqual(tag(of: seal, contents, key: key), seal.tag), seal.manifest == contents.manifest.encoded else {
            throw seal.broken(by: contents)
        }
        return seal
    }

    static func tag(of seal: Seal, _ contents: Seal.Contents, key: borrowing SealKey) -> [UInt8] {
        let head = SCALEWriter.encode { writer in
            writer.raw(Array("heliograph store seal 1".utf8))
            writer.integer(seal.generation)
            writer.integer(seal.log.first)
            writer.raw(seal.log.before.bytes)
            writer.integer(seal.log.last)
            writer.raw(seal.log.hash.bytes)
            writer.integer(UInt64(contents.encoded.count))
        }
        return key.authenticate([head, contents.encoded, contents.manifest.encoded], length: 32)
    }

    static func contents(of database: Database, key: borrowing SealKey) throws(StoreError) -> Seal.Contents {
        let schema = try Seal.read(
            "sqlite_schema", "SELECT type, name, tbl_name, sql FROM sqlite_schema", orderedBy: ["type", "name"], in: database, key: key)
        var tables = [schema]
        for table in Schema.sealedTables(of: .former) {
            tables.append(try Seal.read(table.name, "SELECT * FROM \"\(table.name)\"", orderedBy: table.key, in: database, key: key))
        }
        return Seal.Contents(manifest: SealManifest(tables: tables.map(\.manifest)), encoded: Array(tables.flatMap(\.cells).joined()))
    }
}

extension Database {
    /// Follows a chain without checkpoints from one end to the other. The entries that `body` gets are proven only when this returns.
    func followFormerLog(_ log: LogBounds, _ body: (LogEntry) throws(StoreError) -> Void) throws(StoreError) {
        if case .integer(let lowest)? = try query("SELECT min(number) FROM log").first?.first, lowest < Int64(log.first) {
            throw .sealBroken([.log(index: UInt64(clamping: lowest))])
        }
        var previous = log.before
        var next = log.first
        try entries(from: log.first, limit: .max) { (entry) throws(StoreError) in
            guard entry.number == next, entry.follows(previous) else { throw .sealBroken([.log(index: next)]) }
            try body(entry)
            previous = entry.hash
            next += 1
        }
        guard next == log.last + 1, previous == log.hash else { throw .sealBroken([.log(index: min(next, log.last))]) }
    }
}

extension TrustStore {
    /// Gives a store of the former layout the present one, where all of it is proven: its rows, the bytes that they name, its generation, and each
    /// entry of its log. One transaction does it, so that no state in between is ever on the disk, and a store that is refused stays as it is. No
    /// row and no entry changes, and the generation stays; the vault file is named by the change that follows.
    func convertFormer(for vault: UnlockedVault, key: borrowing SealKey) throws(StoreError) {
        guard try Schema.layout(of: database) == .former else { return }
        try writing { () throws(StoreError) in
            // Another program may have done it meanwhile.
            guard try Schema.layout(of: database) == .former else { return }
            let seal = try FormerSeal.check(database, key: key)
            guard vault.namesNoStore else { throw .rolledBack(found: seal.generation, confirmed: vault.storeGeneration) }
            if !vault.isInBackup { try GenerationMark(directory: directory).check(seal.generation, key: key) }
            _ = try checkContents(of: TrustState(database))
            var log = seal.log
            try database.script(Schema.conversion(from: .former))
            try database.followFormerLog(seal.log) { (entry) throws(StoreError) in try database.addCheckpoint(at: entry, to: &log) }
            try Seal.renew(
                database, generation: seal.generation, log: log, history: .converted(of: log, at: clock()), key: key)
        }
    }
}
