import SCALE
import SubstratePrimitives

/// The sealed tables' table of contents: a short keyed digest of every cell, so that a broken seal can say
/// which cell differs.
///
/// It proves nothing alone: the seal's tag covers it together with the rows themselves.
struct SealManifest {
    /// A report names at most this many differences.
    static let maximumReported = 64
    /// Bytes of a cell's digest. It only locates a difference; the seal's tag has 32 bytes.
    static let digestLength = 8

    struct Row {
        /// The primary key as text, parts joined by `/`.
        let key: String
        let digests: [[UInt8]]
    }

    struct Table {
        let name: String
        let columns: [String]
        let rows: [Row]
    }

    let tables: [Table]

    var encoded: [UInt8] {
        SCALEWriter.encode { writer in
            writer.vector(tables) { writer, table in
                writer.string(table.name)
                writer.vector(table.columns) { $0.string($1) }
                writer.vector(table.rows) { writer, row in
                    writer.string(row.key)
                    for digest in row.digests { writer.raw(digest) }
                }
            }
        }
    }

    init(tables: [Table]) { self.tables = tables }

    init(encoded: [UInt8]) throws(SCALEError) {
        var reader = SCALEReader(encoded)
        tables = try reader.vector { reader throws(SCALEError) in
            let name = try reader.string()
            let columns = try reader.vector { reader throws(SCALEError) in try reader.string() }
            let rows = try reader.vector { reader throws(SCALEError) in
                let key = try reader.string()
                var digests: [[UInt8]] = []
                for _ in columns { digests.append(try reader.bytes(count: Self.digestLength)) }
                return Row(key: key, digests: digests)
            }
            return Table(name: name, columns: columns, rows: rows)
        }
        try reader.finish()
    }

    /// What in `found` differs from this manifest.
    func differences(in found: SealManifest) -> [SealDifference] {
        var all: [SealDifference] = []
        let names = (tables + found.tables).map(\.name)
        for (index, name) in names.enumerated() where !names[..<index].containsUTF8(of: name) {
            all += Self.differences(
                table: name, sealed: tables.first { $0.name.utf8Equals(name) },
                found: found.tables.first { $0.name.utf8Equals(name) })
        }
        return Array(all.prefix(Self.maximumReported))
    }

    private static func differences(table: String, sealed: Table?, found: Table?) -> [SealDifference] {
        let sealedRows = index(sealed?.rows ?? [])
        let foundRows = index(found?.rows ?? [])
        var all: [SealDifference] = []
        for row in sealed?.rows ?? [] {
            guard let other = foundRows[Array(row.key.utf8)] else {
                all.append(.rowRemoved(table: table, row: row.key))
                continue
            }
            for (column, pair) in zip(found?.columns ?? [], zip(row.digests, other.digests))
            where pair.0 != pair.1 {
                all.append(.cell(table: table, row: row.key, column: column))
            }
        }
        for row in found?.rows ?? [] where sealedRows[Array(row.key.utf8)] == nil {
            all.append(.rowAdded(table: table, row: row.key))
        }
        return all
    }

    private static func index(_ rows: [Row]) -> [[UInt8]: Row] {
        Dictionary(rows.map { (Array($0.key.utf8), $0) }, uniquingKeysWith: { first, _ in first })
    }
}
