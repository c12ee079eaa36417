import ArgumentParser
import Hashing
import HotStore
import SubstratePrimitives
import UOS

struct MakeDerivations: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "derivations", abstract: "Make an import of derivations from a JSON file.")
    @Argument(help: "A JSON file: [{\"seed\": …, \"scheme\": …, \"root\": hex, \"keys\": [{\"address\": …, \"path\": …}]}].") var file:
        String
    @Option(help: "The network of keys that name none.") var network: String
    @Option(help: "A picture, .hex or .bin file (default: NETWORK_derivations, in this directory).") var out: String?
    @OptionGroup var picture: PictureOptions
    @OptionGroup var drawing: TerminalOptions
    @OptionGroup var database: DatabaseOptions

    private struct Seed: Decodable {
        struct Key: Decodable {
            let address: String
            let path: String?
            let network: String?
        }
        let seed: String
        let scheme: SignatureScheme
        let root: String
        let keys: [Key]
    }

    func run() throws {
        let store = try database.open()
        let seeds = try Files.json([Seed].self, try Files.read(file)) { .badDescription(path: file, detail: $0) }
        let infos = try seeds.map { seed in
            guard let bytes = Hex.decode(seed.root) else { throw HotError.notHex(source: "the root key of \(seed.seed)") }
            let wire: SignatureScheme = seed.scheme == .ethereum ? .ecdsa : seed.scheme
            guard let root = PublicKey(scheme: wire, bytes: bytes) else {
                throw HotError.badDescription(path: file, detail: HotError.keyLength(bytes.count, scheme: wire).sentence)
            }
            return SeedInfo(name: seed.seed, root: root, keys: try seed.keys.map { try key($0, store) })
        }
        let payload = Payload.Content.importDerivations(ExportAddrs(seeds: infos)).encoded()
        _ = try Payload(payload)
        try picture.write(
            payload, to: out ?? "\(Files.name(network))_derivations.\(picture.fitsOneCode(payload) ? "png" : "apng")", or: drawing)
    }

    private func key(_ key: Seed.Key, _ store: HotStore) throws -> SeedInfo.DerivedKey {
        let specs = try store.network(named: key.network ?? network).specs
        switch specs.scheme {
        case .ed25519, .sr25519:
            guard (try? SS58Address(key.address)) != nil else { throw HotError.badAddress(key.address) }
        case .ecdsa, .ethereum:
            guard key.address.hasPrefix("0x"), Hex.decode(key.address)?.count == 33 else { throw HotError.badAddress(key.address) }
        }
        return SeedInfo.DerivedKey(address: key.address, path: key.path, scheme: specs.scheme, genesisHash: specs.genesisHash)
    }
}
