import Cards
import Hashing
import SubstratePrimitives

extension CardSet {
    /// What the update itself says, whether or not it is accepted.
    public init(_ update: UnverifiedUpdate) {
        self.init()
        verifier = [Card(.verifier(update.signature?.key))]
        switch update.content {
        case .addSpecs(let specs): newSpecs = [Card(.newSpecs(specs))]
        case .loadMetadata(let blob, let genesis, let facts):
            network = Card.network(facts.runtimeVersion.specName, genesis)
            metadata = [
                Card(.metadata(facts.runtimeVersion, hash: .blake2b(of: blob), length: blob.count))
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
    /// The network of an asset list, which names it by genesis hash only.
    static func assetList(of genesis: GenesisHash) -> Card { Card(.network(name: nil, genesis)) }

    static let assetListNumber = Card(.fieldName("list_number"), indent: 1)

    /// The number of the list: an older list never replaces a newer one.
    static func assetListNumber(_ serial: UInt32) -> Card {
        Card(.number(.integer(ExactText(String(serial)))), indent: 2)
    }

    init(types: [UInt8]) { self.init(.types(hash: .blake2b(of: types), length: types.count)) }

    init(asset entry: AssetUnits.Entry) { self.init(.assetUnit(entry), indent: 1, isDerived: false) }
}
