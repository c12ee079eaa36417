import ArgumentParser
import Glibc
import HotStore
import Keys
import Lines
import SubstratePrimitives
import UOS

/// `make derivations-request`: asks the offline side for the public keys of paths (payload df).
struct MakeDerivationsRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "derivations-request", abstract: "Make a request for the addresses of derivation paths.",
        discussion: """
            A list has one derivation path on each line, without passwords, all for --network. JSON names a \
            network for each path: [{"path": …, "network": …}]. The answer is for heliograph-hot read, which \
            keeps its keys for make transaction --root.
            """)
    @Argument(help: "A text file with one path on each line, or a JSON file.") var file: String
    @Option(help: "The root key of the seed, an address or hex.") var root: RootKey
    @Option(help: "The network of the paths, or of paths in JSON that name none.") var network: String
    @Option(help: "A picture, .hex or .bin file.") var out: String?
    @OptionGroup var picture: PictureOptions
    @OptionGroup var drawing: TerminalOptions
    @OptionGroup var database: DatabaseOptions

    private struct Entry: Decodable {
        let path: String
        let network: String?
    }

    func validate() throws {
        guard out != nil || drawing.terminal else { throw ValidationError("give --out FILE, or --terminal") }
    }

    func run() throws {
        Files.note(inputs: [file])
        try picture.require(out, or: drawing)
        let store = try database.open()
        let content = try Files.read(file)
        let wanted =
            Files.isJSON(content)
            ? try Files.json([Entry].self, content) { .badDescription(path: file, detail: $0) }
            : try PathListText.paths(in: content).map { Entry(path: $0, network: nil) }
        guard (1...PathListText.maximumPaths).contains(wanted.count) else {
            throw wanted.isEmpty ? PathListText.Failure.empty : .tooMany
        }
        let entries = try wanted.map { entry in
            let specs = try store.network(named: entry.network ?? network).specs
            try DerivationPath.require(entry.path, scheme: specs.scheme, in: file)
            return DynamicDerivationsRequest.Entry(
                path: entry.path, scheme: specs.scheme, genesisHash: specs.genesisHash)
        }
        try DerivationPath.requireOneSpelling(of: wanted.map(\.path), in: file)
        let payload = Payload.Content.derivationsRequest(
            DynamicDerivationsRequest(root: root.key, entries: entries)
        ).encoded()
        // The offline side's decoder checks the payload before a file is written.
        _ = try Payload(payload)
        for entry in wanted { Console.print(Escape.terminal("\(entry.path)  \(entry.network ?? network)")) }
        if let out { try picture.write(payload, to: out, or: drawing) }
        try store.remember(payload: payload, network: network, at: Int64(time(nil)))
        if out == nil { _ = try picture.show(payload) }
    }
}
