import SubstratePrimitives

/// The addresses of one network's nodes, tried in their order.
public struct NodePool: Sendable {
    /// What is going on, for whoever watches.
    public enum Event: Sendable, Equatable {
        case trying(NodeURL, attempt: Int)
        case failed(NodeURL, attempt: Int, RPCError)
        /// Something arrived.
        case got(String)
    }

    public let urls: [NodeURL]
    public let options: RPCOptions
    private let report: @Sendable (Event) -> Void

    public init(_ urls: [NodeURL], options: RPCOptions = RPCOptions(), report: @escaping @Sendable (Event) -> Void = { _ in }) {
        self.urls = urls
        self.options = options
        self.report = report
    }

    /// Runs `work` against the first node that lets it finish: each address ``RPCOptions/tries`` times with growing pauses, then the next.
    ///
    /// An error that no repetition can mend goes to the next address at once. Errors of `work` that are not ``RPCError`` end it.
    /// - Throws: ``AllNodesFailed``, or what `work` threw.
    public func run<T: Sendable>(_ work: @Sendable (NodeConnection) async throws -> T) async throws -> T {
        var attempts: [AllNodesFailed.Attempt] = []
        for url in urls {
            for number in 1...max(1, options.tries) {
                report(.trying(url, attempt: number))
                do {
                    return try await once(url, work)
                } catch let error as RPCError {
                    report(.failed(url, attempt: number, error))
                    attempts.append(AllNodesFailed.Attempt(url: url, number: number, error: error))
                    if error.isFinal { break }
                }
                if number < options.tries { try await Task.sleep(for: .milliseconds(options.backOffMilliseconds << (number - 1))) }
            }
        }
        throw AllNodesFailed(attempts: attempts)
    }

    private func once<T: Sendable>(_ url: NodeURL, _ work: @Sendable (NodeConnection) async throws -> T) async throws -> T {
        let node = try await NodeConnection.open(url, options: options)
        defer { node.close() }
        return try await work(node)
    }

    /// Everything that an update is made from, at one block.
    ///
    /// - Parameters:
    ///   - expected: refuses a node of another chain.
    ///   - formats: versions of metadata in the order of preference; version 14 is the last resort.
    public func snapshot(
        at choice: BlockChoice = .finalized, expecting expected: GenesisHash? = nil, formats: [UInt32] = [15, 16]
    ) async throws -> ChainSnapshot {
        let report = report
        return try await run { node in
            let genesis = try await node.genesisHash()
            if let expected, expected != genesis { throw RPCError.wrongChain(expected: expected, found: genesis) }
            let block = try await node.block(choice)
            report(.got("genesis \(genesis.hex), block \(block.number)"))
            async let runtime = node.runtimeVersion(at: block.hash)
            async let name = node.chainName()
            async let properties = node.properties()
            async let metadata = node.metadata(at: block.hash, formats: formats)
            let version = try await runtime
            report(.got("runtime \(version.runtime.specName) \(version.runtime.specVersion)"))
            let snapshot = ChainSnapshot(
                url: node.url, genesisHash: genesis, block: block, chainName: try await name, runtime: version,
                properties: try await properties, metadata: try await metadata)
            report(.got("metadata, \(snapshot.metadata.count) bytes"))
            return snapshot
        }
    }

    /// The runtime version at the newest finalized block: the small question that tells whether the large one is worth asking.
    public func newestRuntime(expecting expected: GenesisHash) async throws -> NodeRuntimeVersion {
        try await run { node in
            let genesis = try await node.genesisHash()
            guard expected == genesis else { throw RPCError.wrongChain(expected: expected, found: genesis) }
            return try await node.runtimeVersion(at: try await node.finalizedHead())
        }
    }
}

/// What one node said of its chain at one block.
public struct ChainSnapshot: Sendable, Equatable {
    public let url: NodeURL
    public let genesisHash: GenesisHash
    public let block: BlockReference
    /// For people: `Westend Asset Hub`.
    public let chainName: String
    public let runtime: NodeRuntimeVersion
    public let properties: ChainProperties
    /// From `meta` on.
    public let metadata: [UInt8]
}
