import Cards
import Hashing
import SubstratePrimitives

extension CardSet {
    /// What the update itself says, whether or not it is accepted.
    public init(_ update: UnverifiedUpdate) {
        self.init()
        verifier = [Card(verifier: update.signature?.key)]
        switch update.content {
        case .addSpecs(let specs): newSpecs = [Card(newSpecs: specs)]
        case .loadMetadata(let blob, let genesis, let facts):
            network = Card.network(facts.runtimeVersion.specName, genesis)
            metadata = [Card(metadata: facts.runtimeVersion, hash: Hash32.blake2b(of: blob), length: blob.count)]
        case .loadAssets(let units):
            network = [Card.assetList(of: units.genesisHash), Card.assetListNumber, Card.assetListNumber(units.serial)]
            network += units.entries.map { Card(asset: $0) }
        case .loadTypes(let types):
            self.types = [Card(types: types)]
        }
    }

    init(_ update: UnverifiedUpdate, warnings: [UpdatePlan.Warning]) {
        self.init(update)
        warning = warnings.map { Card(.warning, $0.kind.text($0.fields), fields: [Card.Field("code", $0.kind.rawValue)] + $0.fields) }
        self = numbered()
    }
}

extension Card {
    /// The verifier: a key, or nobody.
    public init(verifier key: PublicKey?) {
        let fields = [Field("public_key", key?.hex), Field("scheme", key?.scheme.name)]
        self.init(.verifier, key.map { "\($0.scheme.name) \($0.hex)" } ?? "none", fields: fields)
    }

    /// The network of an asset list, which names it by genesis hash only.
    static func assetList(of genesis: GenesisHash) -> Card {
        Card(.network, genesis.hex, fields: [Field("genesis_hash", genesis.hex)])
    }

    static let assetListNumber = Card(.fieldName, "list_number", indent: 1)

    /// The number of the list: an older list never replaces a newer one.
    static func assetListNumber(_ serial: UInt32) -> Card { Card(.number, String(serial), indent: 2) }

    init(types: [UInt8]) {
        let hash = Hash32.blake2b(of: types).hex
        self.init(.types, hash, fields: [Field("hash", hash), Field("length", .number(types.count))])
    }

    init(asset entry: AssetUnits.Entry) {
        let fields = [
            Field("code", "asset-unit"), Field("pallet", entry.pallet), Field("id", entry.id), Field("symbol", entry.symbol),
            Field("decimals", .number(Int(entry.decimals))),
        ]
        let name = [entry.pallet, entry.id].compactMap { $0 }.joined(separator: " ")
        self.init(.notice, "\(name): \(entry.symbol), \(entry.decimals) decimals", indent: 1, fields: fields)
    }

    /// - Parameters:
    ///   - hash: BLAKE2b-256 of the metadata.
    ///   - length: its bytes.
    public init(metadata version: RuntimeVersion, hash: Hash32, length: Int) {
        let fields = [
            Field("name", version.specName), Field("version", .number(Int(version.specVersion))), Field("hash", hash.hex),
            Field("length", .number(length)),
        ]
        self.init(.metadata, "\(version.specName) \(version.specVersion)", fields: fields)
    }

    /// All fields of network specs, under the names of their JSON form.
    public init(newSpecs specs: NetworkSpecs) {
        let fields = [
            Field("base58prefix", .number(Int(specs.base58Prefix))), Field("color", specs.color),
            Field("decimals", .number(Int(specs.decimals))), Field("encryption", specs.scheme.name),
            Field("genesis_hash", specs.genesisHash.hex), Field("logo", specs.logo), Field("name", specs.name),
            Field("path_id", specs.pathID), Field("secondary_color", specs.secondaryColor), Field("title", specs.title),
            Field("unit", specs.unit),
        ]
        let facts = [
            specs.title, specs.unit, "\(specs.decimals) decimals", "prefix \(specs.base58Prefix)", specs.scheme.name,
            "path \(specs.pathID)",
            "genesis \(specs.genesisHash.hex)",
        ]
        self.init(.newSpecs, "\(specs.name): \(facts.joined(separator: ", "))", fields: fields)
    }
}
