import ArgumentParser
import Hashing
import HotStore
import Keys
import Lines
import SubstratePrimitives
import UOS

struct MakeDerivations: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "derivations",
        abstract: "Make an import of derivations, from a list of paths or from JSON.",
        discussion: """
            A list has one derivation path on each line, without passwords, all for --network; it names no \
            seed, so the offline side is told the seed. JSON names seeds and addresses: [{"seed": …, \
            "scheme": …, "root": hex, "keys": [{"address": …, "path": …}]}].
            """)
    @Argument(help: "A text file with one path on each line, or a JSON file.") var file: String
    @Option(help: "The network of the paths, or of keys in JSON that name none.") var network: String
    @Option(help: "A picture, .hex or .bin file (default: NETWORK_derivations, in this directory).") var out:
        String?
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
        Files.note(inputs: [file])
        try picture.require(out, or: drawing)
        let store = try database.open()
        let content = try Files.read(file)
        let payload =
            Files.isJSON(content) ? try export(content, store).encoded() : try list(content, store).encoded()
        _ = try Payload(payload)
        try picture.write(
            payload,
            to: out ?? "\(Files.name(network))_derivations.\(picture.fitsOneCode(payload) ? "png" : "apng")",
            or: drawing)
    }

    /// Every path is printed, because nothing else shows what the picture holds.
    private func list(_ content: [UInt8], _ store: HotStore) throws -> Payload.Content {
        let known = try store.network(named: network)
        let paths = try PathListText.paths(in: content)
        for path in paths { try DerivationPath.require(path, scheme: known.specs.scheme, in: file) }
        try DerivationPath.requireOneSpelling(of: paths, in: file)
        for path in paths { Console.print(Escape.terminal("\(path)  \(try store.shownName(of: known))")) }
        Console.note("the list names no seed: scan it with --seed NAME")
        return .importPaths(
            PathList(scheme: known.specs.scheme, genesisHash: known.specs.genesisHash, paths: paths))
    }

    private func export(_ content: [UInt8], _ store: HotStore) throws -> Payload.Content {
        let seeds = try Files.json([Seed].self, content) { .badDescription(path: file, detail: $0) }
        let infos = try seeds.map { seed in
            guard let bytes = Hex.decode(seed.root) else {
                throw HotError.notHex(source: "the root key of \(seed.seed)")
            }
            let wire: SignatureScheme = seed.scheme == .ethereum ? .ecdsa : seed.scheme
            guard let root = PublicKey(scheme: wire, bytes: bytes) else {
                throw HotError.badDescription(
                    path: file, detail: HotError.keyLength(bytes.count, scheme: wire).sentence)
            }
            return SeedInfo(name: seed.seed, root: root, keys: try seed.keys.map { try key($0, store) })
        }
        return .importDerivations(ExportAddrs(seeds: infos))
    }

    private func key(_ key: Seed.Key, _ store: HotStore) throws -> SeedInfo.DerivedKey {
        let specs = try store.network(named: key.network ?? network).specs
        let derived = SeedInfo.DerivedKey(
            address: key.address, path: key.path, scheme: specs.scheme, genesisHash: specs.genesisHash)
        do { try derived.requireAddress(nil) } catch { throw HotError.badAddress(key.address) }
        return derived
    }
}
