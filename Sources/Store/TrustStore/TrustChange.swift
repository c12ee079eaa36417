import SCALE
import SQLite
import SubstratePrimitives

/// One change of what the store trusts. Changes are made only through ``UnlockedStore``, under a new seal.
public enum TrustChange: Sendable, Equatable {
    case setGeneralVerifier(PublicKey?)
    case setVerifier(GenesisHash, Verifier)
    case forgetVerifier(GenesisHash)
    /// Adds specs or replaces those of the same genesis hash and scheme. The chain's verifier must be set.
    case putNetwork(NetworkSpecs)
    case removeNetwork(GenesisHash, SignatureScheme)
    /// Stores the blob; records name it by its hash.
    case addMetadata(GenesisHash, version: UInt32, blob: [UInt8])
    case removeMetadata(GenesisHash, version: UInt32)
    /// `Vec<TypeEntry>`, encoded.
    case setTypes([UInt8])
    case removeTypes
    case putAssetList(GenesisHash, [UInt8])
    case removeAssetList(GenesisHash)
    case addKey(KeyRecord)
    case removeKey(PublicKey)
    case labelKey(PublicKey, String?)
    case allowKey(PublicKey, GenesisHash)
    case forbidKey(PublicKey, GenesisHash)
    case markUsed(PublicKey, time: UInt64)
    case putSetting(String, [UInt8])
    case removeSetting(String)
    /// Adds a contact or replaces the one with the same account.
    case putContact(ContactRecord)
    case removeContact(account: [UInt8])
    /// Adds a signer of contact lists or replaces the one with the same key.
    case putListSigner(ListSignerRecord)
    case removeListSigner(PublicKey)
    /// Adds the host key of another machine, or replaces its name.
    case putHostContact(HostContactRecord)
    case removeHostContact(hostKey: [UInt8])
    /// Adds a session of key generation, or replaces the one with the same proposal.
    case putGroupMaking(GroupMaking)
    case removeGroupMaking(session: Hash32)
    /// Adds a group, or replaces the one with the same transcript.
    case putGroup(HeldGroup)
    /// The group's accounts and offers must be removed before.
    case removeGroup(transcript: Hash32)
    case addGroupOffer(GroupOffer)
    case removeGroupOffer(request: Hash32)

    /// One exhaustive switch, although it is long: a change that no case applies would be lost silently.
    func apply(to database: Database) throws(StoreError) {
        switch self {
        case .setGeneralVerifier(let key):
            try database.run("DELETE FROM general_verifier")
            guard let key else { return }
            try database.run(
                "INSERT INTO general_verifier (id, scheme, public_key) VALUES (1, ?, ?)", key.columns)
        case .setVerifier(let genesis, let verifier):
            let key: [SQLiteValue] =
                if case .custom(let key?) = verifier { key.columns } else { [.null, .null] }
            try database.run(
                """
                INSERT INTO chain (genesis, verifier, scheme, public_key) VALUES (?, ?, ?, ?) ON CONFLICT (genesis)
                DO UPDATE SET verifier = excluded.verifier, scheme = excluded.scheme, public_key = excluded.public_key
                """, [.blob(genesis.bytes), .text(verifier.word)] + key)
        case .forgetVerifier(let genesis):
            try database.run(
                """
                INSERT OR IGNORE INTO setting (name, value) SELECT ? || lower(hex(genesis)), x'' FROM chain WHERE genesis = ?
                """, [.text(StoreSetting.removedNetwork), .blob(genesis.bytes)])
            try database.one("DELETE FROM chain WHERE genesis = ?", [.blob(genesis.bytes)], table: "chain")
        case .putNetwork(let specs):
            let encoded = SCALEWriter.encode { specs.encode(into: &$0) }
            try database.run(
                "INSERT OR REPLACE INTO network (genesis, scheme, specs) VALUES (?, ?, ?)",
                [.blob(specs.genesisHash.bytes), .integer(Int64(specs.scheme.rawValue)), .blob(encoded)])
        case .removeNetwork(let genesis, let scheme):
            try database.run(
                """
                INSERT OR REPLACE INTO setting (name, value)
                SELECT ? || lower(hex(genesis)), specs FROM network WHERE genesis = ? AND scheme = ?
                """,
                [.text(StoreSetting.removedNetwork), .blob(genesis.bytes), .integer(Int64(scheme.rawValue))])
            try database.one(
                "DELETE FROM network WHERE genesis = ? AND scheme = ?",
                [.blob(genesis.bytes), .integer(Int64(scheme.rawValue))],
                table: "network")
        case .addMetadata(let genesis, let version, let blob):
            let hash = try database.keep(blob)
            try database.one(
                "INSERT OR IGNORE INTO metadata (genesis, version, hash, length) VALUES (?, ?, ?, ?)",
                [
                    .blob(genesis.bytes), .integer(Int64(version)), .blob(hash.bytes),
                    .integer(Int64(blob.count)),
                ], table: "metadata")
        case .removeMetadata(let genesis, let version):
            try database.one(
                "DELETE FROM metadata WHERE genesis = ? AND version = ?",
                [.blob(genesis.bytes), .integer(Int64(version))],
                table: "metadata")
            try database.dropUnusedContent()
        case .setTypes(let types):
            let hash = try database.keep(types)
            try database.run(
                "INSERT OR REPLACE INTO types (id, hash, length) VALUES (1, ?, ?)",
                [.blob(hash.bytes), .integer(Int64(types.count))])
            try database.dropUnusedContent()
        case .removeTypes:
            try database.one("DELETE FROM types", [], table: "types")
            try database.dropUnusedContent()
        case .putAssetList(let genesis, let list):
            try database.run(
                "INSERT OR REPLACE INTO asset_list (genesis, list) VALUES (?, ?)",
                [.blob(genesis.bytes), .blob(list)])
        case .removeAssetList(let genesis):
            try database.one(
                "DELETE FROM asset_list WHERE genesis = ?", [.blob(genesis.bytes)], table: "asset_list")
        case .addKey(let key):
            try database.one(
                """
                INSERT OR IGNORE INTO key (scheme, public_key, ethereum_address, seed, path, has_password, label, last_used)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                key.publicKey.columns + [
                    key.ethereumAddress.map(SQLiteValue.blob) ?? .null, .text(key.seed ?? ""),
                    .text(key.path),
                    .integer(key.hasPassword ? 1 : 0),
                    key.label.map(SQLiteValue.text) ?? .null,
                    key.lastUsed.map { .integer(Int64(clamping: $0)) } ?? .null,
                ], table: "key")
            if let group = key.group {
                try database.one(
                    "INSERT INTO group_account (scheme, public_key, transcript) VALUES (?, ?, ?)",
                    key.publicKey.columns + [.blob(group.bytes)], table: "group_account")
            }
            for genesis in key.networks { try Self.allowKey(key.publicKey, genesis).apply(to: database) }
        case .removeKey(let key):
            try database.one("DELETE FROM key WHERE scheme = ? AND public_key = ?", key.columns, table: "key")
        case .labelKey(let key, let label):
            try database.one(
                "UPDATE key SET label = ? WHERE scheme = ? AND public_key = ?",
                [label.map(SQLiteValue.text) ?? .null] + key.columns,
                table: "key")
        case .allowKey(let key, let genesis):
            try database.one(
                "INSERT OR IGNORE INTO key_network (scheme, public_key, genesis) VALUES (?, ?, ?)",
                key.columns + [.blob(genesis.bytes)],
                table: "key_network")
        case .forbidKey(let key, let genesis):
            try database.one(
                "DELETE FROM key_network WHERE scheme = ? AND public_key = ? AND genesis = ?",
                key.columns + [.blob(genesis.bytes)],
                table: "key_network")
        case .markUsed(let key, let time):
            try database.one(
                "UPDATE key SET last_used = ? WHERE scheme = ? AND public_key = ?",
                [.integer(Int64(clamping: time))] + key.columns,
                table: "key")
        case .putSetting(let name, let value):
            try database.run(
                "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", [.text(name), .blob(value)])
        case .removeSetting(let name):
            try database.one("DELETE FROM setting WHERE name = ?", [.text(name)], table: "setting")
        case .putContact(let contact):
            try database.run(
                """
                INSERT OR REPLACE INTO contact (scheme, account, label, note, networks, sealed, source) \
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .integer(Int64(contact.scheme?.rawValue ?? ContactRecord.noScheme)),
                    .blob(contact.account), .text(contact.label),
                    .text(contact.note), .blob(contact.encodedNetworks),
                    contact.sealed.map(SQLiteValue.blob) ?? .null,
                    .text(contact.source),
                ])
        case .removeContact(let account):
            try database.one("DELETE FROM contact WHERE account = ?", [.blob(account)], table: "contact")
        case .putListSigner(let signer):
            try database.run(
                "INSERT OR REPLACE INTO list_signer (scheme, public_key, label) VALUES (?, ?, ?)",
                signer.publicKey.columns + [.text(signer.label)])
        case .removeListSigner(let key):
            try database.one(
                "DELETE FROM list_signer WHERE scheme = ? AND public_key = ?", key.columns,
                table: "list_signer")
        case .putHostContact(let contact):
            try database.run(
                "INSERT OR REPLACE INTO host_contact (host_key, name) VALUES (?, ?)",
                [.blob(contact.hostKey), .text(contact.name)])
        case .removeHostContact(let hostKey):
            try database.one(
                "DELETE FROM host_contact WHERE host_key = ?", [.blob(hostKey)], table: "host_contact")
        case .putGroupMaking(let making):
            try database.run(
                """
                INSERT OR REPLACE INTO group_making (session, proposal, seed, host_index, contribution, confirmation)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                [
                    .blob(making.session.bytes), .blob(making.proposal), .text(making.seed),
                    .integer(Int64(making.hostIndex)),
                    making.contribution.map(SQLiteValue.blob) ?? .null,
                    making.confirmation.map(SQLiteValue.blob) ?? .null,
                ])
        case .removeGroupMaking(let session):
            try database.one(
                "DELETE FROM group_making WHERE session = ?", [.blob(session.bytes)], table: "group_making")
        case .putGroup(let group):
            try database.run(
                """
                INSERT INTO held_group (transcript, name, record, seed, host_index, member, is_compared) VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (transcript) DO UPDATE SET name = excluded.name, record = excluded.record, seed = excluded.seed,
                host_index = excluded.host_index, member = excluded.member, is_compared = excluded.is_compared
                """,
                [
                    .blob(group.transcript.bytes), .text(group.name), .blob(group.record), .text(group.seed),
                    .integer(Int64(group.hostIndex)), .integer(Int64(group.member)),
                    .integer(group.isCompared ? 1 : 0),
                ])
        case .removeGroup(let transcript):
            try database.one(
                "DELETE FROM held_group WHERE transcript = ?", [.blob(transcript.bytes)], table: "held_group")
        case .addGroupOffer(let offer):
            try database.one(
                """
                INSERT OR IGNORE INTO group_offer (request, transcript, payload, commitment, time) VALUES \
                (?, ?, ?, ?, ?)
                """,
                [
                    .blob(offer.request.bytes), .blob(offer.group.bytes), .blob(offer.payload),
                    .blob(offer.commitment),
                    .integer(Int64(clamping: offer.time)),
                ], table: "group_offer")
        case .removeGroupOffer(let request):
            try database.one(
                "DELETE FROM group_offer WHERE request = ?", [.blob(request.bytes)], table: "group_offer")
        }
    }
}

extension Database {
    /// Runs a statement that must change exactly one row.
    fileprivate func one(_ sql: String, _ values: [SQLiteValue], table: String) throws(StoreError) {
        try run(sql, values)
        guard changes == 1 else { throw .conflict(table: table) }
    }

    fileprivate func keep(_ bytes: [UInt8]) throws(StoreError) -> Hash32 {
        let hash = Hash32.blake2b(of: bytes)
        try run(
            "INSERT OR REPLACE INTO content (hash, bytes) VALUES (?, ?)", [.blob(hash.bytes), .blob(bytes)])
        return hash
    }

    fileprivate func dropUnusedContent() throws(StoreError) {
        try run(
            "DELETE FROM content WHERE hash NOT IN (SELECT hash FROM metadata UNION SELECT hash FROM types)")
    }
}

extension PublicKey {
    fileprivate var columns: [SQLiteValue] { [.integer(Int64(scheme.rawValue)), .blob(bytes)] }
}

extension Verifier {
    /// The word that the store and the log use.
    public var word: String {
        switch self {
        case .general: "general"
        case .custom: "custom"
        case .revoked: "revoked"
        }
    }
}
