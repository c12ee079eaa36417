import ArgumentParser
import FoundationEssentials
import HotStore
import SubstratePrimitives
import UOS

/// `make load-assets`: units of a network's assets, so that their amounts print as people write them.
struct LoadAssets: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "symbols and decimals of a network's assets; only heliograph reads this kind")
    @Argument(help: "network of the hot database") var network: String
    @Option(help: "JSON: a list of {pallet, id, symbol, decimals}; pallet is left out where a location is the id") var assets: String
    @Option(help: "number of the list; a signer takes only a higher one than it holds") var serial: UInt32
    @OptionGroup var update: UpdateOptions

    private struct Entry: Decodable {
        let pallet: String?
        let id: String
        let symbol: String
        let decimals: UInt8
    }

    func run() throws {
        let network = try update.database.open().network(network)
        let entries: [Entry]
        do {
            entries = try JSONDecoder().decode([Entry].self, from: Data(try Files.read(assets)))
        } catch let error as DecodingError {
            throw HotError.badDescription(path: assets, detail: "\(error)")
        }
        let units = AssetUnits(
            genesisHash: network.specs.genesisHash, serial: serial,
            entries: entries.map { AssetUnits.Entry(pallet: $0.pallet, id: $0.id, symbol: $0.symbol, decimals: $0.decimals) })
        guard let units else {
            throw HotError.badDescription(path: assets, detail: "an entry is malformed or an asset stands twice")
        }
        try update.write(.loadAssets(units), defaultName: "\(network.name)_assets_\(serial)")
    }
}
