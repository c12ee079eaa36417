import SubstratePrimitives

/// The addresses of one network's nodes, tried in their order.
public struct NodePool: Sendable {
    /// What is going on, for whoever watches.
    public enum Event: Sendable, Equatable {
        case trying(NodeURL, attempt: Int)
        case failed(NodeURL, attempt: Int, RPCError)
        /// Bytes of the connection so far.
        case received(NodeURL, bytes: Int)
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
        var options = options
        let report = report
        options.received = { report(.received(url, bytes: $0)) }
        let node = try await NodeConnection.open(url, options: options)
        defer { node.close() }
        return try await work(node)
    }

    /// The runtime at the newest finalized block: the small question that tells whether the large one is worth asking.
    public func newestRuntime(expecting expected: GenesisHash) async throws -> NodeRuntime {
        try await run { node in
            let genesis = try await node.genesisHash()
            guard expected == genesis else { throw RPCError.wrongChain(expected: expected, found: genesis) }
            let block = try await node.finalizedHead()
            async let version = node.runtimeVersion(at: block)
            return NodeRuntime(codeHash: try await node.runtimeCodeHash(at: block), version: try await version)
        }
    }
}

/// A runtime by its version and by its code: a change of the second without the first is a silent change.
public struct NodeRuntime: Sendable, Equatable {
    public let codeHash: Hash32
    public let version: NodeRuntimeVersion
}
