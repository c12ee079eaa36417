import Hashing
import SCALE
import SQLite
import SubstratePrimitives

/// The seal as its row has it. Everything that decides trust is under ``tag``.
struct Seal: Equatable {
    /// Counts changes since the store was made; never decreases.
    var generation: UInt64
    var log: LogBounds
    var history: HistoryBounds
    var manifest: [UInt8]
    /// 32 bytes: keyed BLAKE2b of every other column of this row and of the sealed rows.
    var tag: [UInt8]

    /// What the sealed tables hold now.
    struct Contents {
        let manifest: SealManifest
        /// One unambiguous encoding of every sealed row: each table's name, the number of its rows, and their
        /// values in the order of the schema's columns.
        let encoded: [UInt8]
    }

    init(generation: UInt64, log: LogBounds, history: HistoryBounds, manifest: [UInt8], tag: [UInt8]) {
        self.generation = generation
        self.log = log
        self.history = history
        self.manifest = manifest
        self.tag = tag
    }

    /// A new seal of these contents.
    init(
        generation: UInt64, log: LogBounds, history: HistoryBounds, of contents: Contents,
        key: borrowing SealKey
    ) {
        self.init(
            generation: generation, log: log, history: history, manifest: contents.manifest.encoded, tag: [])
        tag = tag(of: contents, key: key)
    }

    /// The tag that this row must have beside these contents. The columns are taken as the row has them, so
    /// that nothing else needs to compare them. The number of the layout stands in the first words, so that
    /// no tag of one layout is a tag of another.
    func tag(of contents: Contents, key: borrowing SealKey) -> [UInt8] {
        let head = SCALEWriter.encode { writer in
            writer.raw(Array("heliograph store seal \(StoreLayout.number)".utf8))
            writer.integer(generation)
            log.encode(into: &writer)
            writer.raw(history.encoded)
            writer.integer(UInt64(contents.encoded.count))
        }
        return key.authenticate([head, contents.encoded, manifest], length: 32)
    }

    static func contents(of database: Database, key: borrowing SealKey) throws(StoreError) -> Contents {
        var tables: [SealManifest.Table] = []
        var writer = SCALEWriter()
        for table in Schema.sealedTables {
            let found = try read(
                table.name, "SELECT * FROM \"\(table.name)\"", orderedBy: table.key, in: database, key: key)
            writer.string(table.name)
            writer.integer(UInt64(found.rows.count))
            for row in found.rows {
                for value in row { encode(value, into: &writer) }
            }
            tables.append(found.manifest)
        }
        return Contents(manifest: SealManifest(tables: tables), encoded: writer.bytes)
    }

    /// A sealed table as the database has it.
    struct Table {
        let rows: [[SQLiteValue]]
        /// One encoding of each value after the other, row by row; each names its table, row and column.
        let cells: [[UInt8]]
        let manifest: SealManifest.Table
    }

    static func read(
        _ name: String, _ sql: String, orderedBy primaryKey: [String], in database: Database,
        key: borrowing SealKey
    ) throws(StoreError) -> Table {
        let columns = try database.columns(sql)
        let order = primaryKey.map { "\"\($0)\"" }.joined(separator: ", ")
        let found = try database.query("\(sql) ORDER BY \(order)")
        var cells: [[UInt8]] = []
        var rows: [SealManifest.Row] = []
        for values in found {
            let row = primaryKey.map { part in columns.firstIndex(of: part).map { text(values[$0]) } ?? "" }
                .joined(separator: "/")
            var digests: [[UInt8]] = []
            for (column, value) in zip(columns, values) {
                let cell = SCALEWriter.encode { writer in
                    for text in ["cell", name, row, column] { writer.string(text) }
                    encode(value, into: &writer)
                }
                digests.append(key.authenticate([cell], length: SealManifest.digestLength))
                cells.append(cell)
            }
            rows.append(SealManifest.Row(key: row, digests: digests))
        }
        return Table(
            rows: found, cells: cells, manifest: SealManifest.Table(name: name, columns: columns, rows: rows))
    }

    /// The stored seal, checked against what the database holds.
    static func check(_ database: Database, key: borrowing SealKey) throws(StoreError) -> Seal {
        guard let seal = try stored(in: database) else { throw .sealBroken([.sealMissing]) }
        let contents = try contents(of: database, key: key)
        guard SealKey.isEqual(seal.tag(of: contents, key: key), seal.tag) else {
            throw seal.broken(by: contents)
        }
        return seal
    }

    /// Names what differs from what was sealed.
    func broken(by contents: Contents) -> StoreError {
        guard let manifest = try? SealManifest(encoded: manifest) else { return .sealBroken([.seal]) }
        let differences = manifest.differences(in: contents.manifest)
        return .sealBroken(differences.isEmpty ? [.seal] : differences)
    }

    /// Seals what the database holds now.
    static func renew(
        _ database: Database, generation: UInt64, log: LogBounds, history: HistoryBounds,
        key: borrowing SealKey
    ) throws(StoreError) {
        let seal = Seal(
            generation: generation, log: log, history: history, of: try contents(of: database, key: key),
            key: key)
        try database.run(
            """
            INSERT OR REPLACE INTO seal (id, generation, log_first, log_before, log_last, log_hash, log_checkpoint, history, manifest, mac)
            VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(Int64(bitPattern: generation)), .integer(Int64(bitPattern: log.first)),
                .blob(log.before.bytes),
                .integer(Int64(bitPattern: log.last)), .blob(log.hash.bytes), .blob(log.checkpoint.bytes),
                .blob(history.encoded),
                .blob(seal.manifest), .blob(seal.tag),
            ])
    }

    static func stored(in database: Database) throws(StoreError) -> Seal? {
        let rows = try database.query(
            """
            SELECT id, generation, log_first, log_before, log_last, log_hash, manifest, mac, log_checkpoint, history FROM seal
            """)
        guard let row = rows.first else { return nil }
        guard rows.count == 1, row[0] == .integer(1), case .integer(let generation) = row[1],
            case .integer(let first) = row[2],
            let before = row[3].blob.flatMap({ Hash32($0) }), case .integer(let last) = row[4],
            let hash = row[5].blob.flatMap({ Hash32($0) }), case .blob(let manifest) = row[6],
            case .blob(let tag) = row[7],
            let checkpoint = row[8].blob.flatMap({ Hash32($0) }),
            let history = row[9].blob.flatMap({ HistoryBounds($0) })
        else { throw .sealBroken([.seal]) }
        let log = LogBounds(
            first: UInt64(bitPattern: first), before: before, last: UInt64(bitPattern: last), hash: hash,
            checkpoint: checkpoint)
        guard log.isPossible else { throw .sealBroken([.seal]) }
        return Seal(
            generation: UInt64(bitPattern: generation), log: log, history: history, manifest: manifest,
            tag: tag)
    }

    static func text(_ value: SQLiteValue) -> String {
        switch value {
        case .null: "null"
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text): text
        case .blob(let bytes): Hex.encode(bytes)
        }
    }

    static func encode(_ value: SQLiteValue, into writer: inout SCALEWriter) {
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
