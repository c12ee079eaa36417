import SCALE
import SQLite
import SubstratePrimitives

/// The layout of `store.sqlite`.
enum Schema {
    /// "HGst", in the file's header.
    static let applicationID = 0x4847_7374

    /// The tables that decide trust, in the order in which the seal reads them.
    static let sealedTables: [(name: String, key: [String])] = [
        ("setting", ["name"]),
        ("general_verifier", ["id"]),
        ("chain", ["genesis"]),
        ("network", ["genesis", "scheme"]),
        ("metadata", ["genesis", "version"]),
        ("types", ["id"]),
        ("asset_list", ["genesis"]),
        ("key", ["scheme", "public_key"]),
        ("key_network", ["scheme", "public_key", "genesis"]),
        ("contact", ["account"]),
        ("list_signer", ["scheme", "public_key"]),
        ("host_contact", ["host_key"]),
        ("group_making", ["session"]),
        ("held_group", ["transcript"]),
        ("group_account", ["scheme", "public_key"]),
        ("group_offer", ["request"]),
    ]

    /// `chain` has one row for each genesis hash: who vouches for it, even while the store has no specs for
    /// it. `network` has one row for each pair of genesis hash and scheme. `content` holds large bytes under
    /// their BLAKE2b-256; its rows decide nothing, because they are read only through a sealed hash. `log` is
    /// a hash chain whose bounds are in `seal`, and `log_checkpoint` proves places inside it.
    private static let tables = """
        CREATE TABLE setting (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE general_verifier (
            id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1), scheme INTEGER NOT NULL, public_key BLOB NOT NULL) STRICT;
        CREATE TABLE chain (
            genesis BLOB NOT NULL PRIMARY KEY, verifier TEXT NOT NULL CHECK (verifier IN ('general', 'custom', 'revoked')),
            scheme INTEGER, public_key BLOB) STRICT, WITHOUT ROWID;
        CREATE TABLE network (
            genesis BLOB NOT NULL REFERENCES chain (genesis), scheme INTEGER NOT NULL, specs BLOB NOT NULL,
            PRIMARY KEY (genesis, scheme)) STRICT, WITHOUT ROWID;
        CREATE TABLE content (hash BLOB NOT NULL PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
        CREATE TABLE metadata (
            genesis BLOB NOT NULL REFERENCES chain (genesis), version INTEGER NOT NULL, hash BLOB NOT NULL REFERENCES content (hash),
            length INTEGER NOT NULL, PRIMARY KEY (genesis, version)) STRICT, WITHOUT ROWID;
        CREATE TABLE types (
            id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1), hash BLOB NOT NULL REFERENCES content (hash), length INTEGER NOT NULL) STRICT;
        CREATE TABLE asset_list (
            genesis BLOB NOT NULL PRIMARY KEY REFERENCES chain (genesis), list BLOB NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE key (
            scheme INTEGER NOT NULL, public_key BLOB NOT NULL, ethereum_address BLOB, seed TEXT NOT NULL, path TEXT NOT NULL,
            has_password INTEGER NOT NULL, label TEXT, last_used INTEGER, PRIMARY KEY (scheme, public_key)) STRICT, WITHOUT ROWID;
        CREATE TABLE key_network (
            scheme INTEGER NOT NULL, public_key BLOB NOT NULL, genesis BLOB NOT NULL, PRIMARY KEY (scheme, public_key, genesis),
            FOREIGN KEY (scheme, public_key) REFERENCES key (scheme, public_key) ON DELETE CASCADE) STRICT, WITHOUT ROWID;
        CREATE TABLE log (
            number INTEGER NOT NULL PRIMARY KEY, time INTEGER NOT NULL, kind TEXT NOT NULL, facts BLOB NOT NULL, payload BLOB,
            metadata_hash BLOB, hash BLOB NOT NULL) STRICT;
        CREATE TABLE log_checkpoint (number INTEGER NOT NULL PRIMARY KEY, hash BLOB NOT NULL, previous BLOB NOT NULL) STRICT;
        """

    /// `contact` and `list_signer` are sealed row by row. `history` and `history_node` are the tree of
    /// ``HistoryTree``: they grow with every signature, so the seal has only their root, and whoever looks up
    /// a row proves it.
    private static let historyTables = """
        CREATE TABLE contact (
            scheme INTEGER NOT NULL, account BLOB NOT NULL PRIMARY KEY, label TEXT NOT NULL, note TEXT NOT NULL, networks BLOB NOT NULL,
            sealed BLOB, source TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE list_signer (
            scheme INTEGER NOT NULL, public_key BLOB NOT NULL, label TEXT NOT NULL,
            PRIMARY KEY (scheme, public_key)) STRICT, WITHOUT ROWID;
        CREATE TABLE history (
            bucket INTEGER NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL, PRIMARY KEY (bucket, key)) STRICT, WITHOUT ROWID;
        CREATE TABLE history_node (
            level INTEGER NOT NULL, prefix INTEGER NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (level, prefix)) STRICT, WITHOUT ROWID;
        CREATE TABLE seal (
            id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1), generation INTEGER NOT NULL, log_first INTEGER NOT NULL,
            log_before BLOB NOT NULL, log_last INTEGER NOT NULL, log_hash BLOB NOT NULL, log_checkpoint BLOB NOT NULL,
            history BLOB NOT NULL, manifest BLOB NOT NULL, mac BLOB NOT NULL) STRICT;
        """

    /// Every row is sealed. `group_account` lists the rows of `key` that are accounts of a group; they have
    /// no seed. A spent signing request moves to the history, which grows with every signature.
    private static let groupTables = """
        CREATE TABLE host_contact (host_key BLOB NOT NULL PRIMARY KEY, name TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE group_making (
            session BLOB NOT NULL PRIMARY KEY, proposal BLOB NOT NULL, seed TEXT NOT NULL, host_index INTEGER NOT NULL, contribution BLOB,
            confirmation BLOB) STRICT, WITHOUT ROWID;
        CREATE TABLE held_group (
            transcript BLOB NOT NULL PRIMARY KEY, name TEXT NOT NULL UNIQUE, record BLOB NOT NULL, seed TEXT NOT NULL,
            host_index INTEGER NOT NULL, member INTEGER NOT NULL, is_compared INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE group_account (
            scheme INTEGER NOT NULL, public_key BLOB NOT NULL, transcript BLOB NOT NULL REFERENCES held_group (transcript),
            PRIMARY KEY (scheme, public_key),
            FOREIGN KEY (scheme, public_key) REFERENCES key (scheme, public_key) ON DELETE CASCADE) STRICT, WITHOUT ROWID;
        CREATE TABLE group_offer (
            request BLOB NOT NULL PRIMARY KEY, transcript BLOB NOT NULL REFERENCES held_group (transcript), payload BLOB NOT NULL,
            commitment BLOB NOT NULL, time INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        """

    /// Makes an empty store.
    static let sql = """
        \(tables)
        \(historyTables)
        \(groupTables)
        PRAGMA user_version = \(StoreLayout.number);
        PRAGMA application_id = \(applicationID);
        """

    /// An object of a schema: `type/name`, and everything that defines it as one unambiguous encoding.
    private struct Object: Equatable {
        let name: String
        let definition: [UInt8]

        static func == (one: Object, other: Object) -> Bool {
            one.name.utf8Equals(other.name) && one.definition == other.definition
        }
    }

    /// What a store has. Empty where SQLite gives no memory, which matches no file.
    private static let objects: [Object] = {
        guard let database = try? Database(path: ":memory:", busyMilliseconds: 0),
            (try? database.script(sql)) != nil
        else {
            return []
        }
        return (try? objects(of: database)) ?? []
    }()

    private static func objects(of database: Database) throws(StoreError) -> [Object] {
        try database.query("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").map {
            row in
            Object(
                name: "\(Seal.text(row[0]))/\(Seal.text(row[1]))",
                definition: SCALEWriter.encode { writer in
                    for value in row { Seal.encode(value, into: &writer) }
                })
        }
    }

    /// Refuses a file of another program or another layout.
    static func requireLayout(of database: Database) throws(StoreError) {
        guard try database.query("PRAGMA application_id") == [[.integer(Int64(applicationID))]],
            case .integer(let number)? = try database.query("PRAGMA user_version").first?.first
        else { throw .notAStore }
        guard number == StoreLayout.number else { throw .otherLayout(found: number) }
    }

    /// Refuses a file whose schema is not exactly that of the layout, before anything but the schema is read
    /// from it.
    ///
    /// Whoever writes the file chooses its schema: a view or a virtual table in the place of a table would
    /// run when the table is read, before any seal is compared. This needs no key, because the schema of a
    /// store is known.
    static func check(_ database: Database) throws(StoreError) {
        try requireLayout(of: database)
        let found = try Self.objects(of: database)
        guard found != objects else { return }
        var differences: [SealDifference] = []
        for object in objects {
            guard let other = found.first(where: { $0.name.utf8Equals(object.name) }) else {
                differences.append(.rowRemoved(table: "sqlite_schema", row: object.name))
                continue
            }
            if other != object {
                differences.append(.cell(table: "sqlite_schema", row: object.name, column: "sql"))
            }
        }
        for object in found where !objects.contains(where: { $0.name.utf8Equals(object.name) }) {
            differences.append(.rowAdded(table: "sqlite_schema", row: object.name))
        }
        throw .sealBroken(Array(differences.prefix(SealManifest.maximumReported)))
    }
}
