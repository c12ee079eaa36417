import SCALE
import SQLite
import SubstratePrimitives

extension TrustState {
    /// Reads every sealed row. Call inside a transaction, so that the rows belong together.
    init(_ database: Database) throws(StoreError) {
        guard let seal = try Seal.stored(in: database) else { throw .sealBroken([.sealMissing]) }
        self.init(generation: seal.generation, log: seal.log)
        try readSettings(database)
        try readVerifiers(database)
        try readNetworks(database)
        try readContents(database)
        try readKeys(database)
        history = seal.history
        try readContacts(database)
        try readGroups(database)
    }

    private mutating func readSettings(_ database: Database) throws(StoreError) {
        for row in try database.query("SELECT name, value FROM setting") {
            guard case .text(let name) = row[0], case .blob(let value) = row[1] else {
                throw .unreadable(table: "setting")
            }
            settings[name] = value
        }
    }

    private mutating func readVerifiers(_ database: Database) throws(StoreError) {
        if let row = try database.query("SELECT scheme, public_key FROM general_verifier").first {
            guard let key = publicKey(row[0], row[1]) else { throw .unreadable(table: "general_verifier") }
            generalVerifier = key
        }
        for row in try database.query("SELECT genesis, verifier, scheme, public_key FROM chain") {
            guard let genesis = hash(row[0]), case .text(let kind) = row[1] else {
                throw .unreadable(table: "chain")
            }
            switch (kind, row[2], row[3]) {
            case ("general", .null, .null): verifiers[genesis] = .general
            case ("revoked", .null, .null): verifiers[genesis] = .revoked
            case ("custom", .null, .null): verifiers[genesis] = .custom(nil)
            case ("custom", let scheme, let bytes):
                guard let key = publicKey(scheme, bytes) else { throw .unreadable(table: "chain") }
                verifiers[genesis] = .custom(key)
            default: throw .unreadable(table: "chain")
            }
        }
    }

    private mutating func readNetworks(_ database: Database) throws(StoreError) {
        for row in try database.query("SELECT genesis, scheme, specs FROM network ORDER BY genesis, scheme") {
            guard case .blob(let encoded) = row[2] else { throw .unreadable(table: "network") }
            var reader = SCALEReader(encoded)
            guard let specs = try? NetworkSpecs(from: &reader), (try? reader.finish()) != nil,
                hash(row[0]) == specs.genesisHash,
                row[1] == .integer(Int64(specs.scheme.rawValue))
            else { throw .unreadable(table: "network") }
            networks.append(specs)
        }
        networks.sort {
            ($0.name, $0.genesisHash.hex, $0.scheme.rawValue) < (
                $1.name, $1.genesisHash.hex, $1.scheme.rawValue
            )
        }
    }

    private mutating func readContents(_ database: Database) throws(StoreError) {
        for row in try database.query(
            "SELECT genesis, version, hash, length FROM metadata ORDER BY genesis, version DESC")
        {
            guard let genesis = hash(row[0]), case .integer(let number) = row[1],
                let version = UInt32(exactly: number),
                let hash = hash(row[2]), case .integer(let bytes) = row[3], let length = Int(exactly: bytes)
            else { throw .unreadable(table: "metadata") }
            metadata.append(MetadataRecord(genesis: genesis, version: version, hash: hash, length: length))
        }
        if let row = try database.query("SELECT hash, length FROM types").first {
            guard let hash = hash(row[0]), case .integer(let bytes) = row[1], let length = Int(exactly: bytes)
            else {
                throw .unreadable(table: "types")
            }
            types = ContentRecord(hash: hash, length: length)
        }
        for row in try database.query("SELECT genesis, list FROM asset_list") {
            guard let genesis = hash(row[0]), case .blob(let list) = row[1] else {
                throw .unreadable(table: "asset_list")
            }
            assetLists[genesis] = list
        }
    }

    private mutating func readKeys(_ database: Database) throws(StoreError) {
        var allowed: [PublicKey: Set<GenesisHash>] = [:]
        for row in try database.query("SELECT scheme, public_key, genesis FROM key_network") {
            guard let key = publicKey(row[0], row[1]), let genesis = hash(row[2]) else {
                throw .unreadable(table: "key_network")
            }
            allowed[key, default: []].insert(genesis)
        }
        let groups = try readGroupAccounts(database)
        let columns = "scheme, public_key, ethereum_address, seed, path, has_password, label, last_used"
        for row in try database.query("SELECT \(columns) FROM key ORDER BY seed, path, scheme, public_key") {
            guard let key = publicKey(row[0], row[1]), case .text(let seed) = row[3],
                case .text(let path) = row[4],
                case .integer(let password) = row[5], password == 0 || password == 1
            else { throw .unreadable(table: "key") }
            let source = try Self.source(seed, path, hasPassword: password == 1, group: groups[key])
            keys.append(
                KeyRecord(
                    publicKey: key, ethereumAddress: try optional(row[2], \.blob), source: source,
                    label: try optional(row[6], \.text), lastUsed: try optional(row[7], seconds),
                    networks: allowed[key] ?? []))
        }
    }

    /// A key has a seed, or a group that holds it, or neither: then it was imported.
    private static func source(_ seed: String, _ path: String, hasPassword: Bool, group: Hash32?)
        throws(StoreError) -> KeySource
    {
        switch (seed.utf8.isEmpty, group) {
        case (false, nil): return .seed(seed, path: path, hasPassword: hasPassword)
        case (true, let group?) where !hasPassword: return .group(group, path: path)
        case (true, nil) where !hasPassword && path.utf8.isEmpty: return .imported
        case (true, _), (false, _): throw .unreadable(table: "key")
        }
    }

    /// The groups that hold keys.
    private func readGroupAccounts(_ database: Database) throws(StoreError) -> [PublicKey: Hash32] {
        var groups: [PublicKey: Hash32] = [:]
        for row in try database.query("SELECT scheme, public_key, transcript FROM group_account") {
            guard let key = publicKey(row[0], row[1]), let transcript = hash(row[2]) else {
                throw .unreadable(table: "group_account")
            }
            groups[key] = transcript
        }
        return groups
    }

    private func optional<T>(_ value: SQLiteValue, _ read: (SQLiteValue) -> T?) throws(StoreError) -> T? {
        if value == .null { return nil }
        guard let read = read(value) else { throw .unreadable(table: "key") }
        return read
    }
}

extension TrustState {
    fileprivate mutating func readGroups(_ database: Database) throws(StoreError) {
        for row in try database.query("SELECT host_key, name FROM host_contact ORDER BY host_key") {
            guard let hostKey = row[0].blob, hostKey.count == 32, case .text(let name) = row[1] else {
                throw .unreadable(table: "host_contact")
            }
            hostContacts.append(HostContactRecord(hostKey: hostKey, name: name))
        }
        let making = "session, proposal, seed, host_index, contribution, confirmation"
        for row in try database.query("SELECT \(making) FROM group_making ORDER BY session") {
            guard let session = hash(row[0]), let proposal = row[1].blob, case .text(let seed) = row[2],
                case .integer(let number) = row[3],
                let index = UInt32(exactly: number), row[4] == .null || row[4].blob != nil,
                row[5] == .null || row[5].blob != nil
            else { throw .unreadable(table: "group_making") }
            groupMakings.append(
                GroupMaking(
                    session: session, proposal: proposal, seed: seed, hostIndex: index,
                    contribution: row[4].blob, confirmation: row[5].blob
                ))
        }
        let group = "transcript, name, record, seed, host_index, member, is_compared"
        for row in try database.query("SELECT \(group) FROM held_group ORDER BY name") {
            guard let transcript = hash(row[0]), case .text(let name) = row[1], let record = row[2].blob,
                case .text(let seed) = row[3],
                case .integer(let number) = row[4], let index = UInt32(exactly: number),
                case .integer(let place) = row[5],
                let member = Int(exactly: place), case .integer(let flag) = row[6], flag == 0 || flag == 1
            else { throw .unreadable(table: "held_group") }
            groups.append(
                HeldGroup(
                    transcript: transcript, name: name, record: record, seed: seed, hostIndex: index,
                    member: member, isCompared: flag == 1)
            )
        }
        for row in try database.query(
            "SELECT request, transcript, payload, commitment, time FROM group_offer ORDER BY time, request")
        {
            guard let request = hash(row[0]), let group = hash(row[1]), let payload = row[2].blob,
                let commitment = row[3].blob,
                let time = seconds(row[4])
            else { throw .unreadable(table: "group_offer") }
            groupOffers.append(
                GroupOffer(
                    request: request, group: group, payload: payload, commitment: commitment, time: time))
        }
    }

    fileprivate mutating func readContacts(_ database: Database) throws(StoreError) {
        let columns = "scheme, account, label, note, networks, sealed, source"
        for row in try database.query("SELECT \(columns) FROM contact ORDER BY account") {
            guard case .integer(let number) = row[0], let scheme = UInt8(exactly: number),
                case .blob(let account) = row[1],
                case .text(let label) = row[2], case .text(let note) = row[3],
                case .blob(let encoded) = row[4],
                let networks = ContactRecord.networks(encoded), row[5] == .null || row[5].blob != nil,
                case .text(let source) = row[6],
                let contact = ContactRecord(
                    scheme: scheme, account: account, label: label, note: note, networks: networks,
                    sealed: row[5].blob, source: source)
            else { throw .unreadable(table: "contact") }
            contacts.append(contact)
        }
        for row in try database.query(
            "SELECT scheme, public_key, label FROM list_signer ORDER BY scheme, public_key")
        {
            guard let key = publicKey(row[0], row[1]), case .text(let label) = row[2] else {
                throw .unreadable(table: "list_signer")
            }
            listSigners.append(ListSignerRecord(publicKey: key, label: label))
        }
    }
}

private func hash(_ value: SQLiteValue) -> Hash32? { value.blob.flatMap { Hash32($0) } }

private func seconds(_ value: SQLiteValue) -> UInt64? { value.integer.flatMap { UInt64(exactly: $0) } }

private func publicKey(_ scheme: SQLiteValue, _ bytes: SQLiteValue) -> PublicKey? {
    guard case .integer(let number) = scheme, let raw = UInt8(exactly: number),
        let scheme = SignatureScheme(rawValue: raw)
    else {
        return nil
    }
    return bytes.blob.flatMap { PublicKey(scheme: scheme, bytes: $0) }
}
