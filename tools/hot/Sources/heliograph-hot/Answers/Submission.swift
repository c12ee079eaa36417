import ChainRPC
import NodeAnswers
import SubstratePrimitives

/// Submits an extrinsic and prints its status until it is final or can no longer be included.
struct Submission: Sendable {
    let extrinsic: [UInt8]
    let genesisHash: GenesisHash
    /// The time limit.
    let seconds: Int

    /// The nodes that can be submitted to: a status comes over a WebSocket, and a transaction that nobody can follow is not sent.
    /// - Throws: an error for a text that is no URL, and if no URL is a WebSocket's.
    static func nodes(_ addresses: [String]) throws -> [NodeURL] {
        guard !addresses.isEmpty else { throw HotError.noAddress }
        let urls = try addresses.map(NetworkOptions.url).filter(\.scheme.isWebSocket)
        guard !urls.isEmpty else { throw RPCError.needsWebSocket }
        return urls
    }

    /// Each URL gets one attempt: a pool refuses an extrinsic that it already knows.
    func run(_ pool: NodePool) async throws {
        var once = pool.options
        once.attempts = 1
        let (extrinsic, genesisHash, seconds) = (extrinsic, genesisHash, seconds)
        try await NodePool(pool.urls, options: once).run { node in
            let found = try await node.genesisHash()
            guard found == genesisHash else { throw RPCError.wrongChain(expected: genesisHash, found: found) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await Self.follow(node, extrinsic) }
                group.addTask {
                    try await Task.sleep(for: .seconds(seconds))
                    throw HotError.notIncluded(seconds: seconds)
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
    }

    private static func follow(_ node: NodeConnection, _ extrinsic: [UInt8]) async throws {
        Console.note("submitted as 0x\(Hash32.blake2b(of: extrinsic).hex)")
        for try await status in try await node.submitAndWatch(extrinsic) {
            switch status {
            case .future: Console.note("waiting for an earlier nonce")
            case .ready: Console.note("waiting for a block")
            case .broadcast(let peers): Console.note("sent to \(peers) node\(peers == 1 ? "" : "s")")
            case .inBlock(let block): Console.note("in block 0x\(block.hex)")
            case .retracted(let block): Console.note("block 0x\(block.hex) is no longer part of the chain")
            case .finalized(let block):
                Console.print("finalized in block 0x\(block.hex)")
                // The status is one node's word; another node or an explorer can confirm it.
                return Console.note("finality believed from one node")
            case .finalityTimeout(let block): throw HotError.notFinal(block: block)
            case .usurped(let other): throw HotError.usurped(by: other)
            case .dropped: throw HotError.dropped
            case .invalid: throw HotError.expired
            }
        }
        throw RPCError.cutOff
    }
}
