import NodeAnswers
import SubstratePrimitives

/// The addresses of one network's nodes, tried in their order.
public struct NodePool: Sendable {
    /// Progress of a pool.
    public enum Event: Sendable, Equatable {
        case trying(NodeURL, attempt: Int)
        case failed(NodeURL, attempt: Int, RPCError)
        /// Bytes received on the connection so far.
        case received(NodeURL, bytes: Int)
    }

    public let urls: [NodeURL]
    public let options: RPCOptions
    private let report: @Sendable (Event) -> Void

    /// - Parameter urls: at least one.
    public init(
        _ urls: [NodeURL], options: RPCOptions = RPCOptions(),
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        precondition(!urls.isEmpty, "a pool has at least one address")
        self.urls = urls
        self.options = options
        self.report = report
    }

    /// The pool with other addresses, at least one.
    func with(urls: [NodeURL]) -> NodePool { NodePool(urls, options: options, report: report) }

    /// Runs `work` against the first node that lets it finish: each address up to ``RPCOptions/attempts``
    /// times with growing pauses, then the next.
    ///
    /// After an error that a retry cannot fix, the next address follows at once. An error of `work` that is
    /// not an ``RPCError`` ends the run.
    /// - Throws: ``AllNodesFailed``, or what `work` threw.
    public func run<T: Sendable>(_ work: @Sendable (NodeConnection) async throws -> T) async throws -> T {
        var attempts: [AllNodesFailed.Attempt] = []
        for url in urls {
            for number in 1...max(1, options.attempts) {
                report(.trying(url, attempt: number))
                do {
                    return try await once(url, work)
                } catch let error as RPCError {
                    report(.failed(url, attempt: number, error))
                    attempts.append(AllNodesFailed.Attempt(url: url, number: number, error: error))
                    if error.isFinal { break }
                }
                if number < options.attempts {
                    try await Task.sleep(for: .milliseconds(options.backOffMilliseconds << (number - 1)))
                }
            }
        }
        guard let failure = AllNodesFailed(attempts: attempts) else {
            preconditionFailure("every address is tried at least once")
        }
        throw failure
    }

    private func once<T: Sendable>(_ url: NodeURL, _ work: @Sendable (NodeConnection) async throws -> T)
        async throws -> T
    {
        var options = options
        let report = report
        options.received = { report(.received(url, bytes: $0)) }
        let node = try await NodeConnection.open(url, options: options)
        defer { node.close() }
        return try await work(node)
    }

    /// The runtime at the newest finalized block: a small request that shows whether the metadata has to be
    /// fetched.
    public func newestRuntime(expecting expected: GenesisHash) async throws -> NodeRuntime {
        try await run { node in
            let genesis = try await node.genesisHash()
            guard expected == genesis else { throw RPCError.wrongChain(expected: expected, found: genesis) }
            let block = try await node.finalizedHead()
            async let version = node.runtimeVersion(at: block)
            return NodeRuntime(
                codeHash: try await node.runtimeCodeHash(at: block), version: try await version)
        }
    }
}

/// A runtime by its version and by its code: new code under the same version is a silent change.
public struct NodeRuntime: Sendable, Equatable {
    public let codeHash: Hash32
    public let version: NodeRuntimeVersion

    /// The runtime of one block, for nodes that must agree about it.
    public static func take(
        _ node: NodeConnection, at choice: BlockChoice, expecting expected: GenesisHash
    ) async throws -> NodeRuntime {
        let genesis = try await node.genesisHash()
        guard expected == genesis else { throw RPCError.wrongChain(expected: expected, found: genesis) }
        let block = try await node.block(choice).hash
        async let version = node.runtimeVersion(at: block)
        return NodeRuntime(codeHash: try await node.runtimeCodeHash(at: block), version: try await version)
    }

    /// Everything of it, for a comparison.
    public var facts: [NodeFact] { [NodeFact("code hash", "0x\(codeHash.hex)")] + version.facts }
}
