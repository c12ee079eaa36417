import ArgumentParser
import ChainRPC
import Glibc
import HotStore
import Lines
import Metadata
import NodeAnswers
import SubstratePrimitives

struct Fetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Fetch network specs and metadata from a node.")
    @Argument(help: "ws, wss, http or https URLs, tried in this order (default: those of --name).") var urls:
        [String] = []
    @Option(help: "The network's name (default: the runtime's name).") var name: String?
    @Option(help: "A block number or hash, or finalized for the newest finalized block.") var at = BlockChoice
        .finalized
    @Option(help: "Metadata formats besides the runtime's default and 15, separated by commas.") var formats:
        MetadataFormats?
    @Option(help: "The signature scheme of a new network's keys (default: sr25519).") var scheme:
        SignatureScheme?
    @Option(help: "The token's symbol, if the chain reports none or several.") var token: String?
    @Option(help: "The token's decimals, if the chain reports none or several.") var decimals: UInt8?
    @Option(help: "The network's title (default: the chain's name).") var title: String?
    @Option(help: "The network's color, #RRGGBB.") var color: String?
    @Option(help: "The network's default derivation path.") var path: String?
    @OptionGroup var quorum: QuorumOptions
    @OptionGroup var keep: KeepOptions
    @OptionGroup var nodes: NetworkOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        guard !urls.isEmpty || name != nil else {
            throw ValidationError("give a URL, or the --name of a known network")
        }
    }

    func run() async throws {
        let store = try database.open()
        let known = try name.map(store.networksOfOneChain) ?? []
        let network = try chosen(known, store)
        let genesis = known.first?.specs.genesisHash
        let addresses =
            try urls.isEmpty ? (network ?? known.first ?? store.network(named: name ?? "")).endpoints : urls
        let (choice, wanted) = (at, formats?.numbers ?? [])
        let (snapshots, belief): ([ChainSnapshot], String)
        do {
            (snapshots, belief) = try await quorum.ask(
                nodes.pool(addresses, store), at: choice, expecting: genesis,
                { try await ChainSnapshot.take($0, at: $1, expecting: genesis, formats: wanted) },
                facts: \.facts)
        } catch {
            Console.endProgress()
            try store.record(
                HotEvent(
                    at: Int64(time(nil)), event: "failed", network: network?.name ?? name,
                    detail: Wording.diagnostic(error).message))
            throw error
        }
        Console.endProgress()
        let choices = SnapshotIntake.Choices(
            name: network?.name ?? (known.isEmpty ? name : nil), scheme: scheme ?? network?.specs.scheme,
            unit: token, decimals: decimals,
            title: title, color: color, pathID: path, keep: keep.versions)
        // All of them say the same, so the first stands for them.
        let snapshot = snapshots[0]
        let (found, added) = try SnapshotIntake(store: store, choices: choices).add(snapshot)
        try remember(snapshots.map(\.url), of: found, in: store)
        let version = snapshot.runtime.runtime
        let news =
            added.isEmpty
            ? "is already in the hot database"
            : "saved as \(added.map { "V\($0.version)" }.joined(separator: ", "))"
        Console.print(
            Escape.terminal(
                """
                \(try store.shownName(of: store.network(found))): metadata for \(version.specName) \
                \(version.specVersion) at block \(snapshot.block.number) (0x\(snapshot.block.hash.hex)) \
                \(news); \(belief)
                """
            ))
    }

    /// Keeps every URL that agreed, so that the next fetch by name can ask as many.
    private func remember(_ urls: [NodeURL], of name: String, in store: HotStore) throws {
        let known = try store.network(name).endpoints
        for url in urls.map(\.description) where !known.contains(where: { $0.utf8Equals(url) }) {
            try store.addEndpoint(url, to: name)
        }
    }
}

extension Fetch {
    /// The known network that --name and --scheme stand for; nil if it is new, or a new scheme of a known
    /// chain.
    private func chosen(_ known: [HotNetwork], _ store: HotStore) throws -> HotNetwork? {
        if let scheme { return known.first { $0.specs.scheme == scheme } }
        return try known.isEmpty ? nil : store.network(named: name ?? "")
    }
}

/// Metadata formats on the command line: `16` or `14,16`.
struct MetadataFormats: ExpressibleByArgument, Equatable {
    /// Each 14, 15 or 16.
    let numbers: [UInt8]

    init?(argument: String) {
        let numbers = argument.split(separator: ",").map { UInt8($0) }
        guard numbers.allSatisfy({ $0.map { (14...16).contains($0) } ?? false }) else { return nil }
        self.numbers = numbers.compactMap { $0 }
    }
}
