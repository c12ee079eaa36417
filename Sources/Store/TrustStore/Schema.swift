/// The layout of `store.sqlite`.
enum Schema {
    /// "HGst", in the file's header.
    static let applicationID = 0x4847_7374
    static let version = 1

    /// The tables that decide trust, in the order in which the seal reads them. `sqlite_schema` is sealed beside them.
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
    ]

    /// `chain` has one row for each genesis hash: who vouches for it, even while the store has no specs for it. `network` has one row for
    /// each pair of genesis hash and scheme. `content` holds large bytes under their BLAKE2b-256; its rows decide nothing, because they are
    /// read only through a sealed hash. `log` is a hash chain whose bounds are in `seal`.
    static let sql = """
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
        CREATE TABLE seal (
            id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1), generation INTEGER NOT NULL, log_first INTEGER NOT NULL,
            log_before BLOB NOT NULL, log_last INTEGER NOT NULL, log_hash BLOB NOT NULL, manifest BLOB NOT NULL, mac BLOB NOT NULL) STRICT;
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version);
        """
}
