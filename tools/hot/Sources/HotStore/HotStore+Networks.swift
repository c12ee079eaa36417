import Hashing
import SCALE
import SQLite
import SubstratePrimitives

/// A network with the name that commands use.
public struct HotNetwork: Sendable, Equatable {
    public let name: String
    public let specs: NetworkSpecs
    /// Node URLs, in the order of their attempts.
    public let endpoints: [String]

    public init(name: String, specs: NetworkSpecs, endpoints: [String] = []) {
        self.name = name
        self.specs = specs
        self.endpoints = endpoints
    }
}

/// Fields of specs that a user may set; fetches keep them.
public enum SpecsField: String, Sendable, CaseIterable {
    case unit, decimals, title, color
    case secondaryColor = "secondary_color"
    case logo
    case pathID = "path_id"
}

extension HotStore {
    /// Public endpoints of the default networks.
    private static let defaultEndpoints = [
        "polkadot": ["wss://rpc.polkadot.io", "wss://polkadot-rpc.publicnode.com"],
        "kusama": ["wss://kusama-rpc.polkadot.io", "wss://kusama-rpc.publicnode.com"],
        "westend": ["wss://westend-rpc.polkadot.io"],
    ]

    func addDefaults() throws {
        for specs in NetworkSpecs.defaults {
            try put(
                HotNetwork(name: specs.name, specs: specs, endpoints: Self.defaultEndpoints[specs.name] ?? [])
            )
        }
    }

    /// Restores the default networks without overrides; other networks and all metadata stay.
    public func restoreDefaults() throws {
        try connection.transaction {
            for specs in NetworkSpecs.defaults {
                try connection.query("DELETE FROM override WHERE network = ?", [.text(specs.name)])
            }
            try addDefaults()
        }
    }

    /// All networks by name.
    public func networks() throws -> [HotNetwork] {
        try connection.query("SELECT name FROM network ORDER BY name").map { row in
            guard let name = row[0].text else { throw HotStoreError.unreadable(table: "network") }
            return try network(name)
        }
    }

    public func network(_ name: String) throws -> HotNetwork {
        guard let row = try connection.query("SELECT specs FROM network WHERE name = ?", [.text(name)]).first
        else {
            throw HotStoreError.unknownNetwork(name)
        }
        var specs = try Self.specs(row[0])
        for override in try connection.query(
            "SELECT field, value FROM override WHERE network = ?", [.text(name)])
        {
            guard let field = override[0].text.flatMap(SpecsField.init(rawValue:)),
                let value = override[1].text, specs.set(field, value)
            else { throw HotStoreError.unreadable(table: "override") }
        }
        let endpoints = try connection.query(
            "SELECT url FROM endpoint WHERE network = ? ORDER BY position", [.text(name)])
        return HotNetwork(name: name, specs: specs, endpoints: endpoints.compactMap { $0[0].text })
    }

    /// The name of the network with this genesis hash and scheme.
    public func name(genesis: GenesisHash, scheme: SignatureScheme) throws -> String? {
        try connection.query(
            "SELECT name FROM network WHERE genesis = ? AND scheme = ?",
            [.blob(genesis.bytes), .integer(Int64(scheme.rawValue))]
        ).first?.first?.text
    }

    /// Adds a network, or changes the specs and endpoints of a known one, whose genesis hash and scheme stay.
    public func save(_ network: HotNetwork) throws {
        try connection.transaction { try put(network) }
    }

    func put(_ network: HotNetwork) throws {
        let specs = network.specs
        if let row = try connection.query("SELECT specs FROM network WHERE name = ?", [.text(network.name)])
            .first
        {
            let known = try Self.specs(row[0])
            guard known.genesisHash == specs.genesisHash else {
                throw HotStoreError.otherGenesis(
                    network: network.name, known: known.genesisHash, found: specs.genesisHash)
            }
            guard known.scheme == specs.scheme else {
                throw HotStoreError.immutableField(network: network.name, field: "encryption")
            }
            guard known.name == specs.name else {
                throw HotStoreError.immutableField(network: network.name, field: "name")
            }
            guard known.base58Prefix == specs.base58Prefix else {
                throw HotStoreError.immutableField(network: network.name, field: "base58prefix")
            }
        } else if let other = try name(genesis: specs.genesisHash, scheme: specs.scheme) {
            throw HotStoreError.alreadyNamed(other)
        }
        try connection.query(
            """
            INSERT INTO network (name, genesis, scheme, specs) VALUES (?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET specs = excluded.specs
            """,
            [
                .text(network.name), .blob(specs.genesisHash.bytes), .integer(Int64(specs.scheme.rawValue)),
                .blob(SCALEWriter.encode { specs.encode(into: &$0) }),
            ])
        try connection.query("DELETE FROM endpoint WHERE network = ?", [.text(network.name)])
        for (position, url) in network.endpoints.enumerated() {
            try connection.query(
                "INSERT INTO endpoint (network, position, url) VALUES (?, ?, ?)",
                [.text(network.name), .integer(Int64(position)), .text(url)])
        }
    }

    /// Appends a node URL.
    public func addEndpoint(_ url: String, to name: String) throws {
        try connection.query(
            """
            INSERT INTO endpoint (network, position, url) SELECT ?1, COALESCE(MAX(position) + 1, 0), ?2 FROM \
            endpoint WHERE network = ?1
            """,
            [.text(name), .text(url)])
    }

    /// Sets a field that fetches keep; nil restores the chain's value.
    /// - Returns: false if the value is not valid for the field.
    public func override(_ name: String, _ field: SpecsField, _ value: String?) throws -> Bool {
        var specs = try network(name).specs
        guard let value else {
            try connection.query(
                "DELETE FROM override WHERE network = ? AND field = ?", [.text(name), .text(field.rawValue)])
            return true
        }
        guard specs.set(field, value) else { return false }
        try connection.query(
            "INSERT OR REPLACE INTO override (network, field, value) VALUES (?, ?, ?)",
            [.text(name), .text(field.rawValue), .text(value)])
        return true
    }

    /// Removes a network with its endpoints, overrides and metadata.
    public func removeNetwork(_ name: String) throws {
        _ = try network(name)
        try connection.query("DELETE FROM network WHERE name = ?", [.text(name)])
    }

    private static func specs(_ value: SQLiteValue) throws -> NetworkSpecs {
        guard let bytes = value.blob else { throw HotStoreError.unreadable(table: "network") }
        var reader = SCALEReader(bytes)
        do {
            let specs = try NetworkSpecs(from: &reader)
            try reader.finish()
            return specs
        } catch {
            throw HotStoreError.unreadable(table: "network")
        }
    }
}

extension NetworkSpecs {
    /// - Returns: false if the value is not valid for the field.
    mutating func set(_ field: SpecsField, _ value: String) -> Bool {
        switch field {
        case .unit: unit = value
        case .decimals:
            guard let number = UInt8(value) else { return false }
            decimals = number
        case .title: title = value
        case .color, .secondaryColor:
            guard Self.colorDigits(value) != nil else { return false }
            if field == .color { color = value } else { secondaryColor = value }
        case .logo: logo = value
        case .pathID: pathID = value
        }
        return true
    }

    /// The six digits of `#RRGGBB` in lower case; nil for anything else. By bytes: `isHexDigit` takes digits
    /// of other scripts, and style sheets do not.
    public static func colorDigits(_ text: String) -> String? {
        guard text.utf8.first == UInt8(ascii: "#"), text.utf8.count == 7 else { return nil }
        let digits = String(decoding: text.utf8.dropFirst(), as: UTF8.self)
        guard let bytes = Hex.decode(digits), bytes.count == 3 else { return nil }
        return Hex.encode(bytes)
    }
}
