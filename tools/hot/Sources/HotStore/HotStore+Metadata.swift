import SQLite
import SubstratePrimitives

/// Metadata of one version of a network's runtime.
public struct HotMetadata: Sendable, Equatable {
    public let network: String
    /// The spec version.
    public let version: UInt32
    /// The version of the metadata format, 12 to 16: the byte after `meta`.
    public let format: UInt8
    /// From `meta` to its last byte.
    public let blob: [UInt8]
    public let origin: MetadataOrigin
    /// Seconds since 1970.
    public let added: Int64

    /// - Parameter blob: starts with `meta` and a format byte.
    public init(network: String, version: UInt32, blob: [UInt8], blockHash: Hash32?, added: Int64) {
        precondition(blob.count > 4, "metadata has at least a format byte")
        self.network = network
        self.version = version
        self.format = blob[4]
        self.blob = blob
        self.origin = MetadataOrigin(hash: .blake2b(of: blob), blockHash: blockHash)
        self.added = added
    }
}

/// One line of the history of fetches and imports.
public struct HotEvent: Sendable, Equatable {
    /// Seconds since 1970.
    public let at: Int64
    /// `fetched`, `imported`, `removed`, `failed`.
    public let event: String
    public let network: String?
    public let detail: String

    public init(at: Int64, event: String, network: String?, detail: String) {
        self.at = at
        self.event = event
        self.network = network
        self.detail = detail
    }
}

extension HotStore {
    private static let columns = "network, version, blob, block, added"

    /// What became of metadata that was added.
    public struct Addition: Sendable, Equatable {
        /// false if the same bytes were already there.
        public let isNew: Bool
        /// Older spec versions whose metadata had to go, newest first.
        public let dropped: [UInt32]

        public init(isNew: Bool, dropped: [UInt32]) {
            self.isNew = isNew
            self.dropped = dropped
        }
    }

    /// Adds metadata. Of a network's spec versions the newest are kept: as many as asked, and without a wish
    /// as many as there are, at least ``keptVersions``. Older ones go only when a newer one comes.
    /// - Parameter keep: how many, at least 1; nil without a wish.
    /// - Throws: ``HotStoreError/olderThanKept(network:version:kept:)`` for metadata that would go at once.
    public func add(_ metadata: HotMetadata, keep: Int? = nil) throws -> Addition {
        try connection.transaction {
            _ = try network(metadata.network)
            guard try isNew(metadata) else { return Addition(isNew: false, dropped: []) }
            let known = try versions(of: metadata.network)
            let limit = keep ?? max(Self.keptVersions, known.count)
            let all = Set(known + [metadata.version]).sorted(by: >)
            guard all.prefix(limit).contains(metadata.version) else {
                throw HotStoreError.olderThanKept(
                    network: metadata.network, version: metadata.version, kept: limit)
            }
            try connection.query(
                """
                INSERT INTO metadata (network, version, format, blob, hash, block, added) VALUES (?, ?, ?, \
                ?, ?, ?, ?)
                """,
                [
                    .text(metadata.network), .integer(Int64(metadata.version)),
                    .integer(Int64(metadata.format)), .blob(metadata.blob),
                    .blob(metadata.origin.hash.bytes),
                    metadata.origin.blockHash.map { .blob($0.bytes) } ?? .null, .integer(metadata.added),
                ])
            let dropped = Array(all.dropFirst(limit))
            for version in dropped {
                try connection.query(
                    "DELETE FROM metadata WHERE network = ? AND version = ?",
                    [.text(metadata.network), .integer(Int64(version))])
            }
            return Addition(isNew: true, dropped: dropped)
        }
    }

    /// - Throws: ``HotStoreError/silentChange(network:version:known:found:)`` for the same version and format
    ///   with other bytes.
    private func isNew(_ metadata: HotMetadata) throws -> Bool {
        let same = try connection.query(
            "SELECT hash, block FROM metadata WHERE network = ? AND version = ? AND format = ?",
            [.text(metadata.network), .integer(Int64(metadata.version)), .integer(Int64(metadata.format))])
        guard let row = same.first else { return true }
        guard let hash = row[0].blob.flatMap({ Hash32($0) }) else {
            throw HotStoreError.unreadable(table: "metadata")
        }
        guard hash == metadata.origin.hash else {
            throw HotStoreError.silentChange(
                network: metadata.network, version: metadata.version,
                known: MetadataOrigin(hash: hash, blockHash: row[1].blob.flatMap { Hash32($0) }),
                found: metadata.origin)
        }
        return false
    }

    /// The stored spec versions, newest first.
    private func versions(of name: String) throws -> [UInt32] {
        try connection.query(
            "SELECT DISTINCT version FROM metadata WHERE network = ? ORDER BY version DESC", [.text(name)]
        ).map { row in
            guard let version = row[0].integer.flatMap({ UInt32(exactly: $0) }) else {
                throw HotStoreError.unreadable(table: "metadata")
            }
            return version
        }
    }

    /// All metadata, by network, newest version first.
    public func metadata() throws -> [HotMetadata] {
        try connection.query("SELECT \(Self.columns) FROM metadata ORDER BY network, version DESC, format")
            .map(Self.metadata)
    }

    /// The metadata of one version (nil: newest) in one format (nil: the oldest, which most signers support).
    ///
    /// The newest version is the newest in any format: an older one never stands in for it.
    public func metadata(of name: String, version: UInt32? = nil, format: UInt8? = nil) throws -> HotMetadata
    {
        guard let version = try version ?? newestVersion(of: name) else {
            throw HotStoreError.noMetadata(network: name)
        }
        let stored = try formats(of: name, version: version)
        guard let oldest = stored.first else {
            throw HotStoreError.unknownMetadata(network: name, version: version)
        }
        let format = format ?? oldest
        guard stored.contains(format) else {
            throw HotStoreError.otherFormats(network: name, version: version, format: format)
        }
        let found = try connection.query(
            "SELECT \(Self.columns) FROM metadata WHERE network = ? AND version = ? AND format = ?",
            [.text(name), .integer(Int64(version)), .integer(Int64(format))])
        guard let row = found.first else { throw HotStoreError.unreadable(table: "metadata") }
        return try Self.metadata(row)
    }

    /// The newest spec version with metadata in any format; nil if there is none.
    public func newestVersion(of name: String) throws -> UInt32? {
        _ = try network(name)
        let rows = try connection.query("SELECT MAX(version) FROM metadata WHERE network = ?", [.text(name)])
        return rows.first?.first?.integer.flatMap { UInt32(exactly: $0) }
    }

    /// The stored formats of one version, oldest first.
    public func formats(of name: String, version: UInt32) throws -> [UInt8] {
        _ = try network(name)
        return try connection.query(
            "SELECT format FROM metadata WHERE network = ? AND version = ? ORDER BY format",
            [.text(name), .integer(Int64(version))]
        ).map { row in
            guard let format = row[0].integer.flatMap({ UInt8(exactly: $0) }) else {
                throw HotStoreError.unreadable(table: "metadata")
            }
            return format
        }
    }

    public func removeMetadata(of name: String, version: UInt32) throws {
        _ = try metadata(of: name, version: version)
        try connection.query(
            "DELETE FROM metadata WHERE network = ? AND version = ?", [.text(name), .integer(Int64(version))])
    }

    private static func metadata(_ row: [SQLiteValue]) throws -> HotMetadata {
        guard let network = row[0].text, let version = row[1].integer.flatMap({ UInt32(exactly: $0) }),
            let blob = row[2].blob,
            let added = row[4].integer
        else { throw HotStoreError.unreadable(table: "metadata") }
        return HotMetadata(
            network: network, version: version, blob: blob, blockHash: row[3].blob.flatMap { Hash32($0) },
            added: added)
    }

    // MARK: Legacy types

    /// The encoded type entries for metadata 13 and older.
    public func types() throws -> [UInt8]? {
        try connection.query("SELECT entries FROM types").first?.first?.blob
    }

    public func setTypes(_ entries: [UInt8]) throws {
        try connection.query("INSERT OR REPLACE INTO types (id, entries) VALUES (1, ?)", [.blob(entries)])
    }

    public func removeTypes() throws { try connection.query("DELETE FROM types") }

    // MARK: Requests

    /// Requests that are kept; older ones are deleted.
    private static let keptRequests = 100

    /// Stores a payload, so that its answer can be matched.
    public func remember(payload: [UInt8], network: String, at: Int64) throws {
        try connection.transaction {
            try connection.query(
                "INSERT INTO request (at, network, payload) VALUES (?, ?, ?)",
                [.integer(at), .text(network), .blob(payload)])
            try connection.query(
                """
                DELETE FROM request WHERE id NOT IN (SELECT id FROM request ORDER BY id DESC LIMIT \
                \(Self.keptRequests))
                """
            )
        }
    }

    /// Payloads that request a signature, newest first.
    public func requests() throws -> [[UInt8]] {
        try connection.query("SELECT payload FROM request ORDER BY id DESC").compactMap { $0[0].blob }
    }

    // MARK: History

    public func record(_ event: HotEvent) throws {
        try connection.query(
            "INSERT INTO history (at, event, network, detail) VALUES (?, ?, ?, ?)",
            [
                .integer(event.at), .text(event.event), event.network.map { .text($0) } ?? .null,
                .text(event.detail),
            ])
    }

    /// Events, oldest first.
    public func history() throws -> [HotEvent] {
        try connection.query("SELECT at, event, network, detail FROM history ORDER BY id").map { row in
            guard let at = row[0].integer, let event = row[1].text, let detail = row[3].text else {
                throw HotStoreError.unreadable(table: "history")
            }
            return HotEvent(at: at, event: event, network: row[2].text, detail: detail)
        }
    }
}
