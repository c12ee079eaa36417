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
            metadata = [
                Card(metadata: facts.runtimeVersion, hash: Hash32.blake2b(of: blob), length: blob.count)
            ]
        case .loadAssets(let units):
            network = [
                Card.assetList(of: units.genesisHash), Card.assetListNumber,
                Card.assetListNumber(units.serial),
            ]
            network += units.entries.map { Card(asset: $0) }
        case .loadTypes(let types):
            self.types = [Card(types: types)]
        }
    }

    init(_ update: UnverifiedUpdate, warnings: [UpdateWarning]) {
        self.init(update)
        warning = warnings.map(\.card)
        self = numbered()
    }
}

extension Card {
    /// The verifier: a key, or nobody.
    public init(verifier key: PublicKey?) {
        self.init(.verifier, key.map { "\($0.scheme.name) \($0.hex)" } ?? "none", facts: .verifier(key))
    }

    /// The network of an asset list, which names it by genesis hash only.
    static func assetList(of genesis: GenesisHash) -> Card {
        Card(.network, genesis.hex, facts: .genesis(genesis))
    }

    static let assetListNumber = Card(.fieldName, "list_number", indent: 1)

    /// The number of the list: an older list never replaces a newer one.
    static func assetListNumber(_ serial: UInt32) -> Card { Card(.number, String(serial), indent: 2) }

    init(types: [UInt8]) {
        let hash = Hash32.blake2b(of: types)
        self.init(.types, hash.hex, facts: .types(hash: hash, length: types.count))
    }

    init(asset entry: AssetUnits.Entry) {
        let notice = Notice.assetUnit(entry)
        self.init(.notice, notice.line, indent: 1, facts: .notice(notice, nil))
    }

    /// - Parameters:
    ///   - hash: BLAKE2b-256 of the metadata.
    ///   - length: its bytes.
    public init(metadata version: RuntimeVersion, hash: Hash32, length: Int) {
        let line = "\(version.specName) \(version.specVersion)"
        self.init(.metadata, line, facts: .metadata(version, hash: hash, length: length))
    }

    /// All fields of network specs.
    public init(newSpecs specs: NetworkSpecs) {
        let words = [
            specs.title, specs.unit, "\(specs.decimals) decimals", "prefix \(specs.base58Prefix)",
            specs.scheme.name,
            "path \(specs.pathID)",
            "genesis \(specs.genesisHash.hex)",
        ]
        self.init(.newSpecs, "\(specs.name): \(words.joined(separator: ", "))", facts: .specs(specs))
    }
}
