import SCALE

/// What a signer must know about a network besides its metadata. Fields in the order of their SCALE encoding.
public struct NetworkSpecs: Sendable, Equatable, Codable {
    /// SS58 prefix; Ethereum-style networks may carry one above 16383.
    public var base58Prefix: UInt16
    public var color: String
    public var decimals: UInt8
    public var scheme: SignatureScheme
    public var genesisHash: GenesisHash
    public var logo: String
    /// Lower-case name as the runtime's version constant spells it.
    public var name: String
    /// The default derivation path, `//polkadot`.
    public var pathID: String
    public var secondaryColor: String
    public var title: String
    public var unit: String

    public init(
        name: String, title: String, base58Prefix: UInt16, decimals: UInt8, unit: String,
        genesisHash: GenesisHash,
        scheme: SignatureScheme = .sr25519, pathID: String? = nil, logo: String? = nil,
        color: String = "#660D35", secondaryColor: String = "#262626"
    ) {
        self.base58Prefix = base58Prefix
        self.color = color
        self.decimals = decimals
        self.scheme = scheme
        self.genesisHash = genesisHash
        self.logo = logo ?? name
        self.name = name
        self.pathID = pathID ?? "//\(name)"
        self.secondaryColor = secondaryColor
        self.title = title
        self.unit = unit
    }

    public init(from reader: inout SCALEReader) throws(SCALEError) {
        base58Prefix = try reader.integer()
        color = try reader.string()
        decimals = try reader.u8()
        let offset = reader.offset
        let byte = try reader.u8()
        guard let scheme = SignatureScheme(rawValue: byte) else {
            throw SCALEError(.invalidDiscriminant(byte), offset: offset)
        }
        self.scheme = scheme
        genesisHash = try reader.hash32()
        logo = try reader.string()
        name = try reader.string()
        pathID = try reader.string()
        secondaryColor = try reader.string()
        title = try reader.string()
        unit = try reader.string()
    }

    public func encode(into writer: inout SCALEWriter) {
        writer.integer(base58Prefix)
        writer.string(color)
        writer.u8(decimals)
        writer.u8(scheme.rawValue)
        writer.raw(genesisHash.bytes)
        for text in [logo, name, pathID, secondaryColor, title, unit] { writer.string(text) }
    }

    /// Every field is in the encoding, and texts count by their bytes.
    public static func == (one: NetworkSpecs, other: NetworkSpecs) -> Bool {
        SCALEWriter.encode { one.encode(into: &$0) } == SCALEWriter.encode { other.encode(into: &$0) }
    }

    /// Polkadot, Kusama and Westend, as every reader knows them.
    public static let defaults: [NetworkSpecs] = [
        NetworkSpecs(
            name: "polkadot", title: "Polkadot", base58Prefix: 0, decimals: 10, unit: "DOT",
            genesisHash: GenesisHash(
                hex: "91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3")!, color: "#E6027A"),
        NetworkSpecs(
            name: "kusama", title: "Kusama", base58Prefix: 2, decimals: 12, unit: "KSM",
            genesisHash: GenesisHash(
                hex: "b0a8d493285c2df73290dfb7e61f870f17b41801197a149ca93654499ea3dafe")!, color: "#000000"),
        NetworkSpecs(
            name: "westend", title: "Westend", base58Prefix: 42, decimals: 12, unit: "WND",
            genesisHash: GenesisHash(
                hex: "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e")!, color: "#660D35"),
    ]

    enum CodingKeys: String, CodingKey {
        case base58Prefix = "base58prefix"
        case color, decimals
        case scheme = "encryption"
        case genesisHash = "genesis_hash"
        case logo, name
        case pathID = "path_id"
        case secondaryColor = "secondary_color"
        case title, unit
    }
}

extension SignatureScheme {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let scheme = SignatureScheme(name: name) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "unknown signature scheme \(name)")
        }
        self = scheme
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}

extension Hash32: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let hash = Hash32(hex: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a hash is 64 hex digits")
        }
        self = hash
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}

extension NetworkSpecs {
    /// Whether a text may stand behind an amount: it has a letter of ASCII.
    ///
    /// Whoever makes specs or a metadata proof chooses the unit. Digits and signs alone would read as more of
    /// the number: `100 000`.
    public static func isUnit(_ text: String) -> Bool {
        text.utf8.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    }
}

// MARK: Names of one chain under several schemes

extension NetworkSpecs {
    /// The name with the scheme, `westend/ed25519`: specs of one chain have one name, and differ in the
    /// scheme.
    public var qualifiedName: String { "\(name)/\(scheme.name)" }

    /// The genesis hash in hex with the scheme. No other specs have it.
    public var qualifiedHash: String { "\(genesisHash.hex)/\(scheme.name)" }

    /// Whether a text that a person typed names these specs: their name, alone or with the scheme, or their
    /// genesis hash with the scheme.
    public func isNamed(_ text: String) -> Bool {
        name.utf8Equals(text) || qualifiedName.utf8Equals(text) || qualifiedHash.utf8Equals(text)
    }
}
