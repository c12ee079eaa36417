import Cards
import Review
import SubstratePrimitives
import TrustStore

extension Attestation {
    /// What a person who signs it must see: the same cards that the update shows on the devices that accept it.
    /// - Throws: ``Failure``, `StoreError.contentBroken`
    public func cards(_ data: ChainData) throws -> CardSet {
        var cards = CardSet()
        switch subject {
        case .specs(let genesis, let scheme):
            guard let specs = data.state.network(genesis: genesis, scheme: scheme) else { throw Failure.notHeld(subject) }
            cards.newSpecs = [Card(newSpecs: specs)]
        case .metadata(let genesis, let version):
            guard let record = data.state.metadata(genesis: genesis, version: version) else { throw Failure.notHeld(subject) }
            let name = data.state.networks(genesis: genesis).first?.name ?? genesis.hex
            cards.network = Card.network(name, genesis)
            let runtime = RuntimeVersion(specName: name, specVersion: version)
            cards.metadata = [Card(metadata: runtime, hash: record.hash, length: record.length)]
        case .assets(let genesis):
            guard let list = data.state.assetLists[genesis] else { throw Failure.notHeld(subject) }
            let units = try AssetUnits(encoded: list)
            cards.network = [Card.assetList(of: genesis), Card.assetListNumber, Card.assetListNumber(units.serial)]
            cards.network += units.entries.map { Card(asset: $0) }
        case .types:
            guard let types = data.state.types else { throw Failure.notHeld(subject) }
            cards.types = [Card(types: try data.content(types.hash))]
        }
        return cards
    }
}

extension Card {
    /// The key that signs for others.
    public init(attesting key: KeyRecord) {
        let address = key.publicKey.address(prefix: 42)
        let fields = [Field("address", address), Field("public_key", key.publicKey.hex), Field("seed", key.seed), Field("path", key.path)]
        self.init(.author, address, fields: fields)
    }
}
