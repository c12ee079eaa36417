import Hashing
import SCALE
import SQLite
import SubstratePrimitives

/// The seal as its row has it. Everything that decides trust is under ``tag``.
struct Seal: Equatable {
    /// Counts changes since the store was made; never decreases.
    var generation: UInt64
    var log: LogBounds
    var manifest: [UInt8]
    /// 32 bytes: keyed BLAKE2b of generation, ends of the log, the sealed rows and the manifest.
    var tag: [UInt8]

    /// The content of the database now, and the seal that it would have.
    struct Contents {
        let manifest: SealManifest
        /// One unambiguous encoding of every sealed row.
        let encoded: [UInt8]

        func tag(generation: UInt64, log: LogBounds, key: borrowing SealKey) -> [UInt8] {
            let head = SCALEWriter.encode { writer in
                writer.raw(Array("heliograph store seal 1".utf8))
                writer.integer(generation)
                log.encode(into: &writer)
                writer.integer(UInt64(encoded.count))
            }
            return key.authenticate([head, encoded, manifest.encoded], length: 32)
        }
    }

    static func contents(of database: Database, key: borrowing SealKey) throws(StoreError) -> Contents {
        var tables: [SealManifest.Table] = []
        var writer = SCALEWriter()
        let schema = (name: "sqlite_schema", key: ["type", "name"], sql: "SELECT type, name, tbl_name, sql FROM sqlite_schema")
        let all = [schema] + Schema.sealedTables.map { (name: $0.name, key: $0.key, sql: "SELECT * FROM \"\($0.name)\"") }
        for table in all {
            let columns = try database.columns(table.sql)
            var rows: [SealManifest.Row] = []
            let order = table.key.map { "\"\($0)\"" }.joined(separator: ", ")
            for values in try database.query("\(table.sql) ORDER BY \(order)") {
                let name = table.key.map { key in columns.firstIndex(of: key).map { text(values[$0]) } ?? "" }.joined(separator: "/")
                var digests: [[UInt8]] = []
                for (column, value) in zip(columns, values) {
                    let cell = SCALEWriter.encode { writer in
                        for text in ["cell", table.name, name, column] { writer.string(text) }
                        encode(value, into: &writer)
                    }
                    digests.append(key.authenticate([cell], length: SealManifest.digestLength))
                    writer.raw(cell)
                }
                rows.append(SealManifest.Row(key: name, digests: digests))
            }
            tables.append(SealManifest.Table(name: table.name, columns: columns, rows: rows))
        }
        return Contents(manifest: SealManifest(tables: tables), encoded: writer.bytes)
    }

    /// The stored seal, checked against what the database holds.
    static func check(_ database: Database, key: borrowing SealKey) throws(StoreError) -> Seal {
        guard let seal = try stored(in: database) else { throw .sealBroken([.sealMissing]) }
        let contents = try contents(of: database, key: key)
        let tag = contents.tag(generation: seal.generation, log: seal.log, key: key)
        guard SealKey.isEqual(tag, seal.tag), seal.manifest == contents.manifest.encoded else {
            guard let manifest = try? SealManifest(encoded: seal.manifest) else { throw .sealBroken([.seal]) }
            let differences = manifest.differences(in: contents.manifest)
            throw .sealBroken(differences.isEmpty ? [.seal] : differences)
        }
        return seal
    }

    /// Seals what the database holds now.
    static func renew(_ database: Database, generation: UInt64, log: LogBounds, key: borrowing SealKey) throws(StoreError) {
        let contents = try contents(of: database, key: key)
        let tag = contents.tag(generation: generation, log: log, key: key)
        try database.run(
            """
            INSERT OR REPLACE INTO seal (id, generation, log_first, log_before, log_last, log_hash, manifest, mac)
            VALUES (1, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(Int64(bitPattern: generation)), .integer(Int64(bitPattern: log.first)), .blob(log.before.bytes),
                .integer(Int64(bitPattern: log.last)), .blob(log.hash.bytes), .blob(contents.manifest.encoded), .blob(tag),
            ])
    }

    static func stored(in database: Database) throws(StoreError) -> Seal? {
        let rows = try database.query("SELECT generation, log_first, log_before, log_last, log_hash, manifest, mac FROM seal")
        guard let row = rows.first else { return nil }
        guard rows.count == 1, case .integer(let generation) = row[0], case .integer(let first) = row[1],
            case .blob(let before) = row[2], case .integer(let last) = row[3], case .blob(let hash) = row[4],
            case .blob(let manifest) = row[5], case .blob(let tag) = row[6], let before = Hash32(before), let hash = Hash32(hash)
        else { throw .sealBroken([.seal]) }
        let log = LogBounds(first: UInt64(bitPattern: first), before: before, last: UInt64(bitPattern: last), hash: hash)
        return Seal(generation: UInt64(bitPattern: generation), log: log, manifest: manifest, tag: tag)
    }

    private static func text(_ value: SQLiteValue) -> String {
        switch value {
        case .null: "null"
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text): text
        case .blob(let bytes): Hex.encode(bytes)
        }
    }

    private static func encode(_ value: SQLiteValue, into writer: inout SCALEWriter) {
        switch value {
        case .null: writer.u8(0)
        case .integer(let number):
            writer.u8(1)
            writer.integer(number)
        case .real(let number):
            writer.u8(2)
            writer.integer(number.bitPattern)
        case .text(let text):
            writer.u8(3)
            writer.string(text)
        case .blob(let bytes):
            writer.u8(4)
            writer.byteVector(bytes)
        }
    }
}
