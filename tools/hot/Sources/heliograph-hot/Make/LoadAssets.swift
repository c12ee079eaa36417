import ArgumentParser
import HotStore
import SubstratePrimitives
import UOS

/// `make load-assets`: symbols and decimals of a network's assets, so that a signer can format their amounts.
struct LoadAssets: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make an update with symbols and decimals of assets (for heliograph only).")
    @Argument(help: "The network's name.") var network: String
    @Option(
        help: "A JSON file: a list of {pallet, id, symbol, decimals}, without pallet if the id is a location."
    ) var assets: String
    @Option(help: "The list's serial number; a signer accepts only a higher one than its own.") var serial:
        UInt32
    @OptionGroup var update: UpdateOptions

    private struct Entry: Decodable {
        let pallet: String?
        let id: String
        let symbol: String
        let decimals: UInt8
    }

    func run() throws {
        let network = try update.database.open().network(named: network)
        let entries = try Files.json([Entry].self, try Files.read(assets)) {
            .badDescription(path: assets, detail: $0)
        }
        let units = AssetUnits(
            genesisHash: network.specs.genesisHash, serial: serial,
            entries: entries.map {
                AssetUnits.Entry(pallet: $0.pallet, id: $0.id, symbol: $0.symbol, decimals: $0.decimals)
            })
        guard let units else {
            throw HotError.badDescription(
                path: assets, detail: "an entry is malformed, or an asset is listed twice")
        }
        try update.write(.loadAssets(units), defaultName: "\(Files.name(network.name))_assets_\(serial)")
    }
}
