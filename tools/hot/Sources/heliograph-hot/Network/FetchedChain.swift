import ChainRPC
import SubstratePrimitives

/// What one node said of its chain at one block.
struct FetchedChain: Sendable {
    let url: String
    let block: BlockReference
    let genesisHash: GenesisHash
    let runtime: NodeRuntimeVersion
    let properties: ChainProperties
    let title: String
    /// Metadata as the runtime gives it by itself, then in the further formats that were asked for and that it has.
    let blobs: [[UInt8]]

    /// - Parameter formats: metadata formats wanted besides the one that the runtime gives by itself.
    static func take(_ node: NodeConnection, at choice: BlockChoice, formats: [UInt8]) async throws -> FetchedChain {
        let genesis = try await node.genesisHash()
        let block = try await node.block(choice)
        async let runtime = node.runtimeVersion(at: block.hash)
        async let properties = node.properties()
        async let title = node.chainName()
        var blobs = [try await node.metadata(at: block.hash, formats: [])]
        for format in formats {
            let blob = try await node.metadata(at: block.hash, formats: [UInt32(format)])
            // A runtime without the format answers with the one that it gives by itself.
            if !blobs.contains(where: { $0[4] == blob[4] }) { blobs.append(blob) }
        }
        return FetchedChain(
            url: node.url.description, block: block, genesisHash: genesis, runtime: try await runtime, properties: try await properties,
            title: try await title, blobs: blobs)
    }
}
