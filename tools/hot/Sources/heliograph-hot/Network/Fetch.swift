import ArgumentParser
import ChainRPC
import Glibc
import HotStore
import Metadata
import SubstratePrimitives

struct Fetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "specs and metadata from a node into the hot database")
    @Argument(help: "ws, wss, http or https addresses, tried in this order; those of --name without") var urls: [String] = []
    @Option(help: "a name for the network") var name: String?
    @Option(help: "block number or hash; the newest finalized block without") var at = BlockChoice.finalized
    @Option(help: "metadata formats besides the runtime's own, by commas") var formats = "15"
    @Option(help: "signature scheme of the network's keys, for a new network") var scheme: SignatureScheme?
    @Option(help: "unit of the token, where the chain tells none or several") var token: String?
    @Option(help: "decimals of the token, where the chain tells none or several") var decimals: UInt8?
    @Option(help: "title instead of the chain's own") var title: String?
    @Option(help: "#RRGGBB") var color: String?
    @Option(help: "default derivation path") var path: String?
    @OptionGroup var network: NetworkOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        guard !urls.isEmpty || name != nil else { throw ValidationError("an address is needed, or --name of a known network") }
        guard metadataFormats != nil else { throw ValidationError("--formats takes numbers from 14 to 16") }
    }

    private var metadataFormats: [UInt8]? {
        let numbers = formats.split(separator: ",").map { UInt8($0) }
        return numbers.allSatisfy { $0.map { (14...16).contains($0) } ?? false } ? numbers.compactMap { $0 } : nil
    }

    func run() async throws {
        let store = try database.open()
        let addresses = try urls.isEmpty ? store.network(name ?? "").endpoints : urls
        let (choice, wanted) = (at, metadataFormats ?? [])
        let snapshot: FetchedChain
        do {
            snapshot = try await network.pool(addresses).run { node in
                try await FetchedChain.take(node, at: choice, formats: wanted)
            }
        } catch {
            Console.endProgress()
            try store.record(HotEvent(at: Int64(time(nil)), event: "failed", network: name, detail: Wording.complaint(error).message))
            throw error
        }
        Console.endProgress()
        let choices = SnapshotIntake.Choices(
            name: name, scheme: scheme, unit: token, decimals: decimals, title: title, color: color, pathID: path)
        let (found, added) = try SnapshotIntake(store: store, choices: choices).add(snapshot)
        let version = snapshot.runtime.runtime
        let news = added.isEmpty ? "already known" : "saved as \(added.map { "V\($0.version)" }.joined(separator: ", "))"
        Console.print(
            Console.escape(
                "\(found): metadata of \(version.specName) \(version.specVersion) at block \(snapshot.block.number) \(snapshot.block.hash.hex) \(news)"
            ))
    }
}
