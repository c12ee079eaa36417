import NodeAnswers
import SubstratePrimitives

/// One node's answers about its chain at one block: everything that updates are made from.
public struct ChainSnapshot: Sendable, Equatable {
    public let url: NodeURL
    public let genesisHash: GenesisHash
    public let block: BlockReference
    /// The display name: `Westend Asset Hub`.
    public let chainName: String
    public let runtime: NodeRuntimeVersion
    public let properties: ChainProperties
    /// Metadata from `meta` on: first in the runtime's default format, then V15, then the requested formats,
    /// where the runtime supports them.
    public let metadata: [[UInt8]]

    /// - Parameters:
    ///   - expected: genesis hash; a node of another chain is refused.
    ///   - formats: metadata formats in addition to the runtime's default and V15, which RFC-0078 defines the
    ///     metadata hash over.
    public static func take(
        _ node: NodeConnection, at choice: BlockChoice = .finalized, expecting expected: GenesisHash? = nil,
        formats: [UInt8] = []
    ) async throws -> ChainSnapshot {
        let genesis = try await node.genesisHash()
        if let expected, expected != genesis { throw RPCError.wrongChain(expected: expected, found: genesis) }
        let block = try await node.block(choice)
        async let runtime = node.runtimeVersion(at: block.hash)
        async let properties = node.properties()
        async let name = node.chainName()
        var blobs = [try await node.metadata(at: block.hash, formats: [])]
        for format in [15] + formats.filter({ $0 != 15 }) {
            let blob = try await node.metadata(at: block.hash, formats: [UInt32(format)])
            // A runtime that does not support the format answers with its default.
            if !blobs.contains(where: { $0[4] == blob[4] }) { blobs.append(blob) }
        }
        return ChainSnapshot(
            url: node.url, genesisHash: genesis, block: block, chainName: try await name,
            runtime: try await runtime,
            properties: try await properties, metadata: blobs)
    }
}
