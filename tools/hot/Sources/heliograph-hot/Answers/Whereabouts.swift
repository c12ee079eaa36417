import ChainRPC
import Diagnostics
import HotTransactions
import Lines
import NodeAnswers
import SubstratePrimitives

/// What helps a person who makes a transaction again that a node was given: the first may still take effect,
/// and a chain takes only one transaction with a nonce.
enum Again: Equatable {
    case nonce(UInt128)
    /// The chain has used the nonce, for this transaction or for another: whatever is made with it again is
    /// refused.
    case used(UInt128)
    /// The transaction has no nonce, or none that its metadata shows.
    case unknown

    init(_ nonce: UInt128?) { self = nonce.map(Again.nonce) ?? .unknown }

    /// Once the nonce is found to be used. Whoever then made the transaction with the next one without a look
    /// at the chain might pay twice.
    var afterUse: Again {
        switch self {
        case .nonce(let nonce), .used(let nonce): .used(nonce)
        case .unknown: .unknown
        }
    }

    var hint: String {
        switch self {
        case .nonce(let nonce):
            """
            if you make it again, use --nonce \(nonce), the same: only one of the two can then take effect
            """
        case .used(let nonce):
            """
            nonce \(nonce) is used, by this transaction or by another: look for it in an explorer before you \
            make it again with the next one
            """
        case .unknown: "look for it in an explorer before you make it again"
        }
    }
}

extension HotError {
    /// What ended the following of a transaction, once its nonce is found to be used.
    fileprivate var withUsedNonce: HotError {
        if case .expired(let again?) = self { return .expired(again.afterUse) }
        if case .dropped(let again) = self { return .dropped(again.afterUse) }
        if case .usurped(let other, let again) = self { return .usurped(by: other, again.afterUse) }
        if case .notFinal(let block, let again) = self { return .notFinal(block: block, again.afterUse) }
        if case .notIncluded(let seconds, let again) = self {
            return .notIncluded(seconds: seconds, again.afterUse)
        }
        return self
    }
}

/// A block that a node named for a transaction.
struct NamedBlock: Sendable {
    let hash: Hash32
    let node: NodeURL
}

/// An error of a node that was given an extrinsic. It is no ``RPCError``, so a pool does not go on with it.
struct AfterSending: Error {
    let error: RPCError
}

/// What is known of an extrinsic while it is followed.
actor Trace {
    /// The node that was given it: the bytes were written to its connection, or are about to be.
    private(set) var given: NodeURL?
    /// The last block that it is said to be in.
    private(set) var block: Hash32?
    /// The final block that has it, and the words that say who calls it final.
    private(set) var end: (block: Hash32, belief: String)?

    func give(to node: NodeURL) { given = node }
    func enter(_ block: Hash32?) { self.block = block }
    func finish(_ block: Hash32, _ belief: String) { end = (block, belief) }
}

/// Where nodes say that an extrinsic is. It names a block at most; ``ResultCheck`` then asks about that
/// block, with a quorum all of its hosts.
private struct Whereabouts {
    var block: NamedBlock?
    /// Whether any node answered.
    var isTold = false
    /// Whether the account's nonce, at the newest finalized block of some node, is beyond that of the
    /// extrinsic.
    var isNonceUsed = false
    /// The block that it was in and that is not final yet.
    var pending: Hash32?

    /// What a search without a result ended with.
    var sentence: String {
        if isNonceUsed {
            return "its nonce is used, by it or by another transaction"
        }
        if let pending { return "block 0x\(pending.hex) has it and is not final yet" }
        return isTold
            ? "the newest finalized blocks do not have it"
            : "no node tells where it is"
    }
}

extension Submission {
    /// Finalized blocks that are searched, from the newest on: as many as most transactions are valid for.
    private static let searchedBlocks: UInt32 = 64
    /// Seconds to search after an error that leaves open whether the node passed the extrinsic on: five
    /// blocks of six seconds.
    private static let patience = 30
    /// Seconds between two searches.
    private static let pause = 2
    /// What a node says of an extrinsic that its pool has.
    ///
    /// Source: polkadot-sdk, `substrate/client/rpc-api/src/author/error.rs` (`POOL_ALREADY_IMPORTED`).
    private static let alreadyImported = 1013

    private static let alreadyThere =
        "the node refused it: the chain has these bytes already, and takes them once"

    /// The final block that has an extrinsic whose node failed, refused it, or gave it up.
    /// - Parameters:
    ///   - error: what ended the following.
    ///   - node: who was given the extrinsic.
    ///   - nodes: who is asked.
    ///   - block: the last block that it was said to be in.
    /// - Throws: what the node said of it, if no block has it;
    ///   ``HotError/sentAndUnknown(hash:url:reason:_:)`` where it said nothing that ends it.
    func found(after error: any Error, _ node: NodeURL, _ nodes: NodePool, _ block: Hash32?) async throws
        -> NamedBlock
    {
        let cause = (error as? AfterSending)?.error
        let verdict: RPCError? =
            if case .refusedByNode(let code, _)? = cause, code != Self.alreadyImported { cause } else { nil }
        let isOpen = cause != nil && verdict == nil
        if let cause, isOpen {
            Console.endProgress()
            Console.note(Escape.terminal("\(node): \(cause.sentence); looking for the transaction"))
        }
        let end = ContinuousClock.now + .seconds(min(seconds, Self.patience))
        var seen = Whereabouts()
        repeat {
            seen = await look(nodes, block, until: end)
            if let found = seen.block {
                if verdict != nil { Console.note(Self.alreadyThere) }
                Self.believe(found.hash, alone: check.quorum.quorum == 1)
                return found
            }
            guard isOpen, seen.isTold, !seen.isNonceUsed, ContinuousClock.now < end else { break }
            try await Task.sleep(for: .seconds(Self.pause))
        } while true
        let again = seen.isNonceUsed ? again.afterUse : again
        if let verdict { throw HotError.submissionRefused(url: "\(node)", verdict, again) }
        guard let cause else {
            throw seen.isNonceUsed ? (error as? HotError)?.withUsedNonce ?? error : error
        }
        throw HotError.sentAndUnknown(
            hash: SignedExtrinsic.hash(extrinsic), url: "\(node)",
            reason: "\(cause.sentence); \(seen.sentence)", again)
    }

    /// Asks each node once, until one has it in a final block. No node is believed that it is nowhere.
    private func look(_ nodes: NodePool, _ block: Hash32?, until end: ContinuousClock.Instant) async
        -> Whereabouts
    {
        var seen = Whereabouts()
        for url in nodes.urls {
            guard
                let one = try? await NodePool([url], options: nodes.options).run({ node in
                    try await self.look(node, block, until: end)
                })
            else { continue }
            seen.isTold = true
            if one.block != nil { return one }
            seen.isNonceUsed = seen.isNonceUsed || one.isNonceUsed
            seen.pending = seen.pending ?? one.pending
        }
        return seen
    }

    private func look(_ node: NodeConnection, _ block: Hash32?, until end: ContinuousClock.Instant)
        async throws -> Whereabouts
    {
        let found = try await node.genesisHash()
        guard found == genesisHash else { throw RPCError.wrongChain(expected: genesisHash, found: found) }
        var seen = Whereabouts()
        if let block {
            do throws(RPCError) {
                let inclusion = try await node.inclusion(of: extrinsic, in: block)
                if !inclusion.places.isEmpty {
                    seen.pending = block
                    if inclusion.isFinal, inclusion.canonical == block {
                        seen.block = NamedBlock(hash: block, node: node.url)
                        return seen
                    }
                }
            } catch {
                guard case .noSuchBlock = error else { throw error }
            }
        }
        if let block = try await node.finalizedBlock(
            with: extrinsic, among: Self.searchedBlocks, until: end)
        {
            seen.block = NamedBlock(hash: block, node: node.url)
            return seen
        }
        if case .nonce(let own) = again,
            let next = try await node.nonce(of: account, at: node.finalizedHead())
        {
            seen.isNonceUsed = UInt128(next) > own
        }
        return seen
    }
}
